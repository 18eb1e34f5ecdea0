import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isExact, splitNumeral } from './numeral.ts'

test('a numeral is its significant digits and a power of ten', () => {
  const cases = [
    ['0', false, '', 0],
    ['-0.00e7', true, '', 0],
    ['120', false, '12', 1],
    ['-48500.00', true, '485', 2],
    ['0.0105', false, '105', -4],
    ['1e+21', false, '1', 21],
    ['1.50E-7', false, '15', -8],
  ] as const
  for (const [text, negative, digits, exponent] of cases) {
    assert.deepEqual(splitNumeral(text), { negative, digits, exponent }, text)
  }
})

test('exact means the same digits, the same power and the same sign', () => {
  assert(isExact(splitNumeral('10e-1'), 1))
  assert(!isExact(splitNumeral('10'), 1))
  assert(!isExact(splitNumeral('-1'), 1))
  assert(!isExact(splitNumeral('1.1'), 1))
  assert(isExact(splitNumeral('0.000'), 0))
})
