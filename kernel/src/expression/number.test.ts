import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDecimal, parseDecimal } from '../canonical/decimal.ts'
import { isShortNumber, roundDecimal } from './number.ts'
import { ExpressionOverflow } from './overflow.ts'

test('a number is as long as it is without the zeros at the end of its fraction', () => {
  const most = 10n ** 34n
  for (const [digits, scale] of [
    [most - 1n, 0],
    [1n - most, 34],
    [10n, 35],
    [most, 1],
    [-most, 1],
    [0n, 400],
    [1n, 34],
  ] as const)
    assert.equal(isShortNumber({ digits, scale }), true, `${digits} ${scale}`)
  for (const [digits, scale] of [
    [most, 0],
    [-most, 0],
    [1n, 35],
    [10n, 36],
    [most + 1n, 1],
    [-most - 1n, 1],
    [most * 10n, 1],
  ] as const)
    assert.equal(isShortNumber({ digits, scale }), false, `${digits} ${scale}`)
})

test('rounding to as many digits as there are, or more, changes nothing', () => {
  const round = (text: string, places: number): string =>
    formatDecimal(roundDecimal(parseDecimal(text) ?? assert.fail(text), places))
  assert.equal(round('1.25', 2), '1.25')
  assert.equal(round('1.25', 3), '1.25')
  assert.equal(round('-1.25', 1), '-1.3')
  assert.equal(round('-1.24', 1), '-1.2')
  assert.equal(round('0.05', 0), '0')
  assert.equal(round('9.99', 1), '10')
})

test('what is too large is told apart by its name, and says of what', () => {
  const thrown = new ExpressionOverflow('usd', 'a number of more than 34 digits')
  assert.deepEqual([thrown.name, thrown.of], ['ExpressionOverflow', 'usd'])
})
