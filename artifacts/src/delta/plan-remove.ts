/** Takes a symbol out, with what goes with it. */
import type { Format } from '../formats/format.ts'
import type { Splice } from '../text/splice.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
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
  return finishPlan(parsed, cutSymbol(parsed, found.value), format, { around: path })
}

/** With its separator; the last of a list takes the separator before it along. */
function cutSymbol(parsed: ParsedText, target: SymbolNode): readonly Splice[] {
  const { text } = parsed
  const { container, children } = findSiblingsOf(parsed, target)
  const index = children.indexOf(target)
  const before = children[index - 1]
  const cut: Splice = { ...target.whole, text: '' }
  const isLast = index === children.length - 1
  const hasOwn = text.slice(target.own.end, target.whole.end).includes(',')
  if (container.separator !== ',' || !isLast || hasOwn || before === undefined) return [cut]
  const from = text.indexOf(',', before.own.end)
  return [{ start: from, end: from + 1, text: '' }, cut]
}
