/** Reads what a decision depends on beyond its own rows: State from outside, World from the ledger. */

import {
  type CapabilityLaw,
  checkJson,
  type DeployedContract,
  findOwner,
  formatInstant,
  isEscalationPath,
  isIdentifier,
  isNameReadable,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  type PolicyProposal,
  parseInstant,
  resolveJitFields,
  resolvePointer,
  type SignedIntent,
  type StateFact,
  toDrawdownPath,
  type WorldFact,
} from 'rubicon-kernel'
import type { DeclaredSource, SourceReading } from '../../ports/fact-source.ts'
import type { FlowRow, Guard } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import type { ResourceRef } from '../rows/resource-ref.ts'
import { type ObservationBasis, type ObservedVersion, readObservedState } from './observed-state.ts'
import type { SharedState } from './shared-state.ts'

export type Outside = {
  readonly state: readonly StateFact[]
  readonly world: readonly WorldFact[]
  readonly absent: readonly ResourceRef[]
  /** Of the State that came from observations: what must still be the last word at dispatch. */
  readonly observed: readonly ObservedVersion[]
}

/** State could not be read: nothing can be decided on it. */
export class StateUnavailable extends Error {
  /** Which paths, whom they were asked of, and what is wrong with the answer where one came. */
  readonly details: JsonObject

  constructor(details: JsonObject, cause?: unknown) {
    super('state could not be read', { cause })
    this.name = 'StateUnavailable'
    this.details = details
  }
}

export async function readOutside(
  context: Context,
  flow: FlowRow,
  law: CapabilityLaw | undefined,
  deployed: DeployedContract | undefined,
  { params, grounds = {} }: Pick<PolicyProposal, 'params' | 'grounds'>,
  by: ObservationBasis,
  /** Before the first source is asked, if one is. */
  beforeAsking?: () => Promise<void>,
): Promise<Outside> {
  const asked = law === undefined ? NOTHING : listReads(law, params)
  const paths = [...asked.state, ...listGroundPaths(params, grounds, law, deployed)]
  const { facts: state, observed } = await readState(
    context,
    listStatePaths(paths, flow, deployed),
    by,
    { beforeAsking },
  )
  const world = await readWorld(context, flow.trajectory, asked.world)
  const absent = asked.world.filter(
    ({ kind, id }) => !world.some((found) => found.kind === kind && found.id === id),
  )
  return { state, world, absent, observed }
}

async function readWorld(
  { store }: Context,
  trajectory: string,
  asked: readonly ResourceRef[],
): Promise<readonly WorldFact[]> {
  return asked.length === 0 ? [] : store.readResources(trajectory, asked)
}

/** What the hands of a capability may look at of World, as it is now. */
export function readCapabilityWorld(
  context: Context,
  law: CapabilityLaw,
  { trajectory, params }: Pick<SignedIntent, 'trajectory' | 'params'>,
): Promise<readonly WorldFact[]> {
  return readWorld(context, trajectory, tryReads(law, params).world)
}

/** That it is still so when something is sent on it. */
export function buildWorldGuards(
  { trajectory }: Pick<SignedIntent, 'trajectory'>,
  world: readonly WorldFact[],
): readonly Guard[] {
  return world.map(({ kind, id, version }) => {
    return { kind: 'world_version', trajectory, resource: { kind, id }, version }
  })
}

const NOTHING: ReturnType<CapabilityLaw['reads']> = { state: [], world: [] }

/** What the capability reads, and what must not have moved since the agent was shown it. */
function listReads(law: CapabilityLaw, params: JsonObject): ReturnType<CapabilityLaw['reads']> {
  const { state, world } = tryReads(law, params)
  const watched = Object.values(resolveJitFields(law, params) ?? {}).map(({ path }) => path)
  return { state: [...state, ...watched], world }
}

/** Parameters are not validated yet, so `reads` may throw; then the arguments stage says why. */
function tryReads(law: CapabilityLaw, params: JsonObject): ReturnType<CapabilityLaw['reads']> {
  try {
    return law.reads(params)
  } catch {
    return NOTHING
  }
}

/** What the agent says its sinks came from, if it may know of it at all. */
function listGroundPaths(
  params: JsonObject,
  grounds: Readonly<Record<string, string>>,
  law: CapabilityLaw | undefined,
  deployed: DeployedContract | undefined,
): readonly string[] {
  const reads = deployed?.contract.permissions.reads ?? []
  const sinks = Object.keys(law?.description.sinks ?? {})
  const places = sinks.flatMap((sink) => resolvePointer(params, sink))
  const named = places.flatMap(({ pointer }) =>
    Object.hasOwn(grounds, pointer) ? [grounds[pointer] ?? ''] : [],
  )
  return named.filter((path) => isNameReadable(path, reads) && isIdentifier(path))
}

/** What the capability asks for, and what the contract's own limits are checked on. */
function listStatePaths(
  asked: readonly string[],
  flow: FlowRow,
  deployed: DeployedContract | undefined,
): readonly string[] {
  const paths = new Set(asked)
  for (const limit of deployed?.contract.permissions.limits ?? [])
    if (limit.kind === 'state_match') paths.add(limit.field)
  if (deployed?.contract.safety_rules.max_drawdown_limit_pct !== undefined)
    paths.add(toDrawdownPath(flow.agent_id))
  // What an agent is asked to decide is no fact to decide on.
  return [...paths].filter((path) => !isEscalationPath(path)).sort()
}

type StateReadOptions = {
  readonly shared?: SharedState | undefined
  readonly beforeAsking?: (() => Promise<void>) | undefined
}

export type StateRead = Pick<Outside, 'observed'> & { readonly facts: readonly StateFact[] }

/**
 * What stands of each path. A source that can be asked is, for the paths that it owns; where it knows
 * nothing, what was observed counts, and an operator's word comes before both.
 */
export async function readState(
  context: Context,
  paths: readonly string[],
  by: ObservationBasis,
  { shared, beforeAsking }: StateReadOptions = {},
): Promise<StateRead> {
  if (paths.length === 0) return { facts: [], observed: [] }
  const known = shared?.paths ?? []
  const unknown = paths.filter((path) => !known.includes(path))
  const { facts: now, versions } = await readObservedState(context.store, unknown, by)
  const observed = [...listShared(shared, paths, by.now), ...now]
  const overruled = observed.filter(({ until }) => until !== undefined)
  const open = paths.filter((path) => !overruled.some((fact) => fact.path === path))
  const asked = await askSources(context, open, by, beforeAsking)
  const others = observed.filter(({ path }) => !asked.some((fact) => fact.path === path))
  return { facts: [...asked, ...others], observed: versions }
}

/** What an operator said stands no longer than they said. */
function listShared(
  shared: SharedState | undefined,
  paths: readonly string[],
  now: string,
): readonly StateFact[] {
  return (shared?.facts ?? []).filter(
    ({ path, until }) => paths.includes(path) && (until === undefined || now < until),
  )
}

async function askSources(
  { clock, sources = [] }: Context,
  paths: readonly string[],
  by: ObservationBasis,
  beforeAsking?: () => Promise<void>,
): Promise<readonly StateFact[]> {
  const facts: StateFact[] = []
  let isAsked = false
  for (const declared of sources) {
    if (declared.read === undefined) continue
    const { source_id, label } = declared
    // What is no name was asked for by a capability, or by an agent; a source must not have to doubt it.
    const owned = paths.filter(isIdentifier).filter((path) => {
      const owner = findOwner(by.sources, path)
      if (owner.kind !== 'source') return false
      // Somebody may have registered it otherwise since this process did.
      return owner.source.source_id === source_id && owner.source.label === label
    })
    if (owned.length === 0) continue
    if (!isAsked) await beforeAsking?.()
    isAsked = true
    facts.push(...(await askSource(declared, owned, clock)))
  }
  return facts
}

/**
 * What of an answer is no list of readings, by pointer; null: nothing. Whoever is asked may say no more
 * than whoever posts: one value of a path, at a time that is one and does not lie ahead.
 */
function findReadingsProblem(answer: JsonValue, nowMs: number): string | null {
  if (!Array.isArray(answer)) return 'is not a list'
  const paths = new Set<JsonValue>()
  for (const [index, reading] of answer.entries()) {
    if (!isObject(reading)) return `/${index} is not an object`
    for (const name of ['path', 'value', 'observed_at', 'version']) {
      const given = reading[name]
      if (given === undefined) return `/${index}/${name} is missing`
      if (name !== 'value' && typeof given !== 'string') return `/${index}/${name} is not a text`
    }
    const observedMs = parseInstant(String(reading.observed_at))
    if (observedMs === undefined) return `/${index}/observed_at is not an instant`
    if (observedMs > nowMs + LIMITS.clockSkewMs) return `/${index}/observed_at lies ahead`
    if (paths.has(reading.path ?? null)) return `/${index}/path was answered before`
    paths.add(reading.path ?? null)
  }
  return null
}

/** Only what was asked for comes in, and only if it is JSON: a source is outside, too. */
async function askSource(
  { source_id: source, label, read }: DeclaredSource,
  paths: readonly string[],
  clock: Context['clock'],
): Promise<readonly StateFact[]> {
  const asked = { paths: [...paths], source }
  let readings: readonly SourceReading[] | undefined
  try {
    readings = await read?.(paths)
  } catch (cause) {
    throw new StateUnavailable(asked, cause)
  }
  const checked = checkJson(readings ?? [])
  // By the time that it is when the answer comes: a source may take its time.
  const problem = checked.ok ? findReadingsProblem(checked.value, clock.now()) : 'is not JSON'
  if (problem !== null) throw new StateUnavailable({ ...asked, answer: problem })
  // Whose word it is, the registry says, and not whoever answers.
  return (readings ?? [])
    .filter(({ path }) => paths.includes(path))
    .map(({ path, value, observed_at, version }) => ({
      path,
      value,
      source,
      label,
      // With the one spelling that instants have in facts.
      observed_at: formatInstant(parseInstant(observed_at) ?? 0),
      version,
    }))
}
