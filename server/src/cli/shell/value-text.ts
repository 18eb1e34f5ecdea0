/** Any value in one line that is safe to print, whoever it comes from. */
import { type JsonValue, quoteText } from 'rubicon-kernel'
import { formatAmount } from '../../demo/amount.ts'
import { escapeText } from '../escape-text.ts'

const LONGEST = 400
const NUMERAL = /^-?\d{4,}(\.\d+)?$/

export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return escapeText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
}

/** Grouped by thousands where it is a number. */
export function formatFigure(value: unknown): string {
  return typeof value === 'string' && NUMERAL.test(value) ? formatAmount(value) : formatValue(value)
}

/** Whole, and one value to whoever reads it: of what runs nothing is cut off. */
export function formatWholeText(value: JsonValue): string {
  return escapeText(quoteText(value))
}

/** `wholeText`, grouped by thousands where it is a number. */
export function formatWholeFigure(value: JsonValue): string {
  const isFigure = typeof value === 'string' && NUMERAL.test(value)
  return value === null ? 'nothing' : isFigure ? formatAmount(value) : formatWholeText(value)
}
