/** Which symbols are others for whoever refers to them, behind a plan. */
import type { Format } from '../formats/format.ts'
import { isOverlapping, type Span } from '../text/span.ts'
import type { Splice } from '../text/splice.ts'
import { writeDefinition, writeHeader } from '../tree/definition-hash.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import { listNamesakes } from '../tree/list-lineage.ts'
import { listTokens } from '../tree/list-tokens.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'

export type Redefined = {
  /** Gone, or with another header. */
  readonly redefines: readonly string[]
  /** With other members below the header that they had. */
  readonly memberships: readonly string[]
}

type Change = {
  readonly before: ParsedText
  readonly splices: readonly Splice[]
  readonly after: ParsedText
}

export function listRedefined(change: Change, { type }: Pick<Format, 'type'>): Redefined {
  const { before, after } = change
  const redefines = new Set<string>()
  const memberships = new Set<string>()
  for (const symbol of listTouched(before, before.symbols, change.splices)) {
    const { path, kind, children } = symbol
    // Nobody refers to an import: what a name that it brings stands for is elsewhere.
    if (redefines.has(path) || kind === 'import') continue
    const found = findSymbol(after, path)
    const isOther = (write: typeof writeHeader): boolean =>
      !found.ok ||
      JSON.stringify(write(before, symbol, type)) !==
        JSON.stringify(write(after, found.value, type))
    if (isOther(writeHeader)) redefines.add(path)
    else if (isOther(writeDefinition)) {
      memberships.add(path)
      if (found.ok && hasNewDemand(symbol, found.value, after)) redefines.add(path)
      // The number of each depends on the others.
      if (kind === 'enum') for (const member of children) redefines.add(member.path)
    }
  }
  return { redefines: [...redefines], memberships: [...memberships] }
}

/** A member that everybody who makes one of a class, or extends it, has to know of. */
function hasNewDemand({ children }: SymbolNode, now: SymbolNode, after: ParsedText): boolean {
  if (now.kind !== 'class') return false
  const known = new Set(children.map(({ path }) => path))
  return now.children.some(({ path, kind, own, nameSpan }) => {
    if (known.has(path)) return false
    const words = listTokens(after, { start: own.start, end: nameSpan?.start ?? own.end })
    return kind === 'constructor' || words.includes('abstract')
  })
}

/** What a splice lies in or touches, with all that declare the same name. What is elsewhere is as it was (E1, E2). */
function listTouched(
  parsed: ParsedText,
  level: readonly SymbolNode[],
  splices: readonly Splice[],
): readonly SymbolNode[] {
  return level
    .filter(({ own }) => splices.some((splice) => isTouching(own, splice)))
    .flatMap((symbol) => [
      ...listNamesakes(parsed, symbol),
      ...listTouched(parsed, symbol.children, splices),
    ])
}

function isTouching(one: Span, other: Span): boolean {
  return isOverlapping(one, other) || (one.start <= other.end && other.start <= one.end)
}
