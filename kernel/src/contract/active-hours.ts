/**
 * When an agent is expected to speak: `Mon-Fri 09:00-17:30 Europe/Warsaw`. Days, a span of one day,
 * and a zone, each said one way. The kernel reads the text; what the clocks of a zone show is not
 * for it to know.
 */
const DAYS: readonly string[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const LAST_MINUTE = 24 * 60
const ZONE_LENGTH = 64

export type ActiveHours = {
  /** 0 is Monday. */
  readonly days: readonly number[]
  /** Minutes of the day; `to` is exclusive and may be the end of the day. */
  readonly from: number
  readonly to: number
  readonly zone: string
}

/** Undefined for what is written in any other way. */
export function parseActiveHours(text: string): ActiveHours | undefined {
  const [dayText = '', spanText = '', zone = '', ...more] = text.split(' ')
  const days = parseDays(dayText)
  const span = spanText.split('-').map(parseMinute)
  const [from, to] = span
  if (days === undefined || span.length !== 2 || more.length > 0 || !isZone(zone)) return undefined
  if (from === undefined || to === undefined || from >= to) return undefined
  return { days, from, to, zone }
}

/** `Mon-Wed,Fri`: in the order of the week, no day twice. */
function parseDays(text: string): readonly number[] | undefined {
  const days: number[] = []
  for (const part of text.split(',')) {
    const ends = part.split('-').map((name) => DAYS.indexOf(name))
    const [first = -1, last = first] = ends
    const after = days.at(-1) ?? -1
    if (ends.length > 2 || first <= after || last < first) return undefined
    if (ends.length === 2 && last === first) return undefined
    for (let day = first; day <= last; day += 1) days.push(day)
  }
  return days
}

/** `09:00`, up to `24:00`. */
function parseMinute(text: string): number | undefined {
  const hour = parseTwoDigits(text, 0)
  const minute = parseTwoDigits(text, 3)
  if (text.length !== 5 || text[2] !== ':' || hour < 0 || minute < 0 || minute > 59)
    return undefined
  const total = hour * 60 + minute
  return total > LAST_MINUTE ? undefined : total
}

/** -1 where there are none. */
function parseTwoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30
  const ones = text.charCodeAt(at + 1) - 0x30
  const sound = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9
  return sound ? tens * 10 + ones : -1
}

/** The form of a name in the time zone database. Whether there is such a zone is asked elsewhere. */
function isZone(text: string): boolean {
  if (text.length > ZONE_LENGTH) return false
  return text.split('/').every((part) => {
    return isLetter(part.charCodeAt(0)) && [...part].every((char) => isZoneCharacter(char))
  })
}

function isZoneCharacter(char: string): boolean {
  const code = char.charCodeAt(0)
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || '_-+'.includes(char)
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}
