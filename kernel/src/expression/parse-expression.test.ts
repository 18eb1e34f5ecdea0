import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { evaluateCondition, evaluateExpression } from './evaluate.ts'
import type { Expression, ExpressionCondition } from './expression.ts'
import { parseCondition, parseExpression } from './parse-expression.ts'

const one = { const: '1' }

/** The place and what is wrong with it. */
function problemOf(value: unknown): string {
  const parsed = parseExpression(value)
  return parsed.ok ? 'parsed' : parsed.error.summary
}

const GOOD: readonly Expression[] = [
  { param: '/a/0/b' },
  { fact: 'price.{/item}' },
  { const: { any: ['json', null] } },
  { add: [one, one, one] },
  { sub: [one, one] },
  { mul: [one, one] },
  { min: [one, one] },
  { max: [one, one] },
  { abs: one },
  { neg: one },
  { round: one },
  { round: one, digits: 34 },
  { sum: { mul: [{ item: '/price' }, { item: '' }] }, of: '/lines/*' },
  { count: true, of: '/lines/*/parts/*' },
  { if: [{ not: { eq: [one, one] } }, one, one] },
  { if: [{ and: [{ lt: [one, one] }, { le: [one, one] }] }, one, one] },
  { if: [{ or: [{ in: [one, ['1']] }, { eq: [one, one] }] }, one, one] },
]

test('every form of an expression parses as itself', () => {
  for (const expression of GOOD) {
    const parsed = parseExpression(expression)
    assert.ok(parsed.ok, JSON.stringify(expression))
    assert.deepEqual(JSON.stringify(parsed.value), JSON.stringify(expression))
  }
})

test('one member more, or one that does not belong, is refused by its name', () => {
  for (const expression of GOOD) {
    assert.match(problemOf({ ...expression, extra: 1 }), /`\/extra` is not a known field/)
    assert.equal(problemOf({ ...expression, param: '/a', fact: 'b' }) === 'parsed', false)
  }
  assert.match(problemOf({ add: [one, one], of: '/a/*' }), /`\/of` is not a known field/)
  assert.match(problemOf({ abs: one, digits: 1 }), /`\/digits` is not a known field/)
})

test('what is wrong is told with its place', () => {
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [null, /^the document must be an object with one of/],
    [{}, /has none of .* but nothing/],
    [{ div: [one, one] }, /has none of .* but `div`/],
    [{ add: [one, one], mul: [one, one] }, /has both `add` and `mul`/],
    [{ add: [one] }, /`\/add` must be a list of 2 to 128, not of 1/],
    [{ add: { 0: one } }, /`\/add` must be a list/],
    [{ add: [one, { neg: { param: 1 } }] }, /`\/add\/1\/neg\/param` must be a JSON pointer/],
    [{ param: '/lines/*' }, /`\/param` must be a JSON pointer to one parameter, without `\*`/],
    [{ param: 'amount' }, /`\/param` must be/],
    [{ param: '' }, /`\/param` must be/],
    [{ param: '/__proto__' }, /`\/param` must be/],
    [{ sum: { item: '/constructor' }, of: '/a/*' }, /`\/sum\/item` must be/],
    [{ fact: 'price.{item}' }, /`\/fact` has a `\{` that begins no/],
    [{ fact: 'price.{/item' }, /`\/fact` has a `\{`/],
    [{ fact: 'price.{/lines/*}' }, /`\/fact` has a `\{`/],
    [{ fact: 'price.}' }, /`\/fact` has a `\}`/],
    [{ fact: '' }, /`\/fact` must not be empty/],
    [{ fact: 'price/{/item}' }, /`\/fact` has characters/],
    [{ fact: '{/a}{/b}' }, /two parameters with nothing between/],
    [{ fact: '{/a}x{/b}' }, /no punctuation between two parameters/],
    [{ result: '/id' }, /`\/result` there is no result yet/],
    [{ status: true }, /`\/status` the status can be read in a probe alone/],
    [{ item: '/price' }, /`\/item` there is no element here/],
    [{ sum: one, of: '/lines' }, /`\/of` must be a JSON pointer in which/],
    [{ sum: one }, /`\/of` is missing/],
    [{ count: false, of: '/a/*' }, /`\/count` must be `true`/],
    [{ round: one, digits: 1.5 }, /`\/digits` must be a whole number/],
    [{ round: one, digits: 35 }, /`\/digits` must be a whole number/],
    [{ if: [one, one, one] }, /`\/if\/0` has none of eq/],
    [{ if: [{ eq: [one, one] }, one] }, /`\/if` must be a list of 3, not of 2/],
    [{ if: [{ eq: [one] }, one, one] }, /`\/if\/0\/eq` must be a list of 2, not of 1/],
    [{ if: [{ in: [one, []] }, one, one] }, /`\/if\/0\/in\/1` must be a list of 1/],
    [{ eq: [one, one] }, /has none of param/],
    [{ const: JSON.parse('{"__proto__":1}') }, /`\/const\/__proto__` key `__proto__`|not allowed/],
    [{ const: undefined }, /`\/const` a value of type undefined/],
  ]
  for (const [value, wanted] of cases) assert.match(problemOf(value), wanted)
})

test('there are 16 levels and 128 parts at most', () => {
  const nested = (levels: number): Expression =>
    levels === 1 ? { const: 1 } : { neg: nested(levels - 1) }
  const { depth, nodes } = LIMITS.manifestExpression
  assert.equal(problemOf(nested(depth)), 'parsed')
  assert.match(problemOf(nested(depth + 1)), /nested deeper than 16/)
  const wide = (parts: number): Expression => ({
    add: Array.from({ length: parts - 1 }, () => one),
  })
  assert.equal(problemOf(wide(nodes)), 'parsed')
  assert.match(problemOf(wide(nodes + 1)), /more than 128 parts/)
  assert.match(problemOf(wide(100_000)), /list of 2 to 128/)
})

/** The grammar once more, said in another way. */
function isInGrammar(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const entries = Object.entries(value) as readonly (readonly [string, JsonValue])[]
  const [first] = entries
  if (first === undefined || entries.length > 2) return false
  const at = (name: string): JsonValue | undefined => entries.find(([key]) => key === name)?.[1]
  if (entries.length === 2) {
    if (at('of') !== '/l/*') return false
    return at('count') === true || (at('sum') !== undefined && isInGrammar(at('sum') as JsonValue))
  }
  const [name, inner] = first
  const list: readonly JsonValue[] = Array.isArray(inner) ? inner : []
  if (name === 'param') return inner === '/a'
  if (name === 'const') return true
  if (name === 'abs' || name === 'neg' || name === 'round') return isInGrammar(inner)
  if (name === 'add' || name === 'max') return list.length >= 2 && list.every(isInGrammar)
  if (name !== 'if' || list.length !== 3) return false
  const [condition, ...branches] = list
  const pair = Object.entries(Object(condition)) as readonly (readonly [string, JsonValue])[]
  const operands: readonly JsonValue[] = Array.isArray(pair[0]?.[1]) ? pair[0][1] : []
  return (
    !Array.isArray(condition) &&
    pair.length === 1 &&
    pair[0]?.[0] === 'lt' &&
    operands.length === 2 &&
    operands.every(isInGrammar) &&
    branches.every(isInGrammar)
  )
}

/** Things that look like expressions: many are, most are not quite. */
const lookalikes = fc.letrec<{ any: JsonValue; list: JsonValue }>((tie) => ({
  list: fc.array(tie('any'), { maxLength: 3 }),
  any: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<JsonValue>({ param: '/a' }, { const: 1 }, { count: true, of: '/l/*' }, '/a', 1),
    fc.tuple(fc.constantFrom('abs', 'neg', 'round'), tie('any')).map(([k, v]) => ({ [k]: v })),
    fc.tuple(fc.constantFrom('add', 'max', 'if', 'lt'), tie('list')).map(([k, v]) => ({ [k]: v })),
    fc
      .tuple(tie('any'), tie('any'), tie('any'))
      .map(([a, b, c]) => ({ if: [{ lt: [a, b] }, b, c] })),
    fc.tuple(tie('any'), fc.constantFrom('/l/*', '/l', '')).map(([sum, of]) => ({ sum, of })),
    fc.tuple(tie('any'), tie('any')).map(([neg, abs]) => ({ neg, abs })),
    fc.tuple(tie('any'), tie('any')).map(([neg, other]) => ({ neg, other })),
  ),
})).any

test('property: what parses is exactly what the grammar has', () => {
  let inside = 0
  fc.assert(
    fc.property(lookalikes, (value) => {
      const expected = isInGrammar(value)
      inside += expected ? 1 : 0
      assert.equal(parseExpression(value).ok, expected)
    }),
    { numRuns: 3_000 },
  )
  assert.ok(inside > 300, `some are inside: ${inside}`)
})

test('property: nothing that anybody sends makes a parser or an evaluation throw', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), fc.jsonValue(), (value, params) => {
      parseCondition(value)
      assert.equal(parseExpression(value).ok, false)
      const scope = { params: Object(params), result: params as JsonValue, status: 200 }
      for (const expression of GOOD) evaluateExpression(expression, scope)
      const condition: ExpressionCondition = { eq: [{ result: '/a' }, { param: '/a' }] }
      evaluateCondition(condition, scope)
    }),
    { numRuns: 500 },
  )
})
