/**
 * Events as triggers: whom observations wake. Those that are taken in together make one event for each topic among the
 * paths that wake somebody. It is on the record in the unit that takes them in, with the flow that each agent will have, and a
 * wake-up, which is a timer that is due at once: no event is lost between the two, and none opens two flows.
 *
 * W1 whom it wakes is counted first (`admit-listeners.ts`); who would have been woken is on the record too.
 * W2 an event has one reading of State, and its name is that of its content.
 * W3 an agent that is to be woken about the same topic already, and has not been yet, is woken once, by the newer event.
 */
import {
  type Arbitration,
  type ArbitrationLaw,
  type Authority,
  type Contract,
  computeAddress,
  computeEventId,
  type EventBody,
  findTopicRow,
  formatInstant,
  getArbitration,
  LIMITS,
  MAIN,
  parseInstant,
  type StateFact,
  shorten,
  type TopicRow,
  toCanonicalText,
} from 'rubicon-kernel'
import type { EventRecord } from '../../ports/event-record.ts'
import type { Guard, Unit, Write } from '../../ports/store.ts'
import {
  buildSharedStateWrite,
  computeSharedStateId,
  readSharedState,
} from '../context/shared-state.ts'
import type { Context } from '../engine-context.ts'
import { mintId, mintSalt } from '../rows/identity.ts'
import { admitListeners } from './admit-listeners.ts'
import { buildLetterWrites } from './bus-outbox.ts'
import {
  buildEndedMembersUnit,
  buildEventDue,
  CLOSED_EVENTS,
  type EndedMember,
  OPEN_EVENTS,
  toWakeName,
} from './event-rows.ts'
import {
  isMeasuredFromWake,
  type Listener,
  listListeners,
  listListeningAgents,
  loadLastWakes,
  type StateChange,
} from './listeners.ts'
import {
  buildMovedTimerUnit,
  buildTimerUnit,
  type FlowTimer,
  findPendingTimer,
} from './timer-units.ts'

/**
 * Guards and writes for the unit in which the changes are taken in. It must guard that what is stored of their paths
 * is still what was before them, and which authority it saw.
 */
export async function wakeAgents(context: Context, changes: readonly StateChange[]): Promise<Unit> {
  const { store } = context
  const authority = await context.authorities.loadLatest()
  const agents = listListeningAgents(authority, changes)
  if (agents.length === 0) return { guards: [], writes: [] }
  const { now } = await store.readNow(MAIN)
  const lastWakes = await loadLastWakes(store, authority, agents, changes)
  const guards: Guard[] = []
  const writes: Write[] = []
  for (const { row, changes: heard } of collectByTopic(authority, changes)) {
    const candidates = listListeners(authority, agents, { changes: heard, lastWakes, now })
    if (candidates.length === 0) continue
    const unit = await buildEventUnit(context, { authority, row, heard, candidates, now })
    guards.push(...unit.guards)
    writes.push(...unit.writes)
  }
  return { guards, writes }
}

type Event = {
  readonly authority: Authority
  readonly row: TopicRow
  readonly heard: readonly StateChange[]
  readonly candidates: readonly Listener[]
  readonly now: string
}

async function buildEventUnit(context: Context, event: Event): Promise<Unit> {
  const { authority, row, heard, candidates, now } = event
  const { topic } = row
  const waking = heard.filter(({ path }) => candidates.some(({ paths }) => paths.includes(path)))
  const { admitted, refused, count, room } = await admitListeners(context, row, {
    candidates,
    waking,
    now,
  })
  const woken = admitted.map((one) => ({ ...one, dfid: mintId(context) }))
  const { sources } = authority
  const readers = woken.map(({ contract, paths }) => toStateReader(contract, paths))
  const state = await readSharedState(context, readers, { sources, now }, waking.map(toStateFact))
  const state_snapshot_id = computeSharedStateId(context, state)
  const body: EventBody = {
    topic,
    observations: waking.map(({ path, version, after: { source, label, value } }) => {
      const value_hash = computeAddress('value', value, context.sha256)
      return { path, version, source, label, value_hash }
    }),
    state_snapshot_id,
    woken: woken.map(({ contract, dfid }) => ({ agent: contract.agent_id, dfid })),
    not_woken: refused.map(({ agent_id: agent }) => ({ agent, code: NOT_ADMITTED })),
    admission: count,
  }
  const event_id = computeEventId(body, context.sha256)
  const payload = toCanonicalText({ ...body, salt: mintSalt(context), event_id })
  const arbitration = getArbitration(row)
  const record: EventRecord = {
    topic,
    at: now,
    closes_at: arbitration === null ? null : addMs(now, arbitration.window_ms),
    law: arbitration === null ? null : toArbitrationLaw(arbitration),
    state_snapshot_id,
    members: woken.map(({ contract: { agent_id, priority, role }, dfid }) => {
      return { agent: agent_id, dfid, priority, role }
    }),
  }
  const group = arbitration === null ? CLOSED_EVENTS : OPEN_EVENTS
  const trigger = formatTrigger(waking)
  const timers = woken.map(({ contract: { agent_id }, paths, dfid }): FlowTimer => {
    const name = toWakeName(agent_id, topic)
    const shown = { state: paths, steps: 'one', every_ms: null } as const
    return { name, at: now, agent_id, trigger, ...shown, event: { event_id, topic, dfid } }
  })
  const waiting = await buildWakeUps(context, timers)
  const letters = body.woken.map((one) => ({ ...one, snapshot_id: state_snapshot_id }))
  return {
    guards: [...room.guards, ...waiting.guards],
    writes: [
      { kind: 'append', trajectory: MAIN, entry: 'event', payload },
      buildSharedStateWrite(state_snapshot_id, state),
      { kind: 'put_record', record: 'event', group, key: event_id, body: record },
      buildEventDue(now, event_id),
      ...room.writes,
      ...waiting.writes,
      ...buildLetterWrites(context, topic, { at: now, event_id }, letters),
      ...buildLastWakes(woken, waking),
    ],
  }
}

/** Nobody is refused anything: the agent is told nothing, and people see why. */
const NOT_ADMITTED = 'WAKE_NOT_ADMITTED'

/** What a change is measured from the next time, where a contract asks for that. */
function buildLastWakes(
  woken: readonly Listener[],
  waking: readonly StateChange[],
): readonly Write[] {
  return woken.flatMap(({ contract, paths }) =>
    waking
      .filter(({ path }) => paths.includes(path) && isMeasuredFromWake(contract, path))
      .map(({ path, after: { value } }): Write => {
        const row = { record: 'last_wake', group: contract.agent_id, key: path } as const
        return { kind: 'put_record', ...row, body: { value } }
      }),
  )
}

/** A wake-up takes the place of one that is still pending, whose event hears so. */
async function buildWakeUps(context: Context, timers: readonly FlowTimer[]): Promise<Unit> {
  const units: Unit[] = []
  const superseded: EndedMember[] = []
  for (const timer of timers) {
    const pending = await findPendingTimer(context, timer.name)
    if (pending === null) units.push(buildTimerUnit(timer))
    else {
      units.push(buildMovedTimerUnit(pending, timer))
      const { event } = pending.body
      if (event !== undefined) superseded.push({ ...event, ended: 'superseded' })
    }
  }
  units.push(await buildEndedMembersUnit(context.store, superseded))
  return {
    guards: units.flatMap(({ guards }) => guards),
    writes: units.flatMap(({ writes }) => writes),
  }
}

type Grouped = { readonly row: TopicRow; readonly changes: StateChange[] }

/** By the topics of the rules in force. */
function collectByTopic(authority: Authority, changes: readonly StateChange[]): readonly Grouped[] {
  const rows = authority.rules?.rules.topics ?? []
  const grouped = new Map<string, Grouped>()
  for (const change of changes) {
    const row = findTopicRow(rows, change.path)
    const known = grouped.get(row.topic)
    if (known === undefined) grouped.set(row.topic, { row, changes: [change] })
    else known.changes.push(change)
  }
  return [...grouped.values()]
}

function toStateReader(
  { permissions: { reads }, working_context }: Contract,
  paths: readonly string[],
): { readonly patterns: readonly string[]; readonly reads: readonly string[] } {
  return { patterns: [...paths, ...(working_context?.requires ?? [])], reads }
}

function toStateFact({ path, version, after }: StateChange): StateFact {
  const { value, source, label, observed_at, until } = after
  const end = until === undefined ? {} : { until }
  return { path, value, source, label, observed_at, version: String(version), ...end }
}

/** The same words for every agent that the event wakes. */
function formatTrigger(waking: readonly StateChange[]): string {
  const [first, ...others] = waking
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return shorten(
    `${first?.path ?? ''}${more} observed at ${first?.after.observed_at ?? ''}`,
    LIMITS.triggerLength,
  )
}

function toArbitrationLaw({ exclusive, preempting_kinds }: Arbitration): ArbitrationLaw {
  return { exclusive, preempting_kinds }
}

function addMs(instant: string, ms: number): string {
  return formatInstant((parseInstant(instant) ?? 0) + ms)
}
