/**
 * An event as people read it: what was observed, whom it woke and whom not, and what its agents answered.
 *
 * A1 its entry is found by the time in its record, in so many steps however long the ledger is.
 * A2 so many members at most are told of, those who decided it first; how many are left out is said.
 */
import {
  type AdmissionCount,
  type ArbitrationLaw,
  compareByPriority,
  type EventObservation,
  type EventPayload,
  type EventWinner,
  MAIN,
  type StateFact,
} from 'rubicon-kernel'
import type { EventMember, EventRecord } from '../../ports/event-record.ts'
import type { FlowRow, Store, StoredEntry } from '../../ports/store.ts'
import { loadSharedState } from '../context/shared-state.ts'
import {
  ANSWER_KINDS,
  type AnswerPlace,
  type EventAnswer,
  listEventAnswers,
  rankAnswers,
} from './event-answers.ts'
import { findEvent, OPEN_EVENTS } from './event-rows.ts'

/** How an event stands, in a word; `unarbitrated`: nobody can lose; `forgotten`: its flows have ended, and their entries say how. */
export type EventOutcome = 'open' | 'won' | 'none' | 'halted' | 'unarbitrated' | 'forgotten'

export type EventStandingView = {
  /** Until when proposals are collected; null: they are not. */
  readonly closes_at: string | null
  readonly outcome: EventOutcome
  readonly winners: readonly EventWinner[]
  readonly halted_by: string | null
}

export type MemberAccount = EventMember & {
  /** Null: it is not open yet, or never will be. */
  readonly flow: Pick<FlowRow, 'state' | 'tags' | 'steps' | 'rejections'> | null
  readonly answers: readonly EventAnswer[]
  /** Null: it has proposed nothing that others could lose to. */
  readonly place: AnswerPlace | null
}

export type EventAccount = EventStandingView & {
  readonly event_id: string
  readonly topic: string
  readonly at: string
  /** Its entry; null: it was not found. Then the members below it are empty. */
  readonly leaf: number | null
  readonly observations: readonly EventObservation[]
  readonly not_woken: readonly { readonly agent: string; readonly code: string }[]
  readonly admission: AdmissionCount | null
  readonly state_snapshot_id: string
  /** The reading of State that all its flows share; null: it is no longer kept. */
  readonly state: { readonly facts: readonly StateFact[]; readonly left_off: number } | null
  readonly law: ArbitrationLaw | null
  readonly members: readonly MemberAccount[]
  readonly left_off: number
}

const SHOWN_MEMBERS = 200
const SHOWN_FACTS = 100

/** Null: there is none of that name. */
export async function readEventAccount(
  store: Store,
  id: string,
  pause: () => Promise<unknown>,
): Promise<EventAccount | null> {
  const stored = await findEvent(store, id)
  if (stored === null) return null
  const { body: event } = stored
  const entry = await findEventEntry(store, id, event.at)
  const { observations = [], not_woken = [], admission = null } = entry?.payload ?? {}
  const shown = event.members.toSorted(compareMembersOf(event)).slice(0, SHOWN_MEMBERS)
  return {
    event_id: id,
    topic: event.topic,
    at: event.at,
    leaf: entry?.leaf ?? null,
    observations,
    not_woken,
    admission,
    state_snapshot_id: event.state_snapshot_id,
    state: await readState(store, event),
    law: event.law,
    ...toStandingView(stored.group, event),
    members: await readMembers(store, id, event, shown, pause),
    left_off: event.members.length - shown.length,
  }
}

export async function readEventStanding(store: Store, id: string): Promise<EventStandingView> {
  const stored = await findEvent(store, id)
  if (stored === null)
    return { closes_at: null, outcome: 'forgotten', winners: [], halted_by: null }
  return toStandingView(stored.group, stored.body)
}

function toStandingView(group: string, event: EventRecord): EventStandingView {
  const { closes_at, winners = [], halted_by = null } = event
  return { closes_at, outcome: toEventOutcome(group, event), winners, halted_by }
}

function toEventOutcome(
  group: string,
  { law, winners = [], halted_by }: EventRecord,
): EventOutcome {
  if (halted_by !== undefined) return 'halted'
  if (law === null) return 'unarbitrated'
  if (winners.length > 0) return 'won'
  return group === OPEN_EVENTS ? 'open' : 'none'
}

/** Who won or halted it, then by priority. */
function compareMembersOf({ winners = [], halted_by }: EventRecord) {
  const isDecisive = ({ dfid }: EventMember): boolean =>
    dfid === halted_by || winners.some((one) => one.dfid === dfid)
  const toRanked = ({ agent, ...member }: EventMember) => ({ ...member, agent_id: agent })
  return (a: EventMember, b: EventMember): number =>
    Number(isDecisive(b)) - Number(isDecisive(a)) || compareByPriority(toRanked(a), toRanked(b))
}

async function readState(store: Store, event: EventRecord): Promise<EventAccount['state']> {
  const kept = await loadSharedState(store, event)
  if (kept === null) return null
  const facts = kept.facts.slice(0, SHOWN_FACTS)
  return { facts, left_off: kept.facts.length - facts.length }
}

async function readMembers(
  store: Store,
  id: string,
  event: EventRecord,
  shown: readonly EventMember[],
  pause: () => Promise<unknown>,
): Promise<readonly MemberAccount[]> {
  const found: (Omit<MemberAccount, 'place'> & { readonly member: EventMember })[] = []
  for (const member of shown) {
    await pause()
    const { dfid } = member
    const row = await store.readFlow(dfid)
    const entries = row === null ? [] : await store.listFlowEntries(dfid, ANSWER_KINDS)
    const bid = event.law === null ? null : await store.readRecord('bid', id, dfid)
    const answers = listEventAnswers(event, entries, bid?.body ?? null)
    found.push({ ...member, member, flow: row === null ? null : pickFlow(row), answers })
  }
  const places = rankAnswers(event.law, found)
  return found.map(({ member: _, ...one }) => ({ ...one, place: places.get(one.dfid) ?? null }))
}

function pickFlow({ state, tags, steps, rejections }: FlowRow): MemberAccount['flow'] {
  return { state, tags, steps, rejections }
}

type EventEntry = { readonly leaf: number | null; readonly payload: EventPayload }

/** Entries that are read at once, and altogether, after the first that could be it. */
const PAGE = 64
const LOOKED_AT = 4_096

async function findEventEntry(store: Store, id: string, at: string): Promise<EventEntry | null> {
  const head = (await store.listHeads()).find(({ trajectory }) => trajectory === MAIN)
  if (head === undefined) return null
  const first = await findFirstSince(store, at, head.seq)
  for (let from = Math.max(0, first - PAGE); from < first + LOOKED_AT; from += PAGE) {
    const entries = await store.listEntries(MAIN, from, PAGE)
    for (const entry of entries) {
      const payload = readEventPayload(entry)
      if (payload?.event_id === id) return { leaf: entry.leaf, payload }
    }
    if (entries.length < PAGE) return null
  }
  return null
}

/** Time never goes back in a trajectory. */
async function findFirstSince(store: Store, at: string, last: number): Promise<number> {
  let [low, high] = [0, last]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [entry] = await store.listEntries(MAIN, middle, 1)
    if (entry === undefined || entry.envelope.at >= at) high = middle
    else low = middle + 1
  }
  return low
}

/** Null: the entry is no event. */
export function readEventPayload({ envelope, payload }: StoredEntry): EventPayload | null {
  if (envelope.kind !== 'event' || payload === null) return null
  return parseEventPayload(payload)
}

/** Our own store's, hashed and checked when it was written. */
function parseEventPayload(text: string): EventPayload {
  return JSON.parse(text) as EventPayload
}
