/**
 * Puts a request before whoever decides it: the record, the budget of exceptions, the notice to
 * a person, or the State that a parent agent is shown.
 */
import {
  admitEscalation,
  type Contract,
  type EscalationRequest,
  findChannelAgent,
  formatInstant,
  getCountOwner,
  type JsonValue,
  LIMITS,
  listToldChannels,
  parseInstant,
  type Refusal,
  toEscalationPath,
} from 'rubicon-kernel'
import type { FlowRow, Guard, Unit, Write } from '../../ports/store.ts'
import { STATE_GROUP } from '../context/observed-state.ts'
import { KERNEL_SOURCE } from '../context/standing-fact.ts'
import type { Context } from '../engine-context.ts'
import { countWaiting } from '../judge/pause.ts'
import type { SpokenIn } from '../judge/receive.ts'
import { buildNoticeWrite } from '../notices/queue.ts'
import { buildOpenEscalation, type Escalation } from '../rows/stored-escalation.ts'
import { countWaitingFlows } from '../rows/waiting-flows.ts'

export type ApprovalQuestion = {
  readonly flow: FlowRow
  readonly now: string
  readonly contract: Contract
  readonly request: EscalationRequest
  readonly received: string
  /** Null: there is no proposal. */
  readonly proposal: JsonValue
  /** The session that the proposal came in. */
  readonly session?: Pick<SpokenIn, 'key_id'> | null
  /** Only the narrowing of an instance asks: it counts for that one alone. */
  readonly alone?: boolean
  /** It counted against the agent when it was asked first. */
  readonly paid?: boolean
}

/** What belongs into the unit of the escalation, or why nobody is asked. */
export async function askUnit(context: Context, asking: ApprovalQuestion): Promise<Unit | Refusal> {
  const { flow, request, received, proposal, now, paid = false } = asking
  const { alone = false } = asking
  const admitted = paid ? FREE : await admit(context, asking.contract, request, now, alone)
  if ('code' in admitted) return admitted
  const isParent = findChannelAgent(request.channel) !== undefined
  const body: Escalation = {
    request,
    trajectory: flow.trajectory,
    received,
    proposal,
    key_id: asking.session?.key_id ?? null,
    counted: [],
    judged: [],
    ...(alone ? { alone } : {}),
    parent: isParent ? { dfid: null, until: computeAnswerDeadline(now, request.expires_at) } : null,
    approval: null,
    ended: null,
  }
  const stored = buildOpenEscalation(body)
  const authority = await context.authorities.loadAtLeast(flow.contract_seq)
  const told = isParent ? [buildParentObservation(body, now)] : buildEscalationNotices(request, now)
  return {
    guards: [...admitted.guards, ...stored.guards],
    writes: [...admitted.writes, ...stored.writes, ...told, countWaiting(authority, flow.agent_id)],
  }
}

const FREE: Unit = { guards: [], writes: [] }

/** Until when an agent may answer that is asked now: at least half of the time is left for a person. */
export function computeAnswerDeadline(now: string, expires_at: string): string {
  const nowMs = parseInstant(now) ?? 0
  const half = Math.floor(((parseInstant(expires_at) ?? 0) - nowMs) / 2)
  return formatInstant(nowMs + Math.min(LIMITS.parentMs, half))
}

/** Counts the request where it counts; a refusal where it must not be made. */
export async function admit(
  context: Context,
  contract: Contract,
  { queue, channel }: Pick<EscalationRequest, 'queue' | 'channel'>,
  now: string,
  alone: boolean,
): Promise<Unit | Refusal> {
  const { store, authorities } = context
  const most = LIMITS.approvalsWaiting
  const isCounted = queue !== 'exception'
  const waiting = isCounted
    ? await countWaitingFlows(store, await authorities.loadLatest(), contract, most)
    : 0
  const key = alone ? contract.agent_id : getCountOwner(contract)
  const known = await context.store.readRecord('escalation_budget', BUDGETS, key)
  const { refusal, spent } = admitEscalation({
    now,
    queue,
    channel,
    spent: known?.body.spent ?? [],
    perHour: contract.safety_rules.escalations_per_hour,
    waiting,
  })
  if (refusal !== null) return refusal
  if (spent === null) return { guards: [], writes: [] }
  const row = { record: 'escalation_budget', group: BUDGETS, key } as const
  const guard: Guard = { kind: 'record_version', ...row, version: known?.version ?? null }
  return { guards: [guard], writes: [{ kind: 'put_record', ...row, body: { spent } }] }
}

const BUDGETS = 'agents'

export function buildParentObservation({ request, proposal }: Escalation, now: string): Write {
  const value = { request: request, proposal }
  return {
    kind: 'put_record',
    record: 'observation',
    group: STATE_GROUP,
    key: toEscalationPath(request.id),
    body: {
      said: { value, source: KERNEL_SOURCE, label: 'trusted', observed_at: now, flags: [] },
      operator: null,
    },
  }
}

/** It ends with the request. */
export function buildParentObservationDrop({ request, parent }: Escalation): readonly Write[] {
  if (parent === null) return []
  const key = toEscalationPath(request.id)
  return [{ kind: 'drop_record', record: 'observation', group: STATE_GROUP, key }]
}

/** One for each channel that is asked: who is told on one of them knows nothing of the others. */
export function buildEscalationNotices(request: EscalationRequest, at: string): readonly Write[] {
  const { id, agent_id, dfid, reason_code, impact, expires_at, queue } = request
  return listToldChannels(request).map((channel) =>
    buildNoticeWrite({
      id: `escalation:${id}`,
      kind: 'escalation',
      agent_id,
      dfid,
      reason_code,
      channel,
      at,
      details: { request: id, impact, queue, expires_at },
    }),
  )
}
