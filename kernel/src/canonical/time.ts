import { assert } from '../assert.ts'

const DAY_MS = 86_400_000
const FIRST_YEAR = 1970
const LAST_YEAR = 9999
/** One millisecond before the year 10000. */
const LAST_INSTANT = countDaysBeforeYear(LAST_YEAR + 1) * DAY_MS - 1

/**
 * RFC 3339, UTC only: `2026-01-31T09:30:00Z`, with one to three digits of a second's fraction if
 * any, or a bare date for its first moment. Epoch milliseconds, or undefined for anything else: an
 * offset or a leap second would give one moment two spellings.
 */
export function parseInstant(text: string): number | undefined {
  const day = findDay(text)
  if (day === undefined || text.length === 10) return day
  const hour = parseDigits(text, 11, 2)
  const minute = parseDigits(text, 14, 2)
  const second = parseDigits(text, 17, 2)
  const punctuated = text[10] === 'T' && text[13] === ':' && text[16] === ':'
  if (
    !punctuated ||
    !isWithin(hour, 0, 23) ||
    !isWithin(minute, 0, 59) ||
    !isWithin(second, 0, 59)
  ) {
    return undefined
  }
  const millisecond = parseFraction(text)
  if (millisecond === undefined) return undefined
  return day + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
}

/** A time as `formatInstant` writes it: comparing such texts compares the times. */
export function isExactInstant(text: string): boolean {
  return text.length === EXACT_LENGTH && parseInstant(text) !== undefined
}

const EXACT_LENGTH = '2026-01-31T09:30:00.000Z'.length

/** Always with milliseconds and `Z`, so that the order of texts is the order of times. */
export function formatInstant(ms: number): string {
  assert(Number.isSafeInteger(ms) && isWithin(ms, 0, LAST_INSTANT), 'an instant has a year to 9999')
  const timeOfDay = ms % DAY_MS
  const date = formatDay((ms - timeOfDay) / DAY_MS)
  const hour = padNumber(Math.floor(timeOfDay / 3_600_000), 2)
  const minute = padNumber(Math.floor(timeOfDay / 60_000) % 60, 2)
  const second = padNumber(Math.floor(timeOfDay / 1000) % 60, 2)
  return `${date}T${hour}:${minute}:${second}.${padNumber(timeOfDay % 1000, 3)}Z`
}

let known = { text: '1970-01-01', day: 0 }

/** Of two times one after the other most are of one day. */
function findDay(text: string): number | undefined {
  const date = text.slice(0, DATE_LENGTH)
  if (date === known.text) return known.day
  const day = parseDay(text)
  if (day !== undefined) known = { text: date, day }
  return day
}

const DATE_LENGTH = known.text.length

function parseDay(text: string): number | undefined {
  const year = parseDigits(text, 0, 4)
  const month = parseDigits(text, 5, 2)
  const day = parseDigits(text, 8, 2)
  if (text[4] !== '-' || text[7] !== '-') return undefined
  if (!isWithin(year, FIRST_YEAR, LAST_YEAR) || !isWithin(month, 1, 12)) return undefined
  if (!isWithin(day, 1, countDaysInMonth(year, month))) return undefined
  return (countDaysBeforeYear(year) + countDaysBeforeMonth(year, month) + day - 1) * DAY_MS
}

/** What stands between the seconds and the end: nothing, or a point and digits; then `Z`. */
function parseFraction(text: string): number | undefined {
  const places = text.length - 21
  if (text.length === 20) return text[19] === 'Z' ? 0 : undefined
  if (text[19] !== '.' || !isWithin(places, 1, 3) || !text.endsWith('Z')) return undefined
  const fraction = parseDigits(text, 20, places)
  return fraction < 0 ? undefined : fraction * 10 ** (3 - places)
}

function formatDay(days: number): string {
  let year = FIRST_YEAR + Math.floor(days / 366)
  while (countDaysBeforeYear(year + 1) <= days) year += 1
  let left = days - countDaysBeforeYear(year)
  let month = 1
  while (left >= countDaysInMonth(year, month)) {
    left -= countDaysInMonth(year, month)
    month += 1
  }
  return `${padNumber(year, 4)}-${padNumber(month, 2)}-${padNumber(left + 1, 2)}`
}

/** Days from 1970-01-01 to the first of January of the year. */
function countDaysBeforeYear(year: number): number {
  return (year - FIRST_YEAR) * 365 + countLeapYearsBefore(year) - countLeapYearsBefore(FIRST_YEAR)
}

function countLeapYearsBefore(year: number): number {
  const last = year - 1
  return Math.floor(last / 4) - Math.floor(last / 100) + Math.floor(last / 400)
}

function countDaysBeforeMonth(year: number, month: number): number {
  let days = 0
  for (let earlier = 1; earlier < month; earlier += 1) days += countDaysInMonth(year, earlier)
  return days
}

function countDaysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** The number that stands at a place of fixed width; -1 where a character is not a digit. */
function parseDigits(text: string, start: number, length: number): number {
  let value = 0
  for (let i = start; i < start + length; i += 1) {
    const digit = text.charCodeAt(i) - 0x30
    if (!isWithin(digit, 0, 9)) return -1
    value = value * 10 + digit
  }
  return value
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most
}

function padNumber(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
