/** Takes a symbol out, with what goes with it. */
import { err } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { sliceSpan } from '../text/span.ts'
import type { Splice } from '../text/splice.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import { findTileAt } from '../tree/find-tiles.ts'
import { listTokens } from '../tree/list-tokens.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { Tile } from '../tree/tile.ts'
import type { Delta } from './delta.ts'
import { finishPlan } from './finish-plan.ts'
import type { PlanResult } from './plan.ts'
import { findSiblingsOf } from './siblings.ts'

export function planRemove(
  parsed: ParsedText,
  { target }: Extract<Delta, { op: 'remove' | 'removeKey' }>,
  format: Format,
): PlanResult {
  const found = findSymbol(parsed, target)
  if (!found.ok) return found
  const { path } = found.value
  const beside = listDeclarators(parsed, found.value)
  const meant = { around: path, before: beside, after: beside }
  const planned = finishPlan(parsed, cutSymbol(parsed, found.value), format, meant)
  if (planned.ok || !planned.error.code.startsWith('FRAGMENT_')) return planned
  // Nobody wrote a fragment: what is around it needs it.
  const detail = `\`${path}\` cannot be taken out: ${planned.error.detail}`
  return err({ ...planned.error, code: 'TARGET_UNFIT', detail })
}

/** Declarators beside one of several: the only one that is left has its statement for itself. */
function listDeclarators(parsed: ParsedText, target: SymbolNode): readonly string[] {
  if (target.kind !== 'variable') return []
  const { children } = findSiblingsOf(parsed, target)
  const index = children.indexOf(target)
  return [children[index - 1], children[index + 1]].flatMap((one) =>
    one?.kind === 'variable' ? [one.path] : [],
  )
}

/** With its separator; the last of a list takes the separator before it along, and so does the last of several declarators. */
function cutSymbol(parsed: ParsedText, target: SymbolNode): readonly Splice[] {
  const { text } = parsed
  const { container, children } = findSiblingsOf(parsed, target)
  const cut: Splice = { ...target.whole, text: '' }
  const isLast = children.at(-1) === target
  const isListed = (container.separator === ',' && isLast) || target.kind === 'variable'
  const hasOwn = listTokens(parsed, { start: target.own.end, end: target.whole.end }).includes(',')
  const before = isListed && !hasOwn ? findTokenBefore(parsed, target.own.start) : undefined
  if (before === undefined || sliceSpan(text, before) !== ',') return [cut]
  const gap = text.slice(before.end, cut.start)
  const isOnLine = gap.trim() === '' && (!gap.includes('\n') || target.kind === 'variable')
  // On one line the white space before it goes, and that before the closing bracket stays; the semicolon of a statement stays, too.
  const end = cut.start + sliceSpan(text, cut).trimEnd().length
  return isOnLine
    ? [{ start: before.start, end, text: '' }]
    : [{ start: before.start, end: before.end, text: '' }, cut]
}

function findTokenBefore({ tiles }: ParsedText, place: number): Tile | undefined {
  return tiles
    .slice(0, findTileAt(tiles, place))
    .findLast(({ kind }) => kind !== 'space' && kind !== 'comment')
}
