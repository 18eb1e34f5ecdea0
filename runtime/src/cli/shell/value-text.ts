/** Any value in one line that is safe to print, whoever it comes from. */
import { formatAmount } from '../../scenarios/amount.ts'
import { escapeText } from '../escape-text.ts'

const LONGEST = 400
const NUMERAL = /^-?\d{4,}(\.\d+)?$/

export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Cut before it is escaped: a cut sequence is none.
  return escapeText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
}

/** Grouped by thousands where it is a number. */
export function formatFigure(value: unknown): string {
  return typeof value === 'string' && NUMERAL.test(value) ? formatAmount(value) : formatValue(value)
}
