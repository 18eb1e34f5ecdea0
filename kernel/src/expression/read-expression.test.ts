import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import { type DocumentProblem, Place } from '../contract/reader.ts'
import { LIMITS } from '../limits.ts'
import { parseCondition, parseExpression } from './parse-expression.ts'
import { createNamed, type Named, readCondition, readTextTemplate } from './read-expression.ts'

const one = { const: '1' }
const bad = { param: 7 }

function tellCondition(condition: JsonValue): string {
  const parsed = parseCondition(condition)
  return parsed.ok ? 'parsed' : parsed.error.summary
}

test('what is wrong in an operand of a condition is told by its place', () => {
  for (const [condition, place] of [
    [{ not: { eq: [one, bad] } }, '/not/eq/1/param'],
    [{ and: [{ eq: [one, one] }, { lt: [bad, one] }] }, '/and/1/lt/0/param'],
    [{ or: [{ le: [one, bad] }, { eq: [one, one] }] }, '/or/0/le/1/param'],
    [{ in: [bad, ['1']] }, '/in/0/param'],
    [{ not: one }, '/not'],
    [{ and: [{ eq: [one, one] }, one] }, '/and/1'],
  ] as const)
    assert.ok(tellCondition(condition).startsWith(`\`${place}\``), tellCondition(condition))
  for (const [operator, least] of [
    ['and', 2],
    ['or', 2],
  ] as const)
    assert.match(
      tellCondition({ [operator]: [{ eq: [one, one] }] }),
      new RegExp(`list of ${least} to 128, not of 1`),
    )
  for (const operator of ['eq', 'lt', 'le', 'in'])
    for (const operands of [[one], [one, one, one]])
      assert.match(tellCondition({ [operator]: operands }), /must be a list of 2, not of/)
})

test('what is wrong in a choice or a sum is told by its place', () => {
  const tell = (expression: JsonValue): string => {
    const parsed = parseExpression(expression)
    return parsed.ok ? 'parsed' : parsed.error.summary
  }
  const holds = { eq: [one, one] }
  for (const [expression, place] of [
    [{ if: [{ eq: [one, bad] }, one, one] }, '/if/0/eq/1/param'],
    [{ if: [holds, bad, one] }, '/if/1/param'],
    [{ if: [holds, one, bad] }, '/if/2/param'],
    [{ sum: bad, of: '/lines/*' }, '/sum/param'],
    [{ sum: one, of: 'lines/*' }, '/of'],
    [{ sum: one, of: '/lines' }, '/of'],
    [{ sum: { item: '/a/*' }, of: '/lines/*' }, '/sum/item'],
    [{ count: 1, of: '/lines/*' }, '/count'],
  ] as const)
    assert.ok(tell(expression).startsWith(`\`${place}\``), `${place}: ${tell(expression)}`)
  const { depth } = LIMITS.manifestExpression
  const inSum = (levels: number): JsonValue => {
    let inner: JsonValue = { item: '' }
    for (let level = 2; level < levels; level += 1) inner = { neg: inner }
    return { sum: inner, of: '/lines/*' }
  }
  assert.equal(tell(inSum(depth)), 'parsed')
  assert.match(tell(inSum(depth + 1)), /nested deeper than 16/)
})

test('conditions are as deep as expressions, counted through both', () => {
  const { depth } = LIMITS.manifestExpression
  const base = { eq: [one, one] }
  const nest = (levels: number, wrap: (inner: JsonValue) => JsonValue): JsonValue => {
    let condition: JsonValue = base
    for (let level = 2; level < levels; level += 1) condition = wrap(condition)
    return condition
  }
  for (const wrap of [
    (inner: JsonValue): JsonValue => ({ not: inner }),
    (inner: JsonValue): JsonValue => ({ and: [base, inner] }),
    (inner: JsonValue): JsonValue => ({ or: [inner, base] }),
  ]) {
    assert.equal(tellCondition(nest(depth, wrap)), 'parsed')
    assert.match(tellCondition(nest(depth + 1, wrap)), /nested deeper than 16/)
  }
  const inList = (levels: number): JsonValue => {
    let expression: JsonValue = one
    for (let level = 2; level < levels; level += 1) expression = { neg: expression }
    return { in: [expression, ['1']] }
  }
  assert.equal(tellCondition(inList(depth)), 'parsed')
  assert.match(tellCondition(inList(depth + 1)), /nested deeper than 16/)
  const choice = (levels: number, at: number): JsonValue => {
    let expression: JsonValue = one
    for (let level = 1; level < levels; level += 1)
      expression = { if: [base, at === 1 ? expression : one, at === 2 ? expression : one] }
    return expression
  }
  for (const at of [1, 2]) {
    assert.equal(parseExpression(choice(depth - 1, at)).ok, true)
    assert.equal(parseExpression(choice(depth, at)).ok, false, 'what it compares is deeper')
  }
})

test('a choice is among 1 to 1,024 values, rounding to 0 to 34 digits', () => {
  const { elements } = LIMITS.manifestExpression
  const among = (length: number): string =>
    tellCondition({ in: [one, Array.from({ length }, (_, at) => at)] })
  assert.equal(among(1), 'parsed')
  assert.equal(among(elements), 'parsed')
  for (const length of [0, elements + 1]) assert.match(among(length), /a list of 1 to 1024 values/)
  assert.match(tellCondition({ in: [one, 'abc'] }), /a list of 1 to 1024 values/)
  for (const digits of [0, 34]) assert.equal(parseExpression({ round: one, digits }).ok, true)
  for (const digits of [-1, 35, 0.5, '2'])
    assert.equal(parseExpression({ round: one, digits }).ok, false, String(digits))
})

function readNamed(condition: JsonValue): Named {
  const named = createNamed()
  const problems: DocumentProblem[] = []
  readCondition(condition, new Place(problems), { facts: true }, named)
  assert.deepEqual(problems, [])
  return named
}

test('all that is named is known, and every part is counted once', () => {
  const { pointers, facts, nodes } = readNamed({
    and: [
      { eq: [{ param: '/a' }, { fact: 'price.{/b}' }] },
      {
        lt: [
          { sum: { item: '/price' }, of: '/lines/*' },
          { count: true, of: '/parts/*' },
        ],
      },
    ],
  })
  assert.deepEqual([...pointers].sort(), ['/a', '/b', '/lines/*', '/lines/*/price', '/parts/*'])
  assert.deepEqual([...facts], ['price.{/b}'])
  assert.equal(nodes, 8)
})

test('a text with parameters is as long as any in a manifest', () => {
  const read = (text: JsonValue): readonly DocumentProblem[] => {
    const problems: DocumentProblem[] = []
    readTextTemplate(text, new Place(problems), 'id', createNamed())
    return problems
  }
  assert.deepEqual(read('a'.repeat(LIMITS.manifestTextLength)), [])
  assert.equal(read('a'.repeat(LIMITS.manifestTextLength + 1)).length, 1)
  assert.equal(read(7).length, 1)
})
