/** A request in a list: who asks for what, how urgent it is, and what became of it. */
import { type EscalationKind, type Impact, listAskedChannels } from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import type { Ended, EscalationState, StoredEscalation } from '../rows/stored-escalation.ts'

export type EscalationSummary = {
  readonly id: string
  /** `outcome`: an effect that only a person can settle; see its execution. */
  readonly kind: EscalationKind | 'outcome'
  readonly state: EscalationState
  readonly ended: Ended | null
  readonly dfid: string
  readonly agent_id: string
  readonly reason_code: string
  readonly channel: string
  /** Everywhere where it is asked: an agent, or people on every channel that a trigger names. */
  readonly channels: readonly string[]
  readonly queue: 'approval' | 'exception' | null
  readonly impact: Impact | null
  readonly requested_at: string
  readonly expires_at: string | null
  readonly needs: number
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
