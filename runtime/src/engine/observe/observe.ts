/**
 * Observations: what somebody says about the outside. What its owner said last of a path is State,
 * wherever no source is asked directly (`../context/read-outside.ts`), and an operator's word in front of it.
 *
 * O1 a list is taken whole or not at all.
 * O2 of two observations of a path the later one stands, in whatever order they arrive
 *    (`observation-time.ts`).
 * O3 a path is spoken of by its owner and by operators (`speaker.ts`), under the owner's label.
 * O4 what looks like an order is on the record in the same unit.
 * O5 and so is the wake-up of every agent that listens (`../flow/wake.ts`).
 * O6 nobody speaks of more paths than was registered.
 */
import {
  type Authority,
  err,
  type FactLabel,
  type Failure,
  formatInstant,
  type JsonValue,
  LIMITS,
  MAIN,
  ok,
  parseInstant,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { Guard, Write } from '../../ports/store.ts'
import { sanitiseValue } from '../context/clean.ts'
import { STATE_GROUP } from '../context/observed-state.ts'
import { buildSecurityEvents } from '../context/security-event.ts'
import { findStandingFact, type StandingFact, type Words } from '../context/standing-fact.ts'
import type { Context } from '../engine-context.ts'
import type { StateChange } from '../flow/listeners.ts'
import { wakeAgents } from '../flow/wake.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { checkObservationTime } from './observation-time.ts'
import {
  buildObservationFailure,
  type Parsed,
  parseObservationJson,
  parseObservations,
} from './parse-observation.ts'
import { resolveVoice, type Speaker, type SpokenPaths, type Voice } from './speaker.ts'

/** Something that is so outside, as a source or an operator reports it. */
export type Observation = {
  /** An identifier, such as `market.price.ETH-USD`. */
  readonly path: string
  /** What is so there: any JSON. */
  readonly value: JsonValue
  /** In process: the declared source in whose name it is said; another is refused. Without one it is an operator's word. */
  readonly source?: string
  /** Now, when it is left out. */
  readonly observed_at?: string
  /** Of an operator's word: when it ends; an hour from now when it is left out. */
  readonly until?: string
  /** Of a source with a key: over everything else here. */
  readonly signature?: string
}

/** What was stored, and what stood before. */
export type Observed = {
  /** Where it stands in State. */
  readonly path: string
  /** How often the path was reported by now. */
  readonly version: number
  /** What is so there, as it was cleaned. */
  readonly value: JsonValue
  /** What was there before; absent: nothing. */
  readonly before?: JsonValue
  /** Whose word it is. */
  readonly label: FactLabel
  /** What in it looks like an order to a model. */
  readonly flags: readonly string[]
  /** When it ends, if it is the word of an operator. */
  readonly until?: string
}

/** `onEvent` hears that somebody is woken. */
export async function observe(
  context: Context,
  input: Observation | readonly Observation[],
  speaker: Speaker,
  onEvent: () => void = () => {},
): Promise<Result<readonly Observed[], Failure>> {
  const parsed = parseObservations(input)
  if (!parsed.ok) return parsed
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const authority = await context.authorities.loadLatest()
    const taken = await takeAll(context, authority, parsed.value, speaker)
    if (!taken.ok) return taken
    const { guards, writes, observed } = taken.value
    const outcome = await context.store.commit({
      guards: [{ kind: 'authority_seq', seq: authority.seq }, ...guards],
      writes,
    })
    if (!outcome.ok) continue
    if (taken.value.isEvent) onEvent()
    return ok(observed)
  }
  return err(buildContentionFailure('the paths'))
}

type Taken = {
  readonly guards: Guard[]
  readonly writes: Write[]
  readonly observed: Observed[]
  /** What stands otherwise than before. */
  readonly changes: StateChange[]
  /** Somebody is woken. */
  isEvent: boolean
}

async function takeAll(
  context: Context,
  authority: Authority,
  list: readonly Parsed[],
  speaker: Speaker,
): Promise<Result<Taken, Failure>> {
  const { now } = await context.store.readNow(MAIN)
  const taken: Taken = { guards: [], writes: [], observed: [], changes: [], isEvent: false }
  const fresh: SpokenPaths[] = []
  for (const one of list) {
    const voice = await resolveVoice(context, authority, one, speaker)
    if (!voice.ok) return voice
    const said = buildStandingFact(one, voice.value, now)
    if (!said.ok) return said
    const known = await context.store.readRecord('observation', STATE_GROUP, one.path)
    const problem = checkObservationTime(one.path, said.value, known?.body ?? NOTHING_SAID, now)
    if (problem !== null) return err(problem)
    const { most } = voice.value
    if (most !== null && known?.body.said?.source !== voice.value.source) fresh.push(most)
    takeOne(context, taken, { one, voice: voice.value, said: said.value, known, now })
  }
  const woken = await wakeAgents(context, taken.changes)
  taken.guards.push(...woken.guards)
  taken.writes.push(...woken.writes)
  taken.isEvent = woken.writes.length > 0
  const counted = await countPaths(context, fresh)
  if (!counted.ok) return counted
  taken.guards.push(...counted.value.guards)
  taken.writes.push(...counted.value.writes)
  return ok(taken)
}

type Known = StoredRecord<'observation'> | null

type Taking = {
  readonly one: Parsed
  readonly voice: Voice
  readonly said: StandingFact
  readonly known: Known
  readonly now: string
}

function takeOne(
  context: Context,
  { guards, writes, observed, changes }: Taken,
  { one: { path, original }, voice, said, known, now }: Taking,
): void {
  const row = { record: 'observation', group: STATE_GROUP, key: path } as const
  const body = applyWord(known?.body ?? NOTHING_SAID, said)
  guards.push({ kind: 'record_version', ...row, version: known?.version ?? null })
  writes.push({ kind: 'put_record', ...row, body })
  const { label, flags } = said
  writes.push(
    ...buildSecurityEvents(context, { path, label, original, flags, where: 'observation' }),
  )
  const before = known === null ? null : findStandingFact(known.body, voice.owner, now)
  const after = findStandingFact(body, voice.owner, now)
  const version = (known?.version ?? 0) + 1
  if (after !== null) changes.push({ path, version, before, after })
  observed.push({
    path,
    version,
    value: said.value,
    ...(before === null ? {} : { before: before.value }),
    label,
    flags,
    ...(said.until === undefined ? {} : { until: said.until }),
  })
}

const NOTHING_SAID: Words = { said: null, operator: null }

/** The owner's word and the operator's stand beside each other. */
function applyWord({ said: before, operator }: Words, { until, ...said }: StandingFact): Words {
  if (until === undefined) return { said, operator }
  const overruled = before === null ? null : { ...before, overruled: true as const }
  return { said: overruled, operator: { ...said, until } }
}

function buildStandingFact(
  one: Parsed,
  { source, label, most }: Voice,
  now: string,
): Result<StandingFact, Failure> {
  const cleaned = sanitiseValue(one.original, label)
  // Without what nobody can see, a name may have become one that is not allowed.
  const value = parseObservationJson(cleaned.value)
  if (!value.ok) return value
  const observed_at = one.observedMs === undefined ? now : formatInstant(one.observedMs)
  const signed = one.signed === undefined ? {} : { signed: one.signed }
  const said = { value: value.value, source, label, observed_at, flags: cleaned.flags, ...signed }
  if (most !== null) return ok(said)
  const until = computeWordEnd(one, now)
  return until.ok ? ok({ ...said, until: until.value }) : until
}

/** What an operator says must not stand for ever: nobody would look at it again. */
function computeWordEnd({ path, untilMs }: Parsed, now: string): Result<string, Failure> {
  const nowMs = parseInstant(now) ?? 0
  if (untilMs === undefined) return ok(formatInstant(nowMs + LIMITS.operatorWordMs))
  if (untilMs > nowMs && untilMs <= nowMs + LIMITS.operatorWordMaxMs)
    return ok(formatInstant(untilMs))
  const days = LIMITS.operatorWordMaxMs / 86_400_000
  return err(
    buildObservationFailure(
      `the observation of \`${path}\` ends later than now, within ${days} days`,
    ),
  )
}

/** Of one speaker: how many paths are new, on top of those that it speaks of already. */
async function countPaths(
  { store }: Context,
  fresh: readonly SpokenPaths[],
): Promise<Result<Pick<Taken, 'guards' | 'writes'>, Failure>> {
  const counted: Pick<Taken, 'guards' | 'writes'> = { guards: [], writes: [] }
  for (const most of new Map(fresh.map((one) => [toCanonicalText(one), one])).values()) {
    const { group, key, paths } = most
    const known = await store.readRecord('spoken_paths', group, key)
    const added = fresh.filter((one) => one.group === group && one.key === key).length
    const count = (known?.body.count ?? 0) + added
    if (count > paths) return err(buildPathsFullFailure(most))
    const row = { record: 'spoken_paths', group, key } as const
    counted.guards.push({ kind: 'record_version', ...row, version: known?.version ?? null })
    counted.writes.push({ kind: 'put_record', ...row, body: { count } })
  }
  return ok(counted)
}

function buildPathsFullFailure({ key, paths }: SpokenPaths): Failure {
  return {
    code: 'PATHS_FULL',
    summary: `\`${key}\` has reported ${paths} paths, which is the limit`,
    why: 'an unlimited number of paths would fill the store',
    fix: 'report fewer, or register the source with more `max_paths`',
  }
}
