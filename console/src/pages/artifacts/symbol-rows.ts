/** Rows of the tree of symbols that stay where they are while the moment changes. */
import type { ArtifactComparison, ArtifactPlan, ArtifactSymbol } from 'rubicon-agents/client'

/** A symbol that was seen at some moment, in the order of the tree. */
export type KnownSymbol = Pick<ArtifactSymbol, 'path' | 'kind' | 'name'> & {
  /** Of the outermost: 1. */
  readonly level: number
}

export type SymbolMark = 'added' | 'removed' | 'changed' | 'renamed' | 'moved'

export type SymbolRow = KnownSymbol & {
  /** Null: it is not there at this moment. */
  readonly symbol: ArtifactSymbol | null
  readonly mark: SymbolMark | null
  readonly hasInner: boolean
  readonly isFolded: boolean
  /** Of what is folded away below it, how many are marked. */
  readonly markedInside: number
  /** Agents whose open plans write it. */
  readonly plannedBy: readonly string[]
}

/** Symbols come outer before inner, each with how many it has: that gives their levels. */
export function toKnownSymbols(symbols: readonly ArtifactSymbol[]): readonly KnownSymbol[] {
  const left: number[] = []
  return symbols.map(({ path, kind, name, children }) => {
    while (left.at(-1) === 0) left.pop()
    const above = left.length - 1
    if (above >= 0) left[above] = (left[above] ?? 0) - 1
    const level = left.length + 1
    left.push(children)
    return { path, kind, name, level }
  })
}

/** What was known keeps its order; what is new comes after the sibling that it stands behind. */
export function mergeKnownSymbols(
  known: readonly KnownSymbol[],
  seen: readonly KnownSymbol[],
): readonly KnownSymbol[] {
  const paths = new Set(known.map(({ path }) => path))
  if (seen.every(({ path }) => paths.has(path))) return known
  if (known.length === 0) return seen
  const merged = [...known]
  /** By level, the symbol before, so far as it has the same container. */
  const before: (string | undefined)[] = []
  for (const symbol of seen) {
    const { level, path } = symbol
    if (!paths.has(path)) merged.splice(findPlace(merged, level, before), 0, symbol)
    before.length = level
    before[level] = path
  }
  return merged
}

function findPlace(
  rows: readonly KnownSymbol[],
  level: number,
  before: readonly (string | undefined)[],
): number {
  const sibling = before[level]
  if (sibling === undefined) {
    const container = before[level - 1]
    return container === undefined ? 0 : rows.findIndex(({ path }) => path === container) + 1
  }
  let place = rows.findIndex(({ path }) => path === sibling) + 1
  while ((rows[place]?.level ?? 0) > level) place += 1
  return place
}

export type RowsWanted = {
  readonly known: readonly KnownSymbol[]
  readonly symbols: readonly ArtifactSymbol[]
  readonly marks: ReadonlyMap<string, SymbolMark>
  readonly claims: ReadonlyMap<string, readonly string[]>
  readonly folded: ReadonlySet<string>
}

/** Without those that are folded away. */
export function buildSymbolRows(wanted: RowsWanted): readonly SymbolRow[] {
  const { known, symbols, marks, claims, folded } = wanted
  const there = new Map(symbols.map((symbol) => [symbol.path, symbol]))
  const rows: SymbolRow[] = []
  for (let at = 0; at < known.length; ) {
    const one = known[at]
    if (one === undefined) break
    let end = at + 1
    while ((known[end]?.level ?? 0) > one.level) end += 1
    const isFolded = folded.has(one.path) && end > at + 1
    const inside = isFolded ? known.slice(at + 1, end) : []
    rows.push({
      ...one,
      symbol: there.get(one.path) ?? null,
      mark: marks.get(one.path) ?? null,
      hasInner: end > at + 1,
      isFolded,
      markedInside: inside.filter(({ path }) => marks.has(path)).length,
      plannedBy: claims.get(one.path) ?? [],
    })
    at = isFolded ? end : at + 1
  }
  return rows
}

/** What differs, by path; what was renamed, by its new one. */
export function listMarks(
  compared: Pick<ArtifactComparison, SymbolMark> | null,
): ReadonlyMap<string, SymbolMark> {
  const marks = new Map<string, SymbolMark>()
  if (compared === null) return marks
  for (const mark of ['changed', 'moved', 'renamed', 'added', 'removed'] as const)
    for (const { path } of compared[mark]) marks.set(path, mark)
  return marks
}

/** By path, who has an open plan that writes it. */
export function listClaims(
  plans: readonly ArtifactPlan[],
  artifact: string,
): ReadonlyMap<string, readonly string[]> {
  const claims = new Map<string, readonly string[]>()
  for (const { by, symbols, expired } of plans) {
    if (expired) continue
    for (const symbol of symbols) {
      const path = toSymbolPath(symbol, artifact)
      if (path === null) continue
      const known = claims.get(path) ?? []
      if (!known.includes(by)) claims.set(path, [...known, by])
    }
  }
  return claims
}

/** `src/auth.ts class:A` → `class:A`; the artifact itself → the empty path; of another one, null. */
export function toSymbolPath(symbol: string, artifact: string): string | null {
  if (symbol === artifact) return ''
  return symbol.startsWith(`${artifact} `) ? symbol.slice(artifact.length + 1) : null
}
