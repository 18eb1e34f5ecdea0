import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseInstant } from '../canonical/time.ts'
import { parseActiveHours } from '../contract/active-hours.ts'
import { isSilent, type LocalTime } from './silence.ts'

const HOUR_MS = 3_600_000
/** 1970-01-01 was a Thursday. */
const wall = (ms: number): LocalTime => ({
  weekday: (Math.floor(ms / 86_400_000) + 3) % 7,
  minute: Math.floor(ms / 60_000) % 1440,
})
const utc = wall

function at(text: string): number {
  return parseInstant(text) ?? assert.fail(text)
}

function silent(
  since: string,
  now: string,
  active: string | null = 'Mon-Fri 09:00-17:30 UTC',
  minutes = 30,
  local = utc,
): boolean {
  const hours = active === null ? undefined : parseActiveHours(active)
  assert.ok(active === null || hours !== undefined)
  return isSilent({ minutes, hours, since: at(since), now: at(now), local })
}

test('without active hours any time counts, and exactly as long as allowed is not too long', () => {
  const since = '2026-06-06T03:00:00.000Z'
  assert.equal(silent(since, '2026-06-06T03:30:00.000Z', null), false)
  assert.equal(silent(since, '2026-06-06T03:30:00.001Z', null), true)
  assert.equal(silent(since, '2026-06-06T02:00:00.000Z', null), false, 'a clock that steps back')
})

test('in active hours the same holds to the millisecond', () => {
  const monday = '2026-06-01T10:07:33.250Z'
  assert.equal(silent(monday, '2026-06-01T10:37:33.250Z'), false)
  assert.equal(silent(monday, '2026-06-01T10:37:33.251Z'), true)
})

test('what lies outside the active hours is not counted', () => {
  const night = '2026-06-01T20:00:00.000Z'
  assert.equal(silent(night, '2026-06-02T08:59:59.999Z'), false)
  assert.equal(silent(night, '2026-06-02T09:30:00.000Z'), false)
  assert.equal(silent(night, '2026-06-02T09:30:00.001Z'), true)
})

test('a silence goes on over the night and the weekend', () => {
  const friday = '2026-06-05T17:20:00.000Z'
  assert.equal(silent(friday, '2026-06-07T12:00:00.000Z'), false, 'on Sunday')
  assert.equal(silent(friday, '2026-06-08T09:20:00.000Z'), false, 'ten minutes and twenty')
  assert.equal(silent(friday, '2026-06-08T09:20:00.001Z'), true)
})

test('more minutes than a day is active add up over days', () => {
  const since = '2026-06-01T09:00:00.000Z'
  const active = 'Mon-Fri 09:00-10:00 UTC'
  assert.equal(silent(since, '2026-06-02T10:00:00.000Z', active, 120), false)
  assert.equal(silent(since, '2026-06-03T09:00:00.000Z', active, 120), false)
  assert.equal(silent(since, '2026-06-03T09:00:00.001Z', active, 120), true)
})

test('the clocks are those of the zone, also when they are changed', () => {
  const spring = at('2026-03-29T01:00:00.000Z')
  const local = (ms: number): LocalTime => wall(ms + (ms < spring ? HOUR_MS : 2 * HOUR_MS))
  const active = 'Sun 00:00-04:00 Europe/Warsaw'
  // 00:30 to 03:30 on the wall, of which an hour did not happen.
  const since = '2026-03-28T23:30:00.000Z'
  assert.equal(silent(since, '2026-03-29T01:30:00.000Z', active, 120, local), false)
  assert.equal(silent(since, '2026-03-29T01:30:00.001Z', active, 120, local), true)
  assert.equal(silent(since, '2026-03-29T01:30:00.001Z', active, 120, utc), false)
})

test('the end of the hours is exclusive, their beginning is not', () => {
  const active = 'Mon 09:07-09:08 UTC'
  assert.equal(silent('2026-06-01T09:00:00.000Z', '2026-06-01T23:00:00.000Z', active, 1), false)
  assert.equal(silent('2026-06-01T09:00:00.000Z', '2026-06-08T09:07:00.001Z', active, 1), true)
})

test('a day that begins at a quarter of an hour of UTC begins there', () => {
  const quarter = 15 * 60_000
  const start = at('1970-01-01T00:00:00.000Z')
  const local = (ms: number): LocalTime =>
    ms < start + quarter
      ? { weekday: 6, minute: 1_425 }
      : { weekday: 0, minute: (ms - start - quarter) / 60_000 }
  const isSilentFor = (minutes: number): boolean =>
    silent(
      '1970-01-01T00:00:00.000Z',
      '1970-01-01T00:30:00.000Z',
      'Mon 00:00-12:00 UTC',
      minutes,
      local,
    )
  assert.deepEqual([isSilentFor(14), isSilentFor(15)], [true, false])
})
