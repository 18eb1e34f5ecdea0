/** Spans of time that end now, and moments as a form has them. */
const HOUR = 3_600_000
const DAY = 24 * HOUR

export type TimeRange = { readonly value: string; readonly label: string; readonly ms: number }

export const TIME_RANGES: readonly TimeRange[] = [
  { value: '1h', label: 'Last hour', ms: HOUR },
  { value: '6h', label: 'Last 6 hours', ms: 6 * HOUR },
  { value: '24h', label: 'Last 24 hours', ms: DAY },
  { value: '7d', label: 'Last 7 days', ms: 7 * DAY },
  { value: '30d', label: 'Last 30 days', ms: 30 * DAY },
]

/** Undefined: no range of that name. */
export function computeSince(within: string, now: number): string | undefined {
  const range = TIME_RANGES.find(({ value }) => value === within)
  return range === undefined ? undefined : new Date(now - range.ms).toISOString()
}

/** `2026-11-18T16:30` of the clock on the wall, as `<input type="datetime-local">` has it; else empty. */
export function toWallTime(instant: string): string {
  const moment = Date.parse(instant)
  if (Number.isNaN(moment)) return ''
  const offset = new Date(moment).getTimezoneOffset() * 60_000
  return new Date(moment - offset).toISOString().slice(0, 16)
}

/** Empty: no moment. */
export function parseWallTime(text: string): string {
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? '' : new Date(moment).toISOString()
}
