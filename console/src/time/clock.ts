/** Time as people read it: how long ago, how much is left, and exactly when. */
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `3 s ago`, `in 2 min`; beyond a month the date itself. */
export function formatRelative(at: string, now: number): string {
  const difference = Date.parse(at) - now
  if (Number.isNaN(difference)) return at
  const size = Math.abs(difference)
  if (size > 30 * DAY) return at.slice(0, 10)
  const text = formatDuration(size)
  return difference > 0 ? `in ${text}` : `${text} ago`
}

/** `412 ms`, `3 s`, `2 min`, `5 h`, `3 d` */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < MINUTE) return `${Math.floor(ms / 1_000)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`
  return `${Math.floor(ms / DAY)} d`
}

/** `11:42`, `1:02:03`; what is over is `0:00`. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const padTwo = (value: number): string => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor((seconds % 3_600) / 60)
  const rest = padTwo(seconds % 60)
  return hours > 0 ? `${hours}:${padTwo(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** `2026-11-03 12:04:09`, in UTC or where the reader is. */
export function formatAbsolute(at: string, utc: boolean): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  const shifted = utc ? date : new Date(date.getTime() - date.getTimezoneOffset() * MINUTE)
  const text = shifted.toISOString().slice(0, 19).replace('T', ' ')
  return utc ? `${text} UTC` : text
}
