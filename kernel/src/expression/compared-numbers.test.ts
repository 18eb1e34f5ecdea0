/** Whatever is compared is counted, also numbers: an agent chooses how many there are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { evaluateExpression } from './evaluate.ts'
import type { Expression, ExpressionCondition } from './expression.ts'

const { elements: most } = LIMITS.manifestExpression
const ONE: Expression = { const: '1' }

/** How many of the elements are in one of so many equal lists. */
function countAmong(list: readonly JsonValue[], lists: number): Expression {
  const among: ExpressionCondition = { in: [{ item: '' }, list] }
  const any: ExpressionCondition = { or: Array.from({ length: lists }, () => among) }
  return { sum: { if: [any, ONE, { const: '0' }] }, of: '/items/*' }
}

function evaluate(expression: Expression, items: readonly JsonValue[]): JsonValue {
  const value = evaluateExpression(expression, { params: { items } })
  return value.ok ? value.value : value.error.kind
}

test('numbers that are looked for in long lists do not hold up whoever decides', (t) => {
  const numbers = Array.from({ length: most }, (_, index) => index)
  const expressions = {
    'numbers among numbers': [numbers.map((one) => one + 0.5), numbers],
    'numbers among texts': [numbers.map((one) => `n${one}`), numbers],
    'texts among numbers': [numbers, numbers.map((one) => `${one}.25`)],
  } as const
  for (const [name, [list, items]] of Object.entries(expressions)) {
    const expression = countAmong(list, 2)
    const began = performance.now()
    assert.equal(evaluate(expression, items), 'overflow', name)
    t.diagnostic(`${name}: ${performance.now() - began} ms`)
  }
})

test('a list of a thousand is long enough for a handful of numbers', () => {
  const numbers = Array.from({ length: most }, (_, index) => index)
  assert.equal(evaluate(countAmong(numbers, 2), [1, '2.0', 1023, -1, 'tea']), '3')
})
