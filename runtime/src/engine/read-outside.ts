/** Reads what a decision depends on beyond its own rows: State from outside, World from the ledger. */
import {
  type CapabilityLaw,
  checkJson,
  type DeployedContract,
  drawdownPath,
  type JsonObject,
  type StateFact,
  type WorldFact,
} from 'rubicon-kernel'
import type { FlowRow } from '../ports/store.ts'
import type { Context } from './context.ts'

export type ResourceRef = { readonly kind: string; readonly id: string }

export type Outside = {
  readonly state: readonly StateFact[]
  readonly world: readonly WorldFact[]
  readonly absent: readonly ResourceRef[]
}

/** State could not be read: nothing can be decided on it. */
export class StateUnavailable extends Error {
  readonly paths: readonly string[]

  constructor(paths: readonly string[], cause: unknown) {
    super('state could not be read', { cause })
    this.name = 'StateUnavailable'
    this.paths = paths
  }
}

export async function readOutside(
  context: Context,
  flow: FlowRow,
  law: CapabilityLaw | undefined,
  deployed: DeployedContract | undefined,
  params: JsonObject,
): Promise<Outside> {
  const asked = law === undefined ? NOTHING : askedFor(law, params)
  const state = await readState(context, statePaths(asked.state, flow, deployed))
  const world =
    asked.world.length === 0 ? [] : await context.store.resources(flow.trajectory, asked.world)
  const absent = asked.world.filter(
    ({ kind, id }) => !world.some((found) => found.kind === kind && found.id === id),
  )
  return { state, world, absent }
}

const NOTHING: ReturnType<CapabilityLaw['reads']> = { state: [], world: [] }

/** Parameters are not validated yet, so `reads` may throw; then the arguments stage says why. */
function askedFor(law: CapabilityLaw, params: JsonObject): ReturnType<CapabilityLaw['reads']> {
  try {
    return law.reads(params)
  } catch {
    return NOTHING
  }
}

/** What the capability asks for, and what the contract's own limits are checked on. */
function statePaths(
  asked: readonly string[],
  flow: FlowRow,
  deployed: DeployedContract | undefined,
): readonly string[] {
  const paths = new Set(asked)
  for (const limit of deployed?.contract.permissions.limits ?? [])
    if (limit.kind === 'state_match') paths.add(limit.field)
  if (deployed?.contract.safety_rules.max_drawdown_limit_pct !== undefined)
    paths.add(drawdownPath(flow.agent_id))
  return [...paths].sort()
}

/** Only what was asked for comes in, and only if it is JSON: a source is outside, too. */
async function readState(
  context: Context,
  paths: readonly string[],
): Promise<readonly StateFact[]> {
  if (paths.length === 0) return []
  let facts: readonly StateFact[]
  try {
    facts = await context.state.read(paths)
  } catch (cause) {
    throw new StateUnavailable(paths, cause)
  }
  const checked = checkJson(facts)
  if (!checked.ok) throw new StateUnavailable(paths, checked.error)
  return facts.filter(({ path }) => paths.includes(path))
}
