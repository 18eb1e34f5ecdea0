/**
 * The context compiler: from what the stores hold to what one agent is shown, the same for the same
 * input, in whatever order it came.
 *
 * Need-to-know first, then how far back and how many, then tokens. Nothing is shortened: an item is
 * shown whole or not at all, and `trimmed` says so.
 */

import { assert } from '../assert.ts'
import type { Address } from '../canonical/address.ts'
import { encodeUtf8 } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { parseInstant } from '../canonical/time.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Addressed } from '../compile/input.ts'
import type { Contract } from '../contract/contract.ts'
import { formatMission } from '../contract/mission.ts'
import type { StateFact } from '../fact/state-fact.ts'
import { LIMITS } from '../limits.ts'
import { err, type Failure, ok, type Result } from '../result.ts'
import type { WorldFact } from '../world/world-fact.ts'
import { applyDeclaredLimits, findMissingState, hasLayer } from './declared.ts'
import type {
  ArtifactRef,
  ContextBudget,
  LayerRecord,
  MemoryRef,
  SessionEvent,
  StoredMemory,
  Trimmed,
} from './layers.ts'
import { toMemoryEntry, toMemoryRef } from './remembered.ts'
import { isSchemaAccepted } from './schema.ts'
import { selectBest, selectReadableState, selectReadableWorld, selectRecent } from './select.ts'
import { CONTEXT_SCHEMA, type Snapshot, sealSnapshot } from './snapshot.ts'
import { assertNatural, type Layers, trimToBudget } from './trim.ts'
import { buildWorkingContext, type WorkingContext } from './working-context.ts'

export type ContextLimits = {
  readonly tokens: number
  readonly sessionEvents: number
  readonly memoryEntries: number
  readonly artifactChunks: number
  /** How far back the session reaches. */
  readonly windowMs: number
}

export type ContextInput = {
  readonly dfid: string
  readonly trigger: string
  /** Authority time. It ends the window and becomes `compiled_at`; the snapshot does not hold it. */
  readonly now: string
  /** The contract that the flow is pinned to, and its two hashes. */
  readonly contract: Contract
  readonly contract_hash: Address
  readonly mission_context_hash: Address
  /** Where the rules ask for proofs. */
  readonly evidence?: NonNullable<WorkingContext['evidence']>
  readonly state: readonly StateFact[]
  /** The paths of what this flow was opened to decide. */
  readonly asked?: readonly string[]
  readonly world: readonly WorldFact[]
  readonly session: readonly LayerRecord<SessionEvent>[]
  readonly memory: readonly LayerRecord<StoredMemory>[]
  readonly artifacts: readonly ArtifactRef[]
  /** Those that differ from `LIMITS`. */
  readonly limits?: Partial<ContextLimits>
  /** One tokenizer for everything; the items of the layers were counted when they were stored. */
  readonly countTokens: (text: string) => number
  readonly sha256: Sha256
}

export type AssembledContext = {
  readonly snapshot: Addressed<Snapshot>
  readonly working: WorkingContext
}

const USUAL: ContextLimits = {
  tokens: LIMITS.contextTokens,
  sessionEvents: LIMITS.contextSessionEvents,
  memoryEntries: LIMITS.contextMemoryEntries,
  artifactChunks: LIMITS.contextArtifactChunks,
  windowMs: LIMITS.contextWindowMs,
}

export function assembleContext(input: ContextInput): Result<AssembledContext, Failure> {
  const { contract } = input
  const { context_schema: wanted, permissions } = contract
  if (!isSchemaAccepted(wanted, CONTEXT_SCHEMA)) return err(buildUnsupportedFailure(String(wanted)))

  const limits = applyDeclaredLimits({ ...USUAL, ...input.limits }, contract.working_context)
  const offered = selectOfferedFacts(input)
  const state = selectReadableState(offered.state, permissions.reads, input.asked)
  const world = selectReadableWorld(offered.world, permissions.reads)
  const missing = findMissingState(contract.working_context, state.kept)
  if (missing.length > 0) return err(buildIncompleteFailure(missing))
  const selected: Layers = {
    session: selectRecent(
      input.session,
      limits.sessionEvents,
      computeWindowStart(input.now, limits.windowMs),
    ),
    memory: selectRecent(input.memory, limits.memoryEntries),
    artifacts: selectBest(input.artifacts, limits.artifactChunks),
  }
  const layers = trimToBudget(
    selected,
    countFixedTokens(input, state.kept, world.kept),
    limits.tokens,
  )
  const { used, memory } = layers
  const toRef = (entry: StoredMemory): MemoryRef => toMemoryRef(entry, input.sha256)
  if (used > limits.tokens) return err(buildOverBudgetFailure(used, limits.tokens))

  const trimmed = describeTrimmed(input, layers, state.left, world.left)
  const budget: ContextBudget = { tokens: limits.tokens, used }
  const unsealed: Snapshot = {
    dfid: input.dfid,
    agent_id: contract.agent_id,
    schema_version: CONTEXT_SCHEMA,
    trigger: input.trigger,
    contract_hash: input.contract_hash,
    mission_context_hash: input.mission_context_hash,
    policy_kinds: permissions.policy_kinds,
    state: state.kept,
    world: world.kept,
    ...omitEmptyLayers({ ...layers, memory: memory.map(toRef) }, budget, trimmed),
  }
  const snapshot = sealSnapshot(unsealed, input.sha256)
  // A token may stand for any number of bytes, and every snapshot is kept for ever.
  const most = Math.max(LIMITS.snapshotBytes, limits.tokens * LIMITS.snapshotTokenBytes)
  if (encodeUtf8(snapshot.text).length > most) return err(buildTooLargeFailure(most))
  const shown = {
    compiled_at: input.now,
    budget,
    memory: memory.map(toMemoryEntry),
    ...(input.evidence === undefined ? {} : { evidence: input.evidence }),
  }
  return ok({ snapshot, working: buildWorkingContext(snapshot, contract, shown) })
}

/** What the agent is asked to decide is shown in any case. */
function selectOfferedFacts(input: ContextInput): Pick<ContextInput, 'state' | 'world'> {
  const { contract, state, world, asked = [] } = input
  if (hasLayer(contract.working_context, 'state')) return { state, world }
  return { state: state.filter(({ path }) => asked.includes(path)), world: [] }
}

function computeWindowStart(now: string, windowMs: number): number {
  const ms = parseInstant(now)
  assert(ms !== undefined, 'a context is compiled at a time')
  return ms - windowMs
}

/** What nobody can leave out: the mission, what binds it, why the flow was opened, the facts. */
function countFixedTokens(
  { contract, trigger, countTokens }: ContextInput,
  state: readonly StateFact[],
  world: readonly WorldFact[],
): number {
  const texts = [formatMission(contract), trigger, toCanonicalText(state), toCanonicalText(world)]
  return texts.reduce((sum, text) => sum + assertNatural(countTokens(text)), 0)
}

function describeTrimmed(
  input: ContextInput,
  layers: Layers,
  state: readonly string[],
  world: readonly string[],
): Trimmed {
  const session = input.session.length - layers.session.length
  const memory = input.memory.length - layers.memory.length
  const artifacts = input.artifacts.length - layers.artifacts.length
  return {
    ...(session > 0 ? { session } : {}),
    ...(memory > 0 ? { memory } : {}),
    ...(artifacts > 0 ? { artifacts } : {}),
    ...(state.length > 0 ? { state } : {}),
    ...(world.length > 0 ? { world } : {}),
  }
}

/** Members that say nothing are absent, and so is a budget that says nothing new. */
function omitEmptyLayers(
  {
    session,
    memory,
    artifacts,
  }: Omit<Layers, 'memory'> & { readonly memory: readonly MemoryRef[] },
  budget: ContextBudget,
  trimmed: Trimmed,
): Pick<Snapshot, 'session' | 'memory' | 'artifacts' | 'budget' | 'trimmed'> {
  const said = {
    ...(session.length > 0 ? { session } : {}),
    ...(memory.length > 0 ? { memory } : {}),
    ...(artifacts.length > 0 ? { artifacts } : {}),
    ...(Object.keys(trimmed).length > 0 ? { trimmed } : {}),
  }
  const isUsual = Object.keys(said).length === 0 && budget.tokens === USUAL.tokens
  return isUsual ? said : { ...said, budget }
}

function buildIncompleteFailure(missing: readonly string[]): Failure {
  return {
    code: 'CONTEXT_INCOMPLETE',
    summary: `the contract requires State that is absent: ${missing.join(', ')}`,
    why: 'an agent without it would guess',
    fix: 'have it observed, then open the flow again',
    meta: { missing },
  }
}

function buildUnsupportedFailure(wanted: string): Failure {
  return {
    code: 'CONTEXT_SCHEMA_UNSUPPORTED',
    summary: `the contract asks for context schema \`${wanted}\`, and this is \`${CONTEXT_SCHEMA}\``,
    fix: 'deploy a contract whose `context_schema` is that version, `1` or `1.x`',
  }
}

function buildTooLargeFailure(bytes: number): Failure {
  return {
    code: 'CONTEXT_OVER_BUDGET',
    summary: `the context has more than ${bytes} bytes`,
    why: 'mission, constraints, trigger, State, World and the newest session event are never left out',
    fix: 'open the flow with fewer State paths, or observe less at each',
    meta: { bytes },
  }
}

function buildOverBudgetFailure(needed: number, tokens: number): Failure {
  return {
    code: 'CONTEXT_OVER_BUDGET',
    summary: `the context has at least ${needed} tokens and may have ${tokens}`,
    why: 'mission, constraints, trigger, State, World and the newest session event are never left out',
    fix: 'open the flow with fewer State paths, or give the context a larger budget',
    meta: { needed, tokens },
  }
}
