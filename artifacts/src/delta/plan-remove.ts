/** Takes a symbol out, with what goes with it. */
import { err } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { sliceSpan } from '../text/span.ts'
import type { Splice } from '../text/splice.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import { findTileAt, listTokens } from '../tree/list-tokens.ts'
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
  const planned = finishPlan(parsed, cutSymbol(parsed, found.value), format, { around: path })
  if (planned.ok || !planned.error.code.startsWith('FRAGMENT_')) return planned
  // Nobody wrote a fragment: what is around it needs it.
  const detail = `\`${path}\` cannot be taken out: ${planned.error.detail}`
  return err({ ...planned.error, code: 'TARGET_UNFIT', detail })
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
  const isOnLine = /^[ \t]*$/u.test(text.slice(before.end, cut.start))
  // On one line the white space before it goes, and that before the closing bracket stays.
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
