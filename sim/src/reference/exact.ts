/** Decimals and times, read a second way: by regular expressions, BigInt and Date. */

/** units × 10^-places */
export type Exact = { readonly units: bigint; readonly places: number }

const DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/
const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/

export function parseDecimal(value: unknown): Exact | null {
  if (typeof value === 'string') return value.length > 64 ? null : parseDecimalText(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(String(value)) ?? []
  const places = fraction.length - Number(power)
  const units = BigInt(`${sign}${whole}${fraction}`)
  return places < 0 ? { units: units * 10n ** BigInt(-places), places: 0 } : { units, places }
}

function parseDecimalText(text: string): Exact | null {
  const found = DECIMAL.exec(text)
  if (found === null) return null
  const [, sign = '', whole = '', fraction = ''] = found
  const units = BigInt(sign + whole + fraction)
  if (sign === '-' && units === 0n) return null
  return { units, places: fraction.length }
}

/** Negative, zero or positive, as a is below, at or above b. */
export function order(a: Exact, b: Exact): number {
  const left = a.units * 10n ** BigInt(b.places)
  const right = b.units * 10n ** BigInt(a.places)
  return left < right ? -1 : left > right ? 1 : 0
}

export function multiplyDecimals(a: Exact, b: Exact): Exact {
  return { units: a.units * b.units, places: a.places + b.places }
}

const WHOLE = ['calls', 'tokens', 'wall_ms']

/** Whole minor units of a budget measure; null for what is negative, too fine or no decimal. */
export function toMinorUnits(measure: string, amount: unknown): bigint | null {
  if (typeof amount !== 'string') return null
  const value = parseDecimal(amount)
  if (value === null || value.units < 0n) return null
  const scaled = value.units * 10n ** (WHOLE.includes(measure) ? 0n : 6n)
  const unit = 10n ** BigInt(value.places)
  return scaled % unit === 0n ? scaled / unit : null
}

const TIME =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,3}))?Z)?$/

/** Epoch milliseconds of a UTC time or of the first moment of a date; null for anything else. */
export function parseTime(text: string): number | null {
  const found = TIME.exec(text)
  if (found === null) return null
  const [year, month, day, hour, minute, second] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  if (year === undefined || month === undefined || day === undefined) return null
  const [h, m, s] = [hour ?? 0, minute ?? 0, second ?? 0]
  const ms = Number((found[7] ?? '').padEnd(3, '0'))
  if (year < 1970 || h > 23 || m > 59 || s > 59) return null
  const at = new Date(Date.UTC(year, month - 1, day, h, m, s, ms))
  const sameDay = at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return sameDay ? at.getTime() : null
}
