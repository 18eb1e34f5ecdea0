/**
 * A proposal that would be carried out, in a flow that an event woke: it waits for the others, has lost already, or goes on.
 *
 * E1 a bid holds nothing while it waits; its flow is VALIDATING, and everything about it is judged again when its turn comes.
 * E2 whatever is dispatched for an event guards the record of the event, so that a HALT or another winner stops it there.
 * E3 reserved kinds change nothing outside: they exclude nobody and wait for nobody.
 * E4 what a person let pass comes before all others; what an agent above let pass comes when the event is closed. It would otherwise
 *    choose who wins.
 */
import {
  type ApprovalFact,
  findChannelAgent,
  findEventRefusal,
  isReserved,
  type Refusal,
  type Verdict,
} from 'rubicon-kernel'
import type { FlowRow, Guard, Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { findEvent, OPEN_EVENTS } from '../flow/event-rows.ts'
import {
  addWinner,
  buildChangedEvent,
  buildEventGuard,
  buildLostEventRefusal,
  buildMovedEvent,
  type StoredEvent,
  toEventStanding,
} from '../flow/event-standing.ts'
import type { Gathered } from '../judge/gathered.ts'
import type { Received } from '../judge/receive.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { buildBidRecord } from './stored-bid.ts'

type Staged = Extract<Verdict, { kind: 'staged' }>

export type EventEntrance =
  /** It goes on, with what its event adds to the unit that dispatches it. */
  | { readonly kind: 'passes'; readonly received: Received }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** It is looked at again when the event is closed. */
  | { readonly kind: 'deferred' }
  /** It waits with this unit. */
  | { readonly kind: 'waits'; readonly event_id: string; readonly unit: Unit }

const NOTHING: Unit = { guards: [], writes: [] }

/**
 * Why a person need not be asked about it: whatever they say, nothing of it is dispatched for its event. Else what must still hold
 * when they are: who closes the event meanwhile looks for requests only once.
 */
export async function findLostCause(
  { store }: Context,
  { view: { flow }, input }: Gathered,
  { stake }: Received,
  { trace }: Extract<Verdict, { kind: 'suspended' }>,
): Promise<Refusal | readonly Guard[]> {
  if (flow.event === null || stake !== undefined || isReserved(input.proposal.policy_kind))
    return []
  const event = await findEvent(store, flow.event.event_id)
  if (event === null) return buildLostEventRefusal(flow.event.event_id)
  const needs = trace.flatMap(({ resources = [] }) => resources)
  const wanted = { dfid: flow.dfid, resources: needs.map(({ id }) => id) }
  const refusal = findEventRefusal(event.body.law, toEventStanding(event), wanted)
  return refusal ?? [buildEventGuard(event)]
}

/** An agent let it pass, and others of its event are still collected. */
export async function isReleaseDeferred(
  { store }: Context,
  { event }: FlowRow,
  { policy_kind }: Pick<Received['proposal'], 'policy_kind'>,
  approval: Pick<ApprovalFact, 'approver'> | null,
): Promise<boolean> {
  if (event === null || approval === null || isReserved(policy_kind)) return false
  if (findChannelAgent(approval.approver) === undefined) return false
  const open = await store.readRecord('event', OPEN_EVENTS, event.event_id)
  return open !== null && open.body.law !== null && open.body.halted_by === undefined
}

export async function enterEvent(
  context: Context,
  gathered: Gathered,
  received: Received,
  { intent }: Staged,
): Promise<EventEntrance> {
  const { flow } = gathered.view
  const isOutside = flow.event === null || received.stake !== undefined
  if (flow.event === null || isOutside || isReserved(intent.policy_kind))
    return { kind: 'passes', received }
  const event = await findEvent(context.store, flow.event.event_id)
  if (event === null)
    return { kind: 'refused', refusal: buildLostEventRefusal(flow.event.event_id) }
  const { law } = event.body
  const resources = intent.resources.map(({ id }) => id)
  const wanted = { dfid: flow.dfid, resources }
  const refusal = findEventRefusal(law, toEventStanding(event), wanted)
  if (refusal !== null) return { kind: 'refused', refusal }
  // What a person let pass has left the group, and waits for nobody.
  const { release } = received
  const isAlone = release !== undefined || event.group !== OPEN_EVENTS
  if (release !== undefined) {
    const { proposal } = received
    const isLater = await isReleaseDeferred(context, flow, proposal, release.approval)
    if (isLater) return { kind: 'deferred' }
  }
  if (law !== null && !isAlone) {
    const unit = buildBidUnit(gathered, received, event, resources)
    return { kind: 'waits', event_id: event.key, unit }
  }
  const buildWin: NonNullable<Received['stake']>['win'] =
    law === null
      ? () => ({ guards: [buildEventGuard(event)], writes: [] })
      : (won) => buildWonEvent(event, addWinner(event.body, won))
  return {
    kind: 'passes',
    received: { ...received, stake: { win: buildWin, leave: NOTHING, waited: false } },
  }
}

/** One that was closed without a winner is looked at again: a person may be asked about what has lost by now. */
function buildWonEvent(event: StoredEvent, body: StoredEvent['body']): Unit {
  const { law, winners = [] } = event.body
  return law?.exclusive === 'event' && winners.length === 0
    ? buildMovedEvent(event, OPEN_EVENTS, body)
    : buildChangedEvent(event, body)
}

/** The event counts it: nobody who closes the window at the same time can overlook it. */
function buildBidUnit(
  { view: { flow, now }, input }: Gathered,
  received: Received,
  event: StoredEvent,
  resources: readonly string[],
): Unit {
  const { contract } = input
  if (contract === null) return NOTHING
  const { agent_id, priority, role } = contract
  const body = buildBidRecord(received, { agent_id, priority, role, resources, at: now })
  const { bids = 0 } = event.body
  const counted = buildChangedEvent(event, { ...event.body, bids: bids + 1 })
  const row = { record: 'bid', group: event.key, key: flow.dfid } as const
  return {
    guards: [
      { kind: 'flow_version', dfid: flow.dfid, version: flow.version },
      { kind: 'record_version', ...row, version: null },
      ...counted.guards,
      ...(received.session?.guards ?? []),
    ],
    writes: [
      { kind: 'put_flow', flow: toWaitingFlow(flow, now) },
      { kind: 'put_record', ...row, body },
      ...counted.writes,
    ],
  }
}

/** No entry says so, and its rows are held against its entries: when it was last spoken in stays as it was. */
function toWaitingFlow(flow: FlowRow, now: string): FlowRow {
  const { updated_at } = flow
  return { ...moveFlow(flow, ['VALIDATING'], now), updated_at }
}
