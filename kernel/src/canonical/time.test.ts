import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatInstant, parseInstant } from './time.ts'

const LAST_INSTANT = 253402300799999

test('the first day is read as every other, also before any other was', () => {
  assert.equal(parseInstant('1970-01-01T00:00:00.000Z'), 0)
})

test('an instant is read and written as the platform does it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: LAST_INSTANT }), (ms) => {
      const text = new Date(ms).toISOString()
      assert.equal(formatInstant(ms), text)
      assert.equal(parseInstant(text), ms)
    }),
    { numRuns: 2000 },
  )
})

test('every day of four centuries is read and written', () => {
  for (let ms = 0; ms < 146_097 * 86_400_000; ms += 86_400_000) {
    const text = new Date(ms).toISOString()
    assert.equal(formatInstant(ms), text)
    assert.equal(parseInstant(text.slice(0, 10)), ms)
  }
})

test('fractions have one to three digits, and a bare date is its first moment', () => {
  const base = Date.UTC(2026, 0, 31, 9, 30, 5)
  assert.equal(parseInstant('2026-01-31T09:30:05Z'), base)
  assert.equal(parseInstant('2026-01-31T09:30:05.1Z'), base + 100)
  assert.equal(parseInstant('2026-01-31T09:30:05.12Z'), base + 120)
  assert.equal(parseInstant('2026-01-31T09:30:05.123Z'), base + 123)
  assert.equal(parseInstant('2026-01-31T09:30:05.003Z'), base + 3)
  assert.equal(parseInstant('2026-01-31'), Date.UTC(2026, 0, 31))
})

test('months have their lengths, and leap years their day', () => {
  for (const date of ['2024-02-29', '2000-02-29', '2026-02-28', '2026-04-30', '2026-12-31']) {
    assert.equal(parseInstant(date), Date.parse(date), date)
  }
  const wrong = ['2023-02-29', '2100-02-29', '2024-02-30', '2026-04-31', '2026-06-31', '2026-09-31']
  for (const date of [
    ...wrong,
    '2026-11-31',
    '2026-01-32',
    '2026-01-00',
    '2026-00-01',
    '2026-13-01',
  ]) {
    assert.equal(parseInstant(date), undefined, date)
  }
})

test('time runs from 1970 to 9999', () => {
  assert.equal(parseInstant('1970-01-01'), 0)
  assert.equal(parseInstant('1969-12-31T23:59:59.999Z'), undefined)
  assert.equal(parseInstant('9999-12-31T23:59:59.999Z'), LAST_INSTANT)
  assert.equal(formatInstant(LAST_INSTANT), '9999-12-31T23:59:59.999Z')
  for (const ms of [-1, LAST_INSTANT + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => formatInstant(ms), /9999/)
  }
})

test('hours, minutes and seconds have their ranges; there is no leap second', () => {
  assert.notEqual(parseInstant('2026-01-31T23:59:59Z'), undefined)
  for (const time of ['24:00:00', '23:60:00', '23:59:60', '-1:00:00', '0a:00:00']) {
    assert.equal(parseInstant(`2026-01-31T${time}Z`), undefined, time)
  }
})

test('one moment has one spelling: no offsets, no lower case, no spaces, no short forms', () => {
  const wrong = [
    ...[
      '',
      '2026',
      '2026-01',
      '2026-1-31',
      '26-01-31',
      '2026/01/31',
      '2026/01-31',
      '2026-01/31',
      '20260131',
      ' 2026-01-31',
    ],
    ...['2026-01-31T', '2026-01-31T09', '2026-01-31T09:30', '2026-01-31T09:30Z', '2026-01-31Z'],
    ...['2026-01-31 09:30:05Z', '2026-01-31t09:30:05Z', '2026-01-31T09:30:05z'],
    ...['2026-01-31T09:30:05', '2026-01-31T09:30:05+00:00', '2026-01-31T09:30:05.Z'],
    ...['2026-01-31T09:30:05.1234Z', '2026-01-31T09:30:05,1Z', '2026-01-31T09:30:05.a1Z'],
    ...['2026-01-31T09:30:05.123', '2026-01-31T09:30:05.123ZZ', '2026-01-31T09-30-05Z'],
    ...['2026-01-31T09:30:05Z ', '+2026-01-31', '２026-01-31', '2026-01-31T09:30:05.12Z0'],
  ]
  for (const text of wrong) assert.equal(parseInstant(text), undefined, text)
})
