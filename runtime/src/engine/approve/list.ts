/** Requests as people see them: what waits, and what became of the rest. */
import { type Impact, LIMITS } from 'rubicon-kernel'
import type { RequestComment } from '../../ports/escalation-record.ts'
import type { Context } from '../engine-context.ts'
import {
  type EscalationSummary,
  loadOutcomeSummary,
  toEscalationSummary,
} from '../escalate/summary.ts'
import type { Shown } from '../ledger/snapshot-cache.ts'
import {
  type Ended,
  ESCALATION_STATES,
  type Escalation,
  type EscalationState,
  loadEscalation,
} from '../rows/stored-escalation.ts'
import { readComments } from './comments.ts'

export type { EscalationSummary }

/** Which requests are listed; what is left out selects nothing away. */
export type EscalationFilter = {
  /** Waiting, approved or closed. */
  readonly state?: EscalationState
  /** Of one agent. */
  readonly agent_id?: string
  /** Of one impact. */
  readonly impact?: Impact
  /** Of one queue of the inbox. */
  readonly queue?: NonNullable<EscalationSummary['queue']>
  /** How they ended. */
  readonly ended?: readonly Ended[]
  /** Where the page before ended. */
  readonly beyond?: EscalationPlace
  /** The most that are listed. */
  readonly limit?: number
}

/** Requests come first; after the last of them the effects that nobody asked about. */
export type EscalationPlace =
  | { readonly kind: 'request'; readonly id: string }
  | { readonly kind: 'outcome'; readonly dfid: string; readonly step_id: string }

export type EscalationPage = {
  readonly escalations: readonly EscalationSummary[]
  /** Null: that was all. */
  readonly next: EscalationPlace | null
}

/** A request with what its agent was shown when it asked. */
export type EscalationView = Escalation & {
  /** Waiting, approved or closed. */
  readonly state: EscalationState
  /** State and World as the agent saw them. */
  readonly shown: Shown
  /** What people said to each other about it, oldest first. */
  readonly comments: readonly RequestComment[]
}

const LISTED = 100
/** How many are read together. */
const PAGE = 100

/** What waits by default, oldest first; of what is closed the newest. */
export async function listEscalations(
  context: Pick<Context, 'store'>,
  filter: EscalationFilter = {},
): Promise<readonly EscalationSummary[]> {
  return (await readEscalationPage(context, filter)).escalations
}

/** No more than `LIMITS.escalationsLooked` are looked at; the next page goes on behind them. */
export async function readEscalationPage(
  context: Pick<Context, 'store'>,
  filter: EscalationFilter,
): Promise<EscalationPage> {
  const { limit = LISTED, beyond = null } = filter
  const found: Placed[] = []
  let looked = 0
  for await (const one of iterateEscalations(context, filter.state ?? 'open', beyond)) {
    if (isWanted(one.summary, filter)) found.push(one)
    if (found.length > limit) return toEscalationPage(found.slice(0, limit), found[limit - 1])
    looked += 1
    if (looked === LIMITS.escalationsLooked) return toEscalationPage(found, one)
  }
  return toEscalationPage(found)
}

function toEscalationPage(found: readonly Placed[], last?: Placed): EscalationPage {
  return { escalations: found.map(({ summary }) => summary), next: last?.place ?? null }
}

function isWanted(one: EscalationSummary, filter: EscalationFilter): boolean {
  const { agent_id, impact, queue, ended } = filter
  return (
    (agent_id === undefined || one.agent_id === agent_id) &&
    (impact === undefined || one.impact === impact) &&
    (queue === undefined || one.queue === queue) &&
    (ended === undefined || (one.ended !== null && ended.includes(one.ended)))
  )
}

type Placed = { readonly summary: EscalationSummary; readonly place: EscalationPlace }

async function* iterateEscalations(
  context: Pick<Context, 'store'>,
  state: EscalationState,
  beyond: EscalationPlace | null,
): AsyncGenerator<Placed> {
  if (beyond?.kind !== 'outcome') yield* iterateRequests(context, state, beyond?.id)
  if (state === 'open')
    yield* iterateOutcomes(context, beyond?.kind === 'outcome' ? beyond : undefined)
}

async function* iterateRequests(
  { store }: Pick<Context, 'store'>,
  state: EscalationState,
  beyond: string | undefined,
): AsyncGenerator<Placed> {
  const newest = state === 'closed'
  for (let last = beyond; ; ) {
    // Backwards the last one is read again: a range ends with what it names.
    const edge = last === undefined ? {} : newest ? { until: last } : { after: last }
    const page = await store.listRecords('escalation', state, { ...edge, newest, limit: PAGE + 1 })
    for (const row of page) {
      if (row.key !== last)
        yield { summary: toEscalationSummary(row, state), place: { kind: 'request', id: row.key } }
    }
    if (page.length <= PAGE) return
    last = page.at(-1)?.key
  }
}

async function* iterateOutcomes(
  { store }: Pick<Context, 'store'>,
  from: { readonly dfid: string; readonly step_id: string } | undefined,
): AsyncGenerator<Placed> {
  for (let beyond = from; ; ) {
    const page = await store.listExecutions({
      status: ['MANUAL_REVIEW'],
      limit: PAGE,
      ...(beyond === undefined ? {} : { beyond }),
    })
    for (const row of page) {
      const { dfid, step_id } = row
      const summary = await loadOutcomeSummary({ store }, row)
      yield { summary, place: { kind: 'outcome', dfid, step_id } }
    }
    if (page.length < PAGE) return
    beyond = page.at(-1)
  }
}

/** One of them, in whichever state it is; null: there is none. */
export async function loadEscalationSummary(
  context: Pick<Context, 'store'>,
  id: string,
): Promise<EscalationSummary | null> {
  for (const state of ESCALATION_STATES) {
    const stored = await loadEscalation(context, state, id)
    if (stored !== null) return toEscalationSummary(stored, state)
  }
  return null
}

export async function showEscalation(
  context: Pick<Context, 'store' | 'snapshots'>,
  id: string,
): Promise<EscalationView | null> {
  for (const state of ESCALATION_STATES) {
    const stored = await loadEscalation(context, state, id)
    if (stored === null) continue
    const { dfid, shown_snapshot: snapshot_id } = stored.body.request
    const flow = await context.store.readFlow(dfid)
    const none: Shown = { state: [], world: [] }
    const shown = flow === null ? none : await context.snapshots.loadShown({ ...flow, snapshot_id })
    return { ...stored.body, state, shown, comments: await readComments(context.store, id) }
  }
  return null
}
