/**
 * Names that meant something before a change and mean nothing behind it: a symbol that is gone is still referred to, a parameter that has
 * another name is still used.
 */
import type { Format } from '../formats/format.ts'
import { listPutSpans, moveSpan } from '../text/moved-span.ts'
import { isInside, type Span, sliceSpan } from '../text/span.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import { listTilesIn } from '../tree/find-tiles.ts'
import { listTokens } from '../tree/list-tokens.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { DeltaProblem, Plan } from './plan.ts'

/** What is put in is not looked at: whether a new name is one of the platform's, nobody can say here. */
export function findDangling(
  before: ParsedText,
  { after, splices, inverse }: Plan,
  format: Format,
): DeltaProblem | null {
  if (format.findReferences === undefined) return null
  const free = listFree(before, format).map((span) => moveSpan(span, splices).start)
  const known = new Set(free)
  const put = listPutSpans(splices)
  const lost = [
    ...listFree(after, format).filter(({ start }) => !known.has(start)),
    ...listLostMembers(before, after),
  ].filter((span) => !put.some((one) => isInside(span, one)))
  const [first] = lost
  if (first === undefined) return null
  const places = lost.flatMap((span) => {
    const { start, end } = moveSpan(span, inverse)
    return start === null || end === null ? [] : [{ start, end }]
  })
  const names = new Set(lost.map((span) => `\`${sliceSpan(after.text, span)}\``))
  return {
    code: 'DANGLING_REFERENCE',
    detail: `${[...names].join(', ')} would refer to nothing`,
    at: places[0] ?? null,
    places,
  }
}

function listFree(parsed: ParsedText, { findReferences }: Format): readonly Span[] {
  const whole = { start: 0, end: parsed.text.length }
  return (findReferences?.(parsed, whole) ?? []).flatMap(({ to, at }) =>
    to.kind === 'free' ? [at] : [],
  )
}

/** `this.name` in a class that has lost that member, and has it from nobody else. */
function listLostMembers(before: ParsedText, after: ParsedText): readonly Span[] {
  return listClasses(after.symbols).flatMap((symbol) => {
    const old = findSymbol(before, symbol.path)
    if (!old.ok) return []
    const header = listTokens(after, symbol.own, symbol.container?.inside)
    const kept = new Set(symbol.children.map(({ name }) => name))
    for (const { kind, own, body } of symbol.children)
      if (kind === 'constructor') for (const word of listTokens(after, own, body)) kept.add(word)
    const gone = old.value.children.map(({ name }) => name).filter((name) => !kept.has(name))
    return header.includes('extends') || gone.length === 0
      ? []
      : listOwnUses(after, symbol.own, new Set(gone))
  })
}

function listOwnUses(
  parsed: ParsedText,
  within: Span,
  names: ReadonlySet<string>,
): readonly Span[] {
  const { text } = parsed
  const found: Span[] = []
  const tokens = listTilesIn(parsed, within).filter(
    ({ kind }) => kind !== 'space' && kind !== 'comment',
  )
  for (const [i, token] of tokens.entries()) {
    const name = tokens[i + 2]
    if (name === undefined || sliceSpan(text, token) !== 'this') continue
    const dot = tokens[i + 1]
    if (dot !== undefined && sliceSpan(text, dot) === '.' && names.has(sliceSpan(text, name)))
      found.push(name)
  }
  return found
}

function listClasses(symbols: readonly SymbolNode[]): readonly SymbolNode[] {
  return symbols.flatMap((symbol) => [
    ...(symbol.kind === 'class' ? [symbol] : []),
    ...listClasses(symbol.children),
  ])
}
