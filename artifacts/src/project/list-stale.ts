/**
 * What refers to a definition that is another one now, or gone: it was written against what is not there any more.
 *
 * S1 a symbol whose own content changed was written against what is there now; only what it refers to in vain is named of it.
 * S2 a package of another version makes stale what refers to it.
 */
import { hashSymbols } from './definitions.ts'
import { toRealTarget } from './member-target.ts'
import type { Project } from './project.ts'
import type { ExportTarget } from './resolve-export.ts'
import { listSymbolReferences, type SymbolReference } from './symbol-references.ts'

export type StaleReason = 'changed' | 'vanished' | 'external_changed'

export type StaleSymbol = {
  /** Who refers. */
  readonly artifact: string
  readonly path: string
  /** To what, as it was called before. */
  readonly refers: { readonly artifact: string; readonly path: string }
  readonly reason: StaleReason
}

export function listStale(before: Project, after: Project): readonly StaleSymbol[] {
  const found = new Map<string, StaleSymbol>()
  for (const name of after.artifacts.keys())
    for (const stale of listStaleOf(before, after, name)) found.set(JSON.stringify(stale), stale)
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, stale]) => stale)
}

function listStaleOf(before: Project, after: Project, name: string): readonly StaleSymbol[] {
  // Hashes are computed where something was changed, and nowhere else.
  const isWhole = before.artifacts.get(name) === after.artifacts.get(name)
  const isThere = (path: string): boolean => isWhole || hashSymbols(after, name).has(path)
  const isKept = (path: string): boolean =>
    isWhole ||
    hashSymbols(before, name).get(path)?.content === hashSymbols(after, name).get(path)?.content
  const stale: StaleSymbol[] = []
  // What was referred to before, by symbols that are as they were.
  for (const reference of listSymbolReferences(before, name)) {
    if (!isThere(reference.path) || !isKept(reference.path)) continue
    stale.push(...compare(before, after, name, reference))
  }
  // What is referred to in vain now, whoever wrote it.
  for (const reference of listSymbolReferences(after, name)) {
    if (isKept(reference.path) || reference.to.kind !== 'missing') continue
    const refers = { artifact: name, path: reference.name }
    stale.push({ artifact: name, path: reference.path, refers, reason: 'vanished' })
  }
  return stale
}

function compare(
  before: Project,
  after: Project,
  artifact: string,
  reference: SymbolReference,
): readonly StaleSymbol[] {
  const { path, at } = reference
  const target = toRealTarget(before, artifact, at, reference.to)
  const own = { artifact, path }
  switch (target.kind) {
    case 'missing':
    case 'ambiguous':
      return []
    case 'module':
      return after.artifacts.has(target.artifact)
        ? []
        : [{ ...own, refers: { artifact: target.artifact, path: '' }, reason: 'vanished' }]
    case 'external': {
      const { external, mention } = target
      const { name, hash } = external
      const now = after.resolve(mention.artifact, mention.from)
      if (now.kind === 'external' && now.external.hash === hash) return []
      const reason = now.kind === 'unresolved' ? 'vanished' : 'external_changed'
      return [{ ...own, refers: { artifact: name, path: target.name ?? '' }, reason }]
    }
    case 'symbol':
      return compareSymbols(before, after, target).map((one) => ({ ...own, ...one }))
  }
}

function compareSymbols(
  before: Project,
  after: Project,
  { artifact, paths }: Extract<ExportTarget, { kind: 'symbol' }>,
): readonly Pick<StaleSymbol, 'refers' | 'reason'>[] {
  if (before.artifacts.get(artifact) === after.artifacts.get(artifact)) return []
  return paths.flatMap((path): readonly Pick<StaleSymbol, 'refers' | 'reason'>[] => {
    const old = hashSymbols(before, artifact).get(path)
    const now = hashSymbols(after, artifact).get(path)
    const refers = { artifact, path }
    if (now === undefined) return [{ refers, reason: 'vanished' }]
    return old?.definition === now.definition ? [] : [{ refers, reason: 'changed' }]
  })
}
