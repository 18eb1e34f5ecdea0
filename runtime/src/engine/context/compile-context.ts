/**
 * The context compiler, with its hands: reads what the four layers hold for one agent, and has the
 * kernel decide what of it is shown.
 *
 * C1 State is read once, here; of the paths that a flow asks for, those that its contract reads. What
 *    another agent is asked to decide, or to choose about, is never among them.
 * C2 of session and memory no more is read than can be shown, newest first.
 * C3 the same records give the same snapshot, on every store: order, rank and trimming are the kernel's.
 */
import {
  type AssembledContext,
  assembleContext,
  type DeployedContract,
  err,
  type Failure,
  isIdentifier,
  type JsonObject,
  type LayerRecord,
  LIMITS,
  ok,
  REASONS,
  type Result,
  type StateFact,
  type StoredMemory,
  shorten,
} from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import { buildEvidenceParts } from '../rows/evidence-parts.ts'
import { getMissionHash } from '../rows/mission.ts'
import type { ResourceRef } from '../rows/resource-ref.ts'
import { loadAskedFacts } from './asked-in.ts'
import { expandPatterns } from './observed-state.ts'
import { readState, StateUnavailable } from './read-outside.ts'
import { searchArtifacts } from './search-artifacts.ts'
import { buildSessionEvents } from './session-events.ts'
import type { SharedState } from './shared-state.ts'

export type ContextWanted = {
  readonly dfid: string
  readonly trigger: string
  readonly trajectory: string
  readonly now: string
  readonly deployed: DeployedContract
  /** State paths, or prefixes ending in `*` of what was observed. */
  readonly state: readonly string[]
  readonly world: readonly ResourceRef[]
  /** The path of what the flow was opened to decide. */
  readonly asked?: string
  /** The flow was shown one before, so that it may have a past of its own. */
  readonly again?: true
  /** A decision that becomes durable together with this context, and is remembered in it already. */
  readonly decided?: LayerRecord<StoredMemory>
  /** State as the event found it that woke the agent. */
  readonly shared?: SharedState
}

export async function compileContext(
  context: Context,
  wanted: ContextWanted,
): Promise<Result<AssembledContext, Failure>> {
  const { store, sha256, contextTokens: tokens } = context
  const { dfid, trigger, now, deployed, trajectory, again, decided, asked } = wanted
  const { contract } = deployed
  const { reads } = contract.permissions
  const { requires = [] } = contract.working_context ?? {}
  const patterns = [...wanted.state, ...requires]
  const { shared } = wanted
  const state = await loadState(context, { patterns, reads, now, shared })
  if (!state.ok) return state
  const question = asked === undefined ? [] : await loadQuestion(context, asked, now)
  const latest = await store.listRecords('memory', contract.agent_id, {
    newest: true,
    limit: again === true ? LIMITS.contextDecisionsRead : LIMITS.contextMemoryEntries,
  })
  const decisions = decided === undefined ? latest : [decided, ...latest]
  const own = again === true ? decisions.filter(({ body }) => body.dfid === dfid) : []
  const tokenizer = await context.tokenizer()
  const countTokens = (text: string): number => tokenizer.count(text)
  // A flow that is just being opened has none.
  const notes =
    again === true
      ? await store.listRecords('note', dfid, { newest: true, limit: LIMITS.contextNotes })
      : []
  return assembleContext({
    dfid,
    trigger,
    now,
    contract,
    contract_hash: deployed.hash,
    mission_context_hash: getMissionHash(contract, sha256),
    ...buildEvidenceParts(contract, context.book.rules),
    state: [...state.value, ...question],
    asked: question.map(({ path }) => path),
    world: wanted.world.length === 0 ? [] : await store.readResources(trajectory, wanted.world),
    session: [...notes, ...buildSessionEvents(own, countTokens)],
    memory: decisions.slice(0, LIMITS.contextMemoryEntries),
    artifacts: await searchArtifacts(context, `${trigger}\n${contract.mission}`, contract.agent_id),
    ...(tokens === undefined ? {} : { limits: { tokens } }),
    countTokens,
    sha256,
  })
}

async function loadQuestion(
  context: Context,
  asked: string,
  now: string,
): Promise<readonly StateFact[]> {
  const { sources } = await context.authorities.loadLatest()
  return loadAskedFacts(context, asked, { sources, now })
}

type StateWanted = {
  readonly patterns: readonly string[]
  readonly reads: readonly string[]
  readonly now: string
  readonly shared: SharedState | undefined
}

async function loadState(
  context: Context,
  { patterns, reads, now, shared }: StateWanted,
): Promise<Result<readonly StateFact[], Failure>> {
  if (patterns.length === 0) return ok([])
  const odd = patterns.find((pattern) => !isStatePattern(pattern))
  if (odd !== undefined) return err(buildPathFailure(odd))
  const { sources } = await context.authorities.loadLatest()
  const paths = await expandPatterns(context.store, patterns, reads)
  if (paths === null) return err(tooManyPaths)
  try {
    return ok((await readState(context, paths, { sources, now }, { shared })).facts)
  } catch (error) {
    if (error instanceof StateUnavailable) return err(buildUnavailableFailure(error.details))
    throw error
  }
}

/** Sources are handed what agents ask for: nothing but names reaches them. */
export function isStatePattern(pattern: string): boolean {
  if (!pattern.endsWith('*')) return isIdentifier(pattern)
  return pattern === '*' || isIdentifier(pattern.slice(0, -1))
}

function buildPathFailure(path: string): Failure {
  return {
    code: 'ID_CHARSET',
    summary: `\`${shorten(path, LIMITS.identifierLength)}\` is no path of State`,
    fix: 'ask for dotted names, or prefixes ending in `*`',
  }
}

const tooManyPaths: Failure = {
  code: 'CONTEXT_OVER_BUDGET',
  summary: `the flow asks for more than ${LIMITS.contextStatePaths} State paths`,
  fix: 'ask for fewer, or for narrower prefixes',
}

function buildUnavailableFailure(meta: JsonObject): Failure {
  const { fix } = REASONS.STATE_UNAVAILABLE
  const summary = 'State could not be read, and the agent would have to decide without it'
  return { code: 'STATE_UNAVAILABLE', summary, fix, meta }
}
