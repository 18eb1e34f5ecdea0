/** Requests as people see them: what waits, and what became of the rest. */
import type { EscalationKind, Impact } from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'
import type { Context } from '../context.ts'
import type { Shown } from '../snapshot-cache.ts'
import {
  ESCALATION_STATES,
  type Escalation,
  type EscalationState,
  loadEscalation,
  type StoredEscalation,
} from './stored.ts'

export type EscalationFilter = {
  readonly state?: EscalationState
  readonly agent_id?: string
  readonly limit?: number
}

export type EscalationSummary = {
  readonly id: string
  /** `outcome`: an effect that only a person can settle; see its execution. */
  readonly kind: EscalationKind | 'outcome'
  readonly state: EscalationState
  readonly ended: NonNullable<Escalation['ended']>['as'] | null
  readonly dfid: string
  readonly agent_id: string
  readonly reason_code: string
  readonly channel: string
  readonly queue: 'approval' | 'exception' | null
  readonly impact: Impact | null
  readonly requested_at: string
  readonly expires_at: string | null
  readonly needs: number
  readonly approvals: number
}

/** A request with what its agent was shown when it asked. */
export type EscalationView = Escalation & {
  readonly state: EscalationState
  readonly shown: Shown
}

const LISTED = 100

/** What waits by default, oldest first; of what is closed the newest. */
export async function listEscalations(
  context: Pick<Context, 'store'>,
  { state = 'open', agent_id, limit = LISTED }: EscalationFilter = {},
): Promise<readonly EscalationSummary[]> {
  const newest = state === 'closed'
  const rows = await context.store.records('escalation', state, { limit, newest })
  const requests = rows.map((row) => summaryOf(row, state))
  const outcomes = state === 'open' ? await openOutcomes(context, limit) : []
  const all = [...requests, ...outcomes]
  return all.filter((one) => agent_id === undefined || one.agent_id === agent_id).slice(0, limit)
}

function summaryOf({ body }: StoredEscalation, state: EscalationState): EscalationSummary {
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
    queue,
    impact,
    requested_at,
    expires_at,
    needs,
    approvals: counted.length,
  }
}

async function openOutcomes(
  { store }: Pick<Context, 'store'>,
  limit: number,
): Promise<readonly EscalationSummary[]> {
  const rows = await store.executions({ status: ['MANUAL_REVIEW'], limit })
  return Promise.all(rows.map((row) => outcomeSummary({ store }, row)))
}

/** It has no request: it is settled where effects are. */
async function outcomeSummary(
  { store }: Pick<Context, 'store'>,
  { dfid, step_id, reason_code, last_sent_at }: ExecutionRow,
): Promise<EscalationSummary> {
  return {
    id: `${dfid}:${step_id}`,
    kind: 'outcome',
    state: 'open',
    ended: null,
    dfid,
    agent_id: (await store.flow(dfid))?.agent_id ?? '',
    reason_code: reason_code ?? '',
    channel: 'operator',
    queue: null,
    impact: null,
    requested_at: last_sent_at,
    expires_at: null,
    needs: 1,
    approvals: 0,
  }
}

export async function showEscalation(
  context: Pick<Context, 'store' | 'snapshots'>,
  id: string,
): Promise<EscalationView | null> {
  for (const state of ESCALATION_STATES) {
    const stored = await loadEscalation(context, state, id)
    if (stored === null) continue
    const { dfid, shown_snapshot: snapshot_id } = stored.body.request
    const flow = await context.store.flow(dfid)
    const none: Shown = { state: [], world: [] }
    const shown = flow === null ? none : await context.snapshots.shown({ ...flow, snapshot_id })
    return { ...stored.body, state, shown }
  }
  return null
}
