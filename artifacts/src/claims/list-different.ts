/** What a change writes and puts in that no delta describes: what is different behind it. */
import type { InsertClaim, WriteClaim } from 'rubicon-kernel'
import { compareSymbols, type SymbolChange } from '../compare/compare-symbols.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import { BasePaths } from './base-paths.ts'
import type { ClaimedStep } from './claimed-step.ts'
import { listLoose } from './list-loose.ts'
import type { Written } from './list-writes.ts'
import { toSegments } from './symbol-segments.ts'

export function listDifferent(step: ClaimedStep): Written {
  const paths = new BasePaths(step.before)
  paths.follow(step)
  const writes: WriteClaim[] = []
  const inserts: InsertClaim[] = []
  for (const change of compareSymbols(step.before, step.after)) {
    writes.push(...listWritten(change, paths))
    const isNew = change.change === 'added' || change.change === 'renamed' || change.was !== null
    if (isNew && change.change !== 'removed') inserts.push(...listInserted(change, step, paths))
  }
  for (const path of listLoose(step.before, step.after))
    writes.push({ path: toSegments(path), part: 'body' })
  return { writes, inserts }
}

function listWritten(
  { change, path, was, parts }: SymbolChange,
  paths: BasePaths,
): readonly WriteClaim[] {
  const old = was === null ? paths.find(toSegments(path)) : toSegments(was)
  switch (change) {
    case 'added':
      return []
    case 'removed':
      return [{ path: toSegments(path), part: 'subtree' }]
    case 'moved':
      return [{ path: old ?? toSegments(path), part: 'subtree' }]
    case 'renamed':
      return [{ path: old ?? toSegments(path), part: 'name' }]
    case 'changed':
      return parts.map((part) => ({
        path: old ?? toSegments(path),
        part: part === 'signature' ? 'signature' : 'body',
      }))
  }
}

/** Its container is one of the text before. */
function listInserted(
  { path }: SymbolChange,
  { after }: ClaimedStep,
  paths: BasePaths,
): readonly InsertClaim[] {
  const segments = toSegments(path)
  const container = paths.find(segments.slice(0, -1))
  const found = findSymbol(after, path)
  if (container === null || !found.ok) return []
  return [{ container, segment: segments.at(-1) ?? '', order: found.value.order }]
}
