/** Which symbols are others for whoever refers to them, behind a plan. */
import type { Format } from '../formats/format.ts'
import { isOverlapping, type Span } from '../text/span.ts'
import type { Splice } from '../text/splice.ts'
import { writeDefinition, writeHeader } from '../tree/definition-hash.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import { listNamesakes } from '../tree/list-lineage.ts'
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
    if (redefines.has(path)) continue
    const found = findSymbol(after, path)
    const isOther = (write: typeof writeHeader): boolean =>
      !found.ok ||
      JSON.stringify(write(before, symbol, type)) !==
        JSON.stringify(write(after, found.value, type))
    if (isOther(writeHeader)) redefines.add(path)
    else if (isOther(writeDefinition)) {
      memberships.add(path)
      // The number of each depends on the others.
      if (kind === 'enum') for (const member of children) redefines.add(member.path)
    }
  }
  return { redefines: [...redefines], memberships: [...memberships] }
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
