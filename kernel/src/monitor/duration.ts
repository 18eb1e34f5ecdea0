import { LIMITS } from '../limits.ts'

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const LONGEST_MS = LIMITS.monitorWindowDays * 86_400_000
const MOST_DIGITS = 6

/** `30d`, `12h` or `45m` in milliseconds; undefined for anything else, and for too long a time. */
export function parseDuration(text: string): number | undefined {
  const unit = UNITS[text.slice(-1)]
  const count = parseCount(text.slice(0, -1))
  if (unit === undefined || count === undefined || count * unit > LONGEST_MS) return undefined
  return count * unit
}

/** Digits without a zero in front. */
export function parseCount(text: string): number | undefined {
  if (text.length === 0 || text.length > MOST_DIGITS || text.charCodeAt(0) === 0x30)
    return undefined
  let count = 0
  for (let i = 0; i < text.length; i += 1) {
    const digit = text.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return undefined
    count = count * 10 + digit
  }
  return count
}
