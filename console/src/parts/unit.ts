/** Amounts with their unit, as people write them. */
import { formatAmount } from './amount.ts'

/** What a currency is called, and how many decimals it has. */
const CURRENCIES: ReadonlyMap<string, number> = new Map([
  ...['usd', 'eur', 'gbp', 'chf', 'cad', 'aud', 'nzd', 'sek', 'nok', 'dkk', 'pln', 'czk'].map(
    (code) => [code, 2] as const,
  ),
  ...['cny', 'inr', 'brl', 'mxn', 'sgd', 'hkd', 'ils', 'zar', 'try'].map(
    (code) => [code, 2] as const,
  ),
  ['jpy', 0],
  ['krw', 0],
])

/** `refund_usd` → `USD`: the currency that the name of a measure ends with; else the name. */
export function toUnit(measure: string): string {
  return isMoney(measure) ? toCode(measure).toUpperCase() : measure
}

export function isMoney(measure: string): boolean {
  return CURRENCIES.has(toCode(measure))
}

/** A sum of money has its decimals, so that sums below each other can be compared; nothing of it is left out. */
export function formatMeasured(amount: string, measure: string): string {
  const decimals = CURRENCIES.get(toCode(measure)) ?? 0
  const found = /^-?\d+(?:\.(\d+))?$/.exec(amount)
  if (found === null || decimals === 0) return formatAmount(amount)
  const fraction = (found[1] ?? '').padEnd(decimals, '0')
  return formatAmount(`${amount.split('.')[0]}.${fraction}`)
}

function toCode(measure: string): string {
  return measure.split('_').at(-1)?.toLowerCase() ?? ''
}
