/**
 * Who may say what a path is. Every path has one owner at any position of authority, so that no two
 * sources can talk about the same thing.
 *
 * W1 `kernel.*` and `escalation.*` are the kernel's: nobody talks over them, not even an operator.
 * W2 an agent owns `claims.<agent_id>.<name>`, where the name has no dot, and nothing else.
 * W3 the rest belongs to the source with the longest match, an exact path before any prefix.
 * W4 the drawdown of an agent belongs only to a source that names its path in full: a feed of
 *    everything under `agent.` must not decide whether an agent is stopped.
 */
import type { FactSource } from './source.ts'

export type Sources = {
  readonly byId: ReadonlyMap<string, FactSource>
  /** Pattern, as it was registered → who registered it. */
  readonly byPattern: ReadonlyMap<string, string>
  /** Lengths of the prefixes, longest first, so that a look-up does not try every source. */
  readonly lengths: readonly number[]
  /** Names that an operator has retired, and registered under no description since. */
  readonly retired: ReadonlySet<string>
}

export type FactOwner =
  | { readonly kind: 'kernel' }
  | { readonly kind: 'agent'; readonly agent_id: string }
  | { readonly kind: 'source'; readonly source: FactSource }
  /** Only an operator speaks of it. */
  | { readonly kind: 'nobody' }

export const NO_SOURCES: Sources = {
  byId: new Map(),
  byPattern: new Map(),
  lengths: [],
  retired: new Set(),
}

const KERNEL: readonly string[] = ['kernel', 'escalation']
const CLAIMS = 'claims'
const STAR = '*'
const NOBODY: FactOwner = { kind: 'nobody' }

export function findOwner(sources: Sources, path: string): FactOwner {
  if (KERNEL.some((space) => isUnder(space, path))) return { kind: 'kernel' }
  if (isUnder(CLAIMS, path)) return findClaimant(path)
  const exact = findSource(sources, sources.byPattern.get(path))
  if (exact !== undefined) return { kind: 'source', source: exact }
  if (isDrawdownPath(path)) return NOBODY
  for (const length of sources.lengths) {
    if (length > path.length) continue
    const found = findSource(sources, sources.byPattern.get(path.slice(0, length) + STAR))
    if (found !== undefined) return { kind: 'source', source: found }
  }
  return NOBODY
}

function findSource({ byId }: Sources, id: string | undefined): FactSource | undefined {
  return id === undefined ? undefined : byId.get(id)
}

function isUnder(space: string, path: string): boolean {
  return path === space || path.startsWith(`${space}.`)
}

/** Names of agents may have dots, names of claims have none. */
function findClaimant(path: string): FactOwner {
  const end = path.lastIndexOf('.')
  const agent_id = path.slice(CLAIMS.length + 1, end)
  const isWhole = agent_id !== '' && end < path.length - 1
  return isWhole ? { kind: 'agent', agent_id } : NOBODY
}

/** Where State keeps the drawdown of an agent. */
export function toDrawdownPath(agentId: string): string {
  return `agent.${agentId}.drawdown_pct`
}

function isDrawdownPath(path: string): boolean {
  return path.startsWith('agent.') && path.endsWith('.drawdown_pct')
}

/** Paths and prefixes that no source can have. */
export function isReserved(pattern: string): boolean {
  const text = pattern.endsWith(STAR) ? pattern.slice(0, -STAR.length) : pattern
  return [...KERNEL, CLAIMS].some((space) => isUnder(space, text))
}

export type ClaimedPattern = { readonly pattern: string; readonly source_id: string }

/** A pattern of `wanted` that another source has already; two of equal claim would have to be chosen between. */
export function findClaimedPattern(
  sources: Pick<Sources, 'byPattern'>,
  wanted: FactSource,
): ClaimedPattern | null {
  for (const pattern of wanted.paths) {
    const source_id = sources.byPattern.get(pattern)
    if (source_id !== undefined && source_id !== wanted.source_id) return { pattern, source_id }
  }
  return null
}

/** In place of what was registered under its name. */
export function addSource(sources: Sources, added: FactSource): Sources {
  const { source_id } = added
  const retired = [...sources.retired].filter((id) => id !== source_id)
  return indexSources([...listOtherSources(sources, source_id), added], new Set(retired))
}

export function removeSource(sources: Sources, id: string): Sources {
  return indexSources(listOtherSources(sources, id), new Set([...sources.retired, id]))
}

function listOtherSources({ byId }: Sources, id: string): readonly FactSource[] {
  return [...byId.values()].filter(({ source_id }) => source_id !== id)
}

function indexSources(all: readonly FactSource[], retired: ReadonlySet<string>): Sources {
  const byPattern = new Map<string, string>()
  for (const { source_id, paths } of all)
    for (const pattern of paths) byPattern.set(pattern, source_id)
  const prefixes = [...byPattern.keys()].filter((pattern) => pattern.endsWith(STAR))
  const lengths = [...new Set(prefixes.map((pattern) => pattern.length - STAR.length))]
  lengths.sort((a, b) => b - a)
  const byId = new Map(all.map((source) => [source.source_id, source]))
  return { byId, byPattern, lengths, retired }
}
