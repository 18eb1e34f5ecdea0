/**
 * Agents above before a person. The runtime opens a flow for the nearest that may be asked and shows it
 * the request; its answer is a proposal of its own. If none comes in time, or none that it could give,
 * the next above is asked, and after the last a person.
 *
 * C1 one agent is asked at a time: the request names it, and every change of it is guarded and recorded.
 * C2 a process that dies between two leaves a request with an agent and no flow, which a sweep opens.
 */
import {
  type AuthFact,
  compile,
  findAgentStatus,
  findAncestorAbove,
  findChannelAgent,
  findPinnedContract,
  forwardRequest,
  isObject,
  LIMITS,
  parseInstant,
  type Refusal,
  toEscalationPath,
} from 'rubicon-kernel'
import type { FlowRow, Unit, Write } from '../../ports/store.ts'
import { StateUnavailable } from '../context/read-outside.ts'
import type { Context } from '../engine-context.ts'
import { openFlow } from '../flow/open.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { gather } from '../judge/gather.ts'
import { loadDecision } from '../judge/load-decision.ts'
import { receiveProposal } from '../judge/receive.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { buildGovernorEntry } from '../rows/governor-entry.ts'
import {
  buildChangedEscalation,
  buildEndedEscalation,
  type Escalation,
  loadEscalation,
  type StoredEscalation,
} from '../rows/stored-escalation.ts'
import {
  admit,
  buildEscalationNotices,
  buildParentObservation,
  buildParentObservationDrop,
  computeAnswerDeadline,
} from './ask.ts'
import { buildAskedEntry } from './ask-flow.ts'
import { buildBudgetStop, stopMarked } from './stop-agents.ts'

/** Opens the flow in which the parent decides, once; nothing, where no parent is asked. */
export async function askParent(context: Context, id: string): Promise<void> {
  const stored = await loadEscalation(context, 'open', id)
  const parent = stored?.body.parent ?? null
  const agent = stored === null ? undefined : findChannelAgent(stored.body.request.channel)
  if (stored === null || agent === undefined || parent === null || parent.dfid !== null) return
  const { authorities, writs } = context
  const status = findAgentStatus(await authorities.loadLatest(), agent)
  if (status === 'SUSPENDED' || status === 'RETIRED') return passOn(context, id)
  const by = { kind: 'runtime' } as const
  const request = { agent, trigger: `escalation ${id}`, asked: toEscalationPath(id), by }
  const buildAskedUnit = (dfid: string): Unit =>
    buildChangedEscalation(stored, { ...stored.body, parent: { ...parent, dfid } })
  const opened = await openFlow(context, authorities, writs, request, buildAskedUnit)
  if (opened.ok) context.opened(opened.value)
  // Somebody was faster; or the agent has no contract any more.
  else if (opened.error.code !== 'ESCALATION_DECIDED') await passOn(context, id)
}

/** To the next agent above, or a person instead, which counts against the agent as any exception does. */
export async function passOn(context: Context, id: string): Promise<void> {
  const { store } = context
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const stored = await loadEscalation(context, 'open', id)
    if (stored === null || findChannelAgent(stored.body.request.channel) === undefined) return
    const flow = await store.readFlow(stored.body.request.dfid)
    if (flow?.state !== 'ESCALATED') return
    const { now } = await store.readNow(flow.trajectory)
    const above = await findAgentAbove(context, stored.body, now)
    const { unit, stops } =
      above === undefined
        ? await passOnUnit(context, stored, flow, now)
        : { unit: climbUnit(context, stored, flow, now, above), stops: false }
    await context.failpoints.reach('escalate.before_commit')
    if (!(await store.commit(unit)).ok) continue
    await context.failpoints.reach('escalate.after_commit')
    if (stops) await stopMarked(context)
    if (above !== undefined) await askParent(context, id)
    return
  }
}

/** Undefined: nobody is left, or not enough time for a person after another agent. */
async function findAgentAbove(
  { authorities }: Context,
  { request, proposal }: Escalation,
  now: string,
): Promise<string | undefined> {
  const asked = findChannelAgent(request.channel)
  const kind = isObject(proposal) ? proposal.policy_kind : undefined
  if (asked === undefined || typeof kind !== 'string') return undefined
  const left = (parseInstant(request.expires_at) ?? 0) - (parseInstant(now) ?? 0)
  if (left < 2 * LIMITS.parentMs) return undefined
  const authority = await authorities.loadLatest()
  return findAncestorAbove(asked, { authority, now, agent: request.agent_id, kind })
}

function climbUnit(
  context: Context,
  stored: StoredEscalation,
  flow: FlowRow,
  now: string,
  above: string,
): Unit {
  const request = forwardRequest(stored.body.request, parseInstant(now) ?? 0, above)
  const next: Escalation = {
    ...stored.body,
    request,
    parent: { dfid: null, until: computeAnswerDeadline(now, request.expires_at) },
  }
  const changed = buildChangedEscalation(stored, next)
  return {
    guards: [{ kind: 'flow_version', dfid: flow.dfid, version: flow.version }, ...changed.guards],
    writes: [
      buildAskedEntry(context, flow, request),
      ...changed.writes,
      buildParentObservation(next, now),
    ],
  }
}

async function passOnUnit(
  context: Context,
  stored: StoredEscalation,
  flow: FlowRow,
  now: string,
): Promise<{ readonly unit: Unit; readonly stops: boolean }> {
  const { body } = stored
  const request = forwardRequest(body.request, parseInstant(now) ?? 0)
  const authority = await context.authorities.loadAtLeast(flow.contract_seq)
  const contract = findPinnedContract(authority, flow.agent_id, flow.contract_hash)?.contract
  const same = { kind: 'flow_version', dfid: flow.dfid, version: flow.version } as const
  const admitted =
    contract === undefined
      ? ENDED
      : await admit(context, contract, request, now, body.alone === true)
  if ('code' in admitted) {
    const after = moveFlow(flow, ['ABORTED'], now)
    const details = { ...admitted.details, asked: request.reason_code }
    const writes: Write[] = [
      buildGovernorEntry(context, flow, admitted.code, details, 'ESCALATION_BUDGET_EXHAUSTED'),
      { kind: 'put_flow', flow: after },
      ...buildBudgetStop(authority, flow, body.alone === true),
      ...buildParentObservationDrop(body),
    ]
    const ended = buildEndedEscalation(stored, 'open', 'aborted', now)
    const returned = await returnBudget(context, flow, after, writes)
    const unit = {
      guards: [same, ...ended.guards],
      writes: [...writes, ...ended.writes, ...returned],
    }
    return { unit, stops: true }
  }
  const next: Escalation = { ...body, request }
  const changed = buildChangedEscalation(stored, next)
  const told = [buildAskedEntry(context, flow, request), ...buildEscalationNotices(request, now)]
  const unit = {
    guards: [same, ...changed.guards, ...admitted.guards],
    writes: [...told, ...changed.writes, ...admitted.writes, ...buildParentObservationDrop(body)],
  }
  return { unit, stops: false }
}

/** A contract that is not there any more grants no exceptions. */
const ENDED: Refusal = { code: 'ESCALATION_BUDGET_EXHAUSTED', details: { per_hour: 0 } }

/**
 * Why the parent may not do itself what it would allow; null: it may. Its own contract, writ and budget
 * are asked about the same action, in the flow in which it was asked.
 */
export async function findParentRefusal(
  context: Context,
  { request, proposal }: Escalation,
  by: { readonly agent_id: string; readonly dfid: string },
): Promise<Refusal | null> {
  const flow = await context.store.readFlow(by.dfid)
  if (flow?.agent_id !== by.agent_id || !isObject(proposal))
    return { code: 'FLOW_UNKNOWN', details: { dfid: by.dfid } }
  const { signature: _, evidence_hash: __, supersedes: ___, ...unsigned } = proposal
  // An atom is of the flow below: there is none of that address in this one.
  const { writ_id: ____, valid_until: _____, atom_id: ______, ...action } = unsigned
  const received = receiveProposal(
    {
      ...action,
      dfid: flow.dfid,
      agent_id: flow.agent_id,
      step_id: 'admission',
      context_ref: flow.snapshot_id,
      mission_context_hash: flow.mission_hash,
      confidence: 1,
    },
    context.sha256,
  )
  if (!received.ok) return received.error
  const loaded = await loadDecision(context, flow.dfid, received.value.proposal)
  if (loaded === null) return { code: 'FLOW_UNKNOWN', details: { dfid: by.dfid } }
  const { view, chain } = loaded
  // As if the parent proposed it now, on what it has just looked at.
  const now = { ...view.flow, state: 'ACTIVE', snapshot_at: view.now } as const
  const speaker: AuthFact = {
    kind: 'approval',
    request_id: request.id,
    approver: `agent:${by.agent_id}`,
  }
  try {
    const asIf = { ...view, flow: now, claim: null }
    const { input } = await gather(context, asIf, received.value, chain, speaker)
    const verdict = compile(input)
    if (verdict.kind === 'staged') return null
    const { code } = verdict.kind === 'repeated' ? { code: 'STEP_IN_FLIGHT' as const } : verdict
    return { code, details: 'details' in verdict ? verdict.details : {} }
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error
    return { code: 'STATE_UNAVAILABLE', details: error.details }
  }
}
