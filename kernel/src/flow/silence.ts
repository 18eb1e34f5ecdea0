/**
 * Whether a flow has been silent for too long: longer than its contract's watchdog allows, counted
 * in the hours in which its agent is expected to speak.
 */
import type { ActiveHours } from '../contract/active-hours.ts'

/** What the clocks of a zone show: 0 is Monday; minutes of the day. */
export type LocalTime = { readonly weekday: number; readonly minute: number }

export type Silence = {
  readonly minutes: number
  /** Undefined: the agent is expected to speak at any time. */
  readonly hours: ActiveHours | undefined
  readonly since: number
  readonly now: number
  readonly local: (at: number) => LocalTime
}

const MINUTE_MS = 60_000
/** Clocks are changed, and days begin, at a quarter of an hour of UTC in every zone in use. */
const QUARTER_MS = 15 * MINUTE_MS

/** Exactly as long as allowed is not too long. */
export function isSilent({ minutes, hours, since, now, local }: Silence): boolean {
  const allowed = minutes * MINUTE_MS
  if (now - since <= allowed) return false
  if (hours === undefined) return true
  let active = 0
  for (let at = since; at < now && active <= allowed; ) {
    const next = Math.min(now, (Math.floor(at / QUARTER_MS) + 1) * QUARTER_MS)
    active += computeActivePart(hours, local(at), at, next - at)
    at = next
  }
  return active > allowed
}

/** How much of a span that crosses no quarter lies in the active hours. */
function computeActivePart(
  hours: ActiveHours,
  local: LocalTime,
  at: number,
  length: number,
): number {
  if (!hours.days.includes(local.weekday)) return 0
  const start = local.minute * MINUTE_MS + (at % MINUTE_MS)
  const from = Math.max(start, hours.from * MINUTE_MS)
  const to = Math.min(start + length, hours.to * MINUTE_MS)
  return Math.max(0, to - from)
}
