import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { type ExpressionScope, evaluateCondition, evaluateExpression } from './evaluate.ts'
import type { Expression, ExpressionCondition } from './expression.ts'
import { computeNaively, expressions } from './naive.test-support.ts'
import { parseExpression } from './parse-expression.ts'
import { describeUnevaluated } from './unevaluated.ts'

const params: JsonObject = {
  item: 'tea',
  amount: '12.50',
  whole: 3,
  none: null,
  lines: [
    { price: '1.25', count: 2 },
    { price: '0.75', count: 4 },
  ],
  empty: [],
}

const FACTS: Readonly<Record<string, JsonValue>> = { 'price.tea': '4', 'word.tea': 'green' }
const scope: ExpressionScope = {
  params,
  state: (path) => (Object.hasOwn(FACTS, path) ? FACTS[path] : undefined),
}

/** The value, or why there is none. */
function evaluated(expression: Expression, given: ExpressionScope = scope): JsonValue {
  const value = evaluateExpression(expression, given)
  return value.ok ? value.value : { [value.error.kind]: describeUnevaluated(value.error) }
}

function holds(condition: ExpressionCondition): boolean | string {
  const held = evaluateCondition(condition, scope)
  return held.ok ? held.value : held.error.kind
}

const amount: Expression = { param: '/amount' }
const price: Expression = { fact: 'price.{/item}' }

test('what is read stays as it is written, and what is computed is a plain decimal', () => {
  assert.equal(evaluated(amount), '12.50')
  assert.equal(evaluated({ add: [amount, { const: 0 }] }), '12.5')
  assert.equal(evaluated({ mul: [{ param: '/whole' }, price] }), '12')
  assert.equal(evaluated({ sub: [{ const: '10' }, { const: '3' }, { const: 4 }] }), '3')
  assert.equal(evaluated({ min: [amount, price] }), '4')
  assert.equal(evaluated({ max: [amount, price] }), '12.5')
  assert.equal(evaluated({ neg: amount }), '-12.5')
  assert.equal(evaluated({ abs: { neg: amount } }), '12.5')
})

test('half of the last digit is rounded away from zero', () => {
  const rounded = (text: string, digits?: number): JsonValue =>
    evaluated({ round: { const: text }, ...(digits === undefined ? {} : { digits }) })
  assert.deepEqual(
    ['2.5', '-2.5', '2.4999', '0.4'].map((text) => rounded(text)),
    ['3', '-3', '2', '0'],
  )
  assert.equal(rounded('1.005', 2), '1.01')
  assert.equal(rounded('1.004999', 2), '1')
})

test('a sum goes over each element, and over none it is 0', () => {
  const each: Expression = { mul: [{ item: '/price' }, { item: '/count' }] }
  assert.equal(evaluated({ sum: each, of: '/lines/*' }), '5.5')
  assert.equal(evaluated({ sum: { item: '' }, of: '/lines/*/count' }), '6')
  assert.equal(evaluated({ count: true, of: '/lines/*' }), '2')
  assert.equal(evaluated({ sum: each, of: '/empty/*' }), '0')
  assert.equal(evaluated({ count: true, of: '/empty/*' }), '0')
})

test('inside of a sum stands another, and its element is that of the outer one again behind it', () => {
  const given: ExpressionScope = { params: { outer: [10, 20], inner: [1, 2] } }
  const inner: Expression = { sum: { item: '' }, of: '/inner/*' }
  const each: Expression = { add: [inner, { item: '' }] }
  assert.equal(evaluated({ sum: each, of: '/outer/*' }, given), '36')
})

test('one element without a value leaves no sum, whichever it is', () => {
  for (const lines of [
    [{}, { price: 1 }],
    [{ price: 1 }, {}],
    [{ price: 1 }, {}, { price: 2 }],
  ])
    assert.deepEqual(
      evaluated({ sum: { item: '/price' }, of: '/lines/*' }, { params: { lines } }),
      {
        absent: '`/price` is absent',
      },
    )
  assert.equal(holds({ eq: [amount, { param: '/nothing' }] }), 'absent')
  assert.equal(holds({ eq: [{ param: '/nothing' }, amount] }), 'absent')
  assert.equal(holds({ lt: [amount, { param: '/nothing' }] }), 'absent')
})

test('what was returned and with which status is read where there is an answer', () => {
  const answered: ExpressionScope = { params, result: { id: 'r1', list: [5] }, status: 0 }
  assert.equal(evaluated({ result: '/id' }, answered), 'r1')
  assert.equal(evaluated({ result: '/list/0' }, answered), 5)
  assert.deepEqual(evaluated({ result: '' }, answered), { id: 'r1', list: [5] })
  assert.equal(evaluated({ status: true }, answered), 0)
  assert.deepEqual(evaluated({ status: true }), { absent: '`status` is absent' })
  assert.deepEqual(evaluated({ result: '' }), { absent: '`result` is absent' })
  assert.deepEqual(evaluated({ fact: 'a' }, { params }), { absent: '`a` is absent' })
})

test('what is absent has no value, and the place is named', () => {
  assert.deepEqual(evaluated({ param: '/nothing' }), { absent: '`/nothing` is absent' })
  assert.deepEqual(evaluated({ param: '/none/of' }), { absent: '`/none/of` is absent' })
  assert.deepEqual(evaluated({ fact: 'price.{/nothing}' }), { absent: '`/nothing` is absent' })
  assert.deepEqual(evaluated({ fact: 'size.{/item}' }), { absent: '`size.tea` is absent' })
  assert.deepEqual(evaluated({ sum: { item: '/tax' }, of: '/lines/*' }), {
    absent: '`/tax` is absent',
  })
  assert.deepEqual(evaluated({ count: true, of: '/item/*' }), { absent: '`/item/*` is absent' })
  assert.deepEqual(evaluated({ count: true, of: '/other/*' }), { absent: '`/other/*` is absent' })
  assert.deepEqual(evaluated({ add: [amount, { param: '/constructor' }] }), {
    absent: '`/constructor` is absent',
  })
  assert.deepEqual(evaluated({ result: '/id' }), { absent: '`result/id` is absent' })
})

test('only what is chosen is evaluated', () => {
  const asked: string[] = []
  const watched: ExpressionScope = {
    params,
    state(path) {
      asked.push(path)
      return '1'
    },
  }
  const chosen: Expression = {
    if: [{ lt: [amount, { const: '100' }] }, { fact: 'a' }, { fact: 'b' }],
  }
  assert.equal(evaluated(chosen, watched), '1')
  assert.deepEqual(asked, ['a'])
})

test('what is no number is not counted with', () => {
  for (const expression of [
    { add: [amount, { param: '/item' }] },
    { neg: { param: '/none' } },
    { round: { param: '/lines' } },
  ] as const)
    assert.ok('mismatch' in Object(evaluated(expression)))
})

test('numbers are equal by value, texts as they are written', () => {
  const isSame = (left: JsonValue, right: JsonValue): boolean | string =>
    holds({ eq: [{ const: left }, { const: right }] })
  assert.equal(isSame('1.0', '1'), false, 'two texts may be names')
  assert.equal(isSame(1, '1.00'), true)
  assert.equal(isSame(1, 'one'), false)
  assert.equal(isSame(null, null), true)
  assert.equal(isSame({ a: [1] }, { a: [1] }), true)
  assert.equal(holds({ eq: [{ add: [amount, { const: '0' }] }, { const: '12.500' }] }), true)
  assert.equal(holds({ in: [{ param: '/item' }, ['coffee', 'tea']] }), true)
  assert.equal(holds({ in: [{ param: '/whole' }, ['3.0']] }), true)
  assert.equal(holds({ in: [{ param: '/item' }, ['t', 1, null]] }), false)
})

test('conditions look from the left, and what cannot be told is neither true nor false', () => {
  const unknown: ExpressionCondition = { lt: [{ param: '/nothing' }, amount] }
  const yes: ExpressionCondition = { le: [amount, amount] }
  const no: ExpressionCondition = { lt: [amount, amount] }
  assert.equal(holds({ not: unknown }), 'absent')
  assert.equal(holds({ and: [yes, unknown] }), 'absent')
  assert.equal(holds({ and: [no, unknown] }), false)
  assert.equal(holds({ or: [no, unknown] }), 'absent')
  assert.equal(holds({ or: [yes, unknown] }), true)
  assert.equal(holds({ lt: [{ param: '/item' }, amount] }), 'mismatch')
})

test('numbers have 34 digits at most, zeros at the end of a fraction apart', () => {
  const most = '9'.repeat(34)
  assert.equal(evaluated({ add: [{ const: most }, { const: '0.000' }] }), most)
  assert.deepEqual(evaluated({ add: [{ const: most }, { const: '1' }] }), {
    overflow: 'a number of more than 34 digits',
  })
  const overflows: readonly Expression[] = [
    { mul: [{ const: '1000000000000000000' }, { const: '1000000000000000000' }] },
    { neg: { const: 1e300 } },
    { neg: { const: 1e-300 } },
    { neg: { const: '1'.repeat(35) } },
  ]
  for (const one of overflows) assert.ok('overflow' in Object(evaluated(one)), JSON.stringify(one))
  const least = `0.${'0'.repeat(33)}1`
  assert.equal(evaluated({ mul: [{ const: least }, { const: '10' }] }), `0.${'0'.repeat(32)}1`)
})

test('sums and counts go over 1,024 elements at most, all of an expression together', () => {
  const list = (length: number): ExpressionScope => ({
    params: { list: Array.from({ length }, () => 1) },
  })
  const { elements } = LIMITS.manifestExpression
  const sum: Expression = { sum: { item: '' }, of: '/list/*' }
  assert.equal(evaluated(sum, list(elements)), String(elements))
  assert.ok('overflow' in Object(evaluated(sum, list(elements + 1))))
  assert.ok('overflow' in Object(evaluated({ add: [sum, sum] }, list(elements / 2 + 1))))
  assert.ok('overflow' in Object(evaluated({ sum, of: '/list/*' }, list(40))))
  assert.equal(evaluated({ sum, of: '/list/*' }, list(31)), String(31 * 31))
})

test('what is compared is counted, however long somebody makes it', () => {
  const [long, other] = ['x'.repeat(200_000), `${'x'.repeat(199_999)}y`]
  const given: ExpressionScope = {
    params: { long, other, list: Array.from({ length: 1_000 }, () => 1) },
  }
  const compared: ExpressionCondition = { eq: [{ param: '/long' }, { param: '/other' }] }
  assert.deepEqual(evaluateCondition(compared, given), { ok: true, value: false })
  const often: Expression = {
    sum: { if: [compared, { const: 1 }, { const: 0 }] },
    of: '/list/*',
  }
  assert.deepEqual(evaluated(often, given), { overflow: 'too much to compare' })
  const nested = (text: string): JsonValue => ({ a: [text, { b: text }], c: null })
  assert.equal(holds({ eq: [{ const: nested('x') }, { const: nested('x') }] }), true)
  assert.equal(holds({ eq: [{ const: nested('x') }, { const: nested('y') }] }), false)
  assert.equal(holds({ eq: [{ const: { a: 1 } }, { const: { b: 1 } }] }), false)
  assert.equal(holds({ eq: [{ const: [1] }, { const: [1, 2] }] }), false)
  assert.equal(holds({ eq: [{ const: [] }, { const: {} }] }), false)
})

test('a parameter in a path is one name and nothing else', () => {
  const read = (item: JsonValue): JsonValue => evaluated(price, { ...scope, params: { item } })
  assert.equal(read('tea'), '4')
  for (const item of ['tea.x', '', '../x', 'a b', '\u0000', 'é', null, true, ['tea'], 1.5])
    assert.ok('mismatch' in Object(read(item)), JSON.stringify(item))
  assert.deepEqual(read(7), { absent: '`price.7` is absent' })
})

test('property: evaluation is the naive one on whole numbers, wherever both have a value', () => {
  fc.assert(
    fc.property(expressions, (expression) => {
      fc.pre(parseExpression(expression).ok)
      const naive = computeNaively(expression)
      const value = evaluateExpression(expression, naive.scope)
      if (naive.value === undefined) assert.ok(!value.ok && value.error.kind === 'overflow')
      else assert.deepEqual(value, { ok: true, value: naive.value })
    }),
    { numRuns: 2_000 },
  )
})
