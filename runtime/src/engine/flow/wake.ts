/**
 * Events as triggers: whom observations wake. Those that are taken in together make one event for each topic among the
 * paths that wake somebody. It is on the record in the unit that takes them in, with the flow that each agent will have, and a
 * wake-up, which is a timer that is due at once: no event is lost between the two, and none opens two flows.
 *
 * W1 an agent hears what its contract in force subscribes to and accepts, and nothing while it is stopped.
 * W2 an event has one reading of State, and its name is that of its content.
 * W3 an agent that is to be woken about the same topic already, and has not been yet, is woken once, by the newer event.
 */
import {
  type AdmissionCount,
  type Authority,
  type Contract,
  computeAddress,
  computeEventId,
  type EventBody,
  findAgentStatus,
  findCurrentContract,
  findTopicRow,
  formatInstant,
  getArbitration,
  isAccepted,
  isPrefixMatch,
  isWakingChange,
  LIMITS,
  listSubscriptions,
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
  addressSharedState,
  buildSharedStateWrite,
  readSharedState,
} from '../context/shared-state.ts'
import type { StandingFact } from '../context/standing-fact.ts'
import type { Context } from '../engine-context.ts'
import { mintId } from '../rows/identity.ts'
import {
  buildEndedMembersUnit,
  CLOSED_EVENTS,
  type EndedMember,
  OPEN_EVENTS,
} from './event-rows.ts'
import { buildMovedTimerUnit, buildTimerUnit, type FlowTimer, findPendingTimer } from './timers.ts'

/** What stands of a path. */
type Standing = Pick<StandingFact, 'value' | 'label' | 'observed_at' | 'source' | 'until'>

/** What takes the place of what stood of a path, which is null when nothing did. */
export type StateChange = {
  readonly path: string
  /** Of the observation that is taken in. */
  readonly version: number
  readonly before: Standing | null
  readonly after: Standing
}

/**
 * Guards and writes for the unit in which the changes are taken in. It must guard that what is stored of their paths
 * is still what was before them, and which authority it saw.
 */
export async function wakeAgents(context: Context, changes: readonly StateChange[]): Promise<Unit> {
  const authority = await context.authorities.loadLatest()
  const listening = listListeners(authority, changes)
  if (listening.length === 0) return { guards: [], writes: [] }
  const { now } = await context.store.readNow(MAIN)
  const guards: Guard[] = []
  const writes: Write[] = []
  for (const { row, changes: heard } of groupByTopic(authority, changes)) {
    const candidates = listCandidates(authority, listening, heard, now)
    if (candidates.length === 0) continue
    const unit = await buildEventUnit(context, { authority, row, heard, candidates, now })
    guards.push(...unit.guards)
    writes.push(...unit.writes)
  }
  return { guards, writes }
}

/** An agent whose condition held, for these paths. */
type Candidate = { readonly contract: Contract; readonly paths: readonly string[] }

type Event = {
  readonly authority: Authority
  readonly row: TopicRow
  readonly heard: readonly StateChange[]
  readonly candidates: readonly Candidate[]
  readonly now: string
}

async function buildEventUnit(context: Context, event: Event): Promise<Unit> {
  const { authority, row, heard, candidates, now } = event
  const { topic } = row
  const admission: AdmissionCount = { candidates: candidates.length }
  const woken = candidates.map((one) => ({ ...one, dfid: mintId(context) }))
  const { sources } = authority
  const readers = woken.map(({ contract, paths }) => toStateReader(contract, paths))
  const waking = heard.filter(({ path }) => candidates.some(({ paths }) => paths.includes(path)))
  const state = await readSharedState(context, readers, { sources, now }, waking.map(toStateFact))
  const state_snapshot_id = addressSharedState(context, state)
  const body: EventBody = {
    topic,
    observations: waking.map(({ path, version, after: { source, label, value } }) => {
      const value_hash = computeAddress('value', value, context.sha256)
      return { path, version, source, label, value_hash }
    }),
    state_snapshot_id,
    woken: woken.map(({ contract, dfid }) => ({ agent: contract.agent_id, dfid })),
    not_woken: [],
    admission,
  }
  const event_id = computeEventId(body, context.sha256)
  const payload = toCanonicalText({ ...body, event_id })
  const arbitration = getArbitration(row)
  const record: EventRecord = {
    topic,
    at: now,
    closes_at: arbitration === null ? null : addMs(now, arbitration.window_ms),
    state_snapshot_id,
    members: woken.map(({ contract: { agent_id, priority, role }, dfid }) => {
      return { agent: agent_id, dfid, priority, role }
    }),
  }
  const group = arbitration === null ? CLOSED_EVENTS : OPEN_EVENTS
  const trigger = formatTrigger(waking)
  const timers = woken.map(({ contract: { agent_id }, paths, dfid }): FlowTimer => {
    // There is no space in the names of other timers.
    const name = `wake ${agent_id} ${topic}`
    const shown = { state: paths, steps: 'one', every_ms: null } as const
    return { name, at: now, agent_id, trigger, ...shown, event: { event_id, topic, dfid } }
  })
  const waiting = await buildWakeUps(context, timers)
  return {
    guards: waiting.guards,
    writes: [
      { kind: 'append', trajectory: MAIN, entry: 'event', payload },
      buildSharedStateWrite(state_snapshot_id, state),
      { kind: 'put_record', record: 'event', group, key: event_id, body: record },
      ...waiting.writes,
    ],
  }
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
function groupByTopic(authority: Authority, changes: readonly StateChange[]): readonly Grouped[] {
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

/** Which version of a contract holds is asked only where one would wake, since most observations wake nobody. */
function listListeners(authority: Authority, changes: readonly StateChange[]): readonly string[] {
  return [...authority.statuses.keys()].flatMap((agent) => {
    const status = findAgentStatus(authority, agent)
    if (status === 'SUSPENDED' || status === 'RETIRED') return []
    const versions = authority.contracts.get(agent) ?? []
    const hears = versions.some(
      ({ contract, revoked }) => !revoked && changes.some((change) => isWoken(contract, change)),
    )
    return hears ? [agent] : []
  })
}

function listCandidates(
  authority: Authority,
  listening: readonly string[],
  heard: readonly StateChange[],
  now: string,
): readonly Candidate[] {
  return listening.flatMap((agent) => {
    const contract = findCurrentContract(authority, agent, now)?.contract
    if (contract === undefined) return []
    const paths = heard.filter((change) => isWoken(contract, change)).map(({ path }) => path)
    return paths.length === 0 ? [] : [{ contract, paths }]
  })
}

/** What its contract does not accept is absent for an agent, and does not wake it. */
function isWoken(contract: Contract, { path, before, after }: StateChange): boolean {
  const heard = listSubscriptions(contract).filter(({ topic }) => isPrefixMatch(topic, path))
  if (heard.length === 0) return false
  const { accepts } = contract.permissions
  const isRead = ({ label }: Standing): boolean => isAccepted({ path, label }, [accepts])
  const known = before !== null && isRead(before) ? before.value : undefined
  return isRead(after) && heard.some((one) => isWakingChange(one, known, after.value))
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

function addMs(instant: string, ms: number): string {
  return formatInstant((parseInstant(instant) ?? 0) + ms)
}
