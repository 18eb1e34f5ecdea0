/** A request in a list: who asks for what, how urgent it is, and what became of it. */
import { type EscalationKind, type Impact, listAskedChannels } from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import type { Ended, EscalationState, StoredEscalation } from '../rows/stored-escalation.ts'

/** A request in a list. */
export type EscalationSummary = {
  /** Its name. */
  readonly id: string
  /** `outcome`: an effect that only a person can settle; see its execution. */
  readonly kind: EscalationKind | 'outcome'
  /** Waiting, approved or closed. */
  readonly state: EscalationState
  /** How it ended; null: it has not. */
  readonly ended: Ended | null
  /** The flow that asks. */
  readonly dfid: string
  /** The agent that asks. */
  readonly agent_id: string
  /** Why somebody is asked. */
  readonly reason_code: string
  /** Where it was asked first. */
  readonly channel: string
  /** Everywhere where it is asked: an agent, or people on every channel that a trigger names. */
  readonly channels: readonly string[]
  /** Where it stands in the inbox; null: in none. */
  readonly queue: 'approval' | 'exception' | null
  /** How much care it asks for; null: it was not judged. */
  readonly impact: Impact | null
  /** When it was asked. */
  readonly requested_at: string
  /** When it expires; null: never. */
  readonly expires_at: string | null
  /** Approvals that it needs. */
  readonly needs: number
  /** Approvals that it has. */
  readonly approvals: number
}

export function toEscalationSummary(
  { body }: StoredEscalation,
  state: EscalationState,
): EscalationSummary {
  const { request, ended, counted } = body
  const { id, kind, dfid, agent_id, channel, queue, impact } = request
  const { requested_at, expires_at, needs } = request
  return {
    id,
    kind,
    state,
    ended: ended?.as ?? null,
    dfid,
    agent_id,
    reason_code: request.domain_code ?? request.reason_code,
    channel,
    channels: listAskedChannels(request),
    queue,
    impact,
    requested_at,
    expires_at,
    needs,
    approvals: counted.length,
  }
}

/** It has no request: it is settled where effects are. */
export async function loadOutcomeSummary(
  { store }: Pick<Context, 'store'>,
  { dfid, step_id, reason_code, last_sent_at }: ExecutionRow,
): Promise<EscalationSummary> {
  return {
    id: `${dfid}:${step_id}`,
    kind: 'outcome',
    state: 'open',
    ended: null,
    dfid,
    agent_id: (await store.readFlow(dfid))?.agent_id ?? '',
    reason_code: reason_code ?? '',
    channel: 'operator',
    channels: ['operator'],
    queue: null,
    impact: null,
    requested_at: last_sent_at,
    expires_at: null,
    needs: 1,
    approvals: 0,
  }
}
