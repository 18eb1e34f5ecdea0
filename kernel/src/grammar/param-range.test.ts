import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  compareDecimal,
  type Decimal,
  multiplyDecimal,
  parseDecimal,
} from '../canonical/decimal.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import type { Expression } from '../expression/expression.ts'
import { describeTool } from './grammar.test-support.ts'
import type { DecimalRange } from './narrow-range.ts'
import { computeParamRange, listGrammarPaths, type Solved } from './param-range.ts'

function decimal(text: string): Decimal {
  const read = parseDecimal(text)
  assert.ok(read !== undefined, text)
  return read
}

const between = (min: string | null, max: string | null): DecimalRange => ({
  min: min === null ? null : decimal(min),
  max: max === null ? null : decimal(max),
})

const amount: Expression = { param: '/amount' }

const solve = (expression: Expression, range: DecimalRange, fact?: JsonValue): Solved =>
  computeParamRange(expression, range, (path) => (path === 'fx.eur' ? fact : undefined))

const isIn = (value: Decimal, { min, max }: DecimalRange): boolean =>
  (min === null || compareDecimal(value, min) >= 0) &&
  (max === null || compareDecimal(value, max) <= 0)

const FACTORS = ['1', '-1', '3', '-3', '0.07', '-0.07', '2.5', '612.1234']
const RANGES = [
  ...[between('0', '10'), between('-10', '10'), between('-9.5', '-0.5'), between('1', '2')],
  ...[between(null, '10'), between('-10', null), between(null, '-10'), between(null, null)],
]
/** Around where products leave the ranges, at the finest scale of parameters. */
const VALUES = [
  -151, -100, -4, -3.33333334, -3.33333333, -1, -0.2, 0, 0.2, 1, 3.33333333, 3.33333334,
]
  .concat([4, 100, 142.85714285, 142.85714286])
  .map((one) => decimal(String(one)))

test('a value lies in the range of the parameter just where its product lies in the range of the measure', () => {
  for (const factor of FACTORS)
    for (const range of RANGES)
      for (const expression of [
        { mul: [amount, { fact: 'fx.eur' }] },
        { mul: [{ fact: 'fx.eur' }, amount] },
        { mul: [amount, { const: factor }] },
      ]) {
        const solved = solve(expression, range, factor)
        assert.ok(solved.kind === 'range', factor)
        assert.equal(solved.param, '/amount')
        for (const value of VALUES) {
          const isInside = isIn(multiplyDecimal(value, decimal(factor)), range)
          const told = `${value.digits} e-${value.scale} times ${factor}`
          assert.equal(isIn(value, solved.range), isInside, told)
        }
      }
})

test('ends of a quotient are rounded inwards at a scale finer than any parameter, and exact ones stay', () => {
  const ends = (range: DecimalRange, factor: string): readonly (bigint | undefined)[] => {
    const solved = solve({ mul: [amount, { const: factor }] }, range)
    assert.ok(solved.kind === 'range')
    for (const end of [solved.range.min, solved.range.max]) assert.equal(end?.scale, 18)
    return [solved.range.min?.digits, solved.range.max?.digits]
  }
  assert.deepEqual(ends(between('1', '1'), '3'), [333333333333333334n, 333333333333333333n])
  assert.deepEqual(ends(between('-1', '-1'), '3'), [-333333333333333333n, -333333333333333334n])
  assert.deepEqual(ends(between('-1', '1'), '-3'), [-333333333333333333n, 333333333333333333n])
  assert.deepEqual(ends(between('-2.5', '5'), '0.5'), [-5n * 10n ** 18n, 10n ** 19n])
})

test('a parameter that nothing is multiplied with has the range of the measure', () => {
  const range = between('1', '2')
  assert.deepEqual(solve(amount, range), { kind: 'range', param: '/amount', range })
})

test('times nought the measure is nought: inside for every number, or never', () => {
  const nought = { mul: [amount, { const: '0' }] }
  const every = { kind: 'range', param: '/amount', range: { min: null, max: null } }
  for (const range of [
    between('0', '1'),
    between('-1', '0'),
    between(null, '0'),
    between('0', null),
  ])
    assert.deepEqual(solve(nought, range), every)
  assert.deepEqual(solve(nought, between(null, null)), every)
  for (const range of [between('1', '2'), between('-2', '-1'), between('0.1', null)])
    assert.deepEqual(solve(nought, range), { kind: 'never' })
  assert.deepEqual(solve(nought, between(null, '-0.1')), { kind: 'never' })
})

test('every other form, and a factor that is unknown or no number, is left to compile', () => {
  const range = between('0', '1')
  const fact = { fact: 'fx.eur' }
  for (const [expression, value] of [
    [{ mul: [amount] }, '1'],
    [{ mul: [] }, '1'],
    [{ mul: [fact] }, '1'],
    [{ mul: [amount, fact, fact] }, '1'],
    [{ mul: [amount, amount] }, '1'],
    [{ mul: [fact, fact] }, '1'],
    [{ mul: [fact, { const: '2' }] }, '1'],
    [{ mul: [amount, { abs: fact }] }, '1'],
    [{ add: [amount, fact] }, '1'],
    [{ const: '1' }, '1'],
    [{ mul: [amount, fact] }, 'much'],
    [{ mul: [amount, fact] }, null],
    [{ mul: [amount, fact] }, undefined],
    [{ mul: [amount, { const: true }] }, '1'],
    [{ mul: [amount, { fact: 'fx.{/currency}' }] }, '1'],
  ] as const)
    assert.deepEqual(
      solve(expression, range, value),
      { kind: 'unsolved' },
      JSON.stringify(expression),
    )
  assert.deepEqual(
    computeParamRange(undefined, range, () => '1'),
    { kind: 'unsolved' },
  )
  assert.deepEqual(computeParamRange({ mul: [amount, fact] }, range, undefined), {
    kind: 'unsolved',
  })
  const any = computeParamRange({ mul: [amount, { fact: 'fx.{/c}' }] }, range, () => '1')
  assert.deepEqual(any, { kind: 'unsolved' })
})

test('a product of more digits than a measure may have is left to compile: the range does not decide there', () => {
  const isSolved = (factor: string, range: DecimalRange): boolean =>
    solve({ mul: [amount, { const: factor }] }, range).kind === 'range'
  // Digits of the larger end before the point, of the factor behind it, and 8 behind the point: at most 34.
  const ones = (count: number): string => '1'.repeat(count)
  assert.ok(isSolved('2', between('0', ones(26))))
  assert.ok(!isSolved('2', between('0', ones(27))))
  assert.ok(!isSolved('2', between(`-${ones(27)}`, '0')))
  assert.ok(isSolved('2', between(`-${ones(26)}`, '0')))
  assert.ok(isSolved(`0.${ones(6)}`, between('0', ones(20))))
  assert.ok(!isSolved(`0.${ones(7)}`, between('0', ones(20))))
  assert.ok(isSolved('2', between('0', `${ones(26)}.5`)))
  // Where an end is open, a parameter of 15 digits is the largest.
  assert.ok(isSolved(ones(11), between('0', null)))
  assert.ok(!isSolved(ones(12), between('0', null)))
  assert.ok(!isSolved(`-${ones(12)}`, between(null, '0')))
  assert.ok(isSolved(`-${ones(11)}`, between(null, '0')))
})

test('the paths that a grammar depends on are the plain facts that measures multiply with, each once', () => {
  const measures = {
    a: { mul: [amount, { fact: 'fx.eur' }] },
    b: { mul: [{ fact: 'fx.usd' }, amount, { fact: 'fx.eur' }] },
    c: { mul: [amount, { fact: 'fx.{/currency}' }] },
    d: { add: [amount, { fact: 'fee' }] },
    e: { fact: 'alone' },
  }
  const text = { type: 'string' }
  const tool = describeTool({ amount: text, currency: text }, { measures })
  assert.deepEqual(listGrammarPaths(tool), ['fx.eur', 'fx.usd'])
  assert.deepEqual(listGrammarPaths({}), [])
  assert.deepEqual(listGrammarPaths(describeTool({ amount: text })), [])
})
