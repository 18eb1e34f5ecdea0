/** What a model wrote is inside of the grammar or nothing: whatever the decoder promised. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { Regex } from '../contract/pattern.ts'
import { readWritten } from './read-written.ts'

const regex: Regex = (expression, value) => new RegExp(`^(?:${expression})$`).test(value)

const open = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
})

/** The schema of a grammar of one kind with these parameters. */
const grammarOf = (params: JsonValue): { readonly schema: JsonObject } => ({
  schema: open(
    { proposal: open({ policy_kind: { enum: ['PAY'] }, params }, ['policy_kind', 'params']) },
    ['proposal'],
  ),
})

const write = (params: JsonValue): string =>
  JSON.stringify({ proposal: { policy_kind: 'PAY', params } })

/** What is wrong with one parameter `v`; empty: nothing. */
function tellOf(schema: JsonValue, value: JsonValue, rule: Regex | undefined = regex): string {
  const result = readWritten(grammarOf(open({ v: schema }, ['v'])), write({ v: value }), rule)
  if (!result.ok) return result.error
  const { policy_kind, params } = result.value
  assert.deepEqual([policy_kind, JSON.stringify(params)], ['PAY', JSON.stringify({ v: value })])
  return ''
}

const OUTSIDE = '`/proposal/params/v` is outside of the grammar'

test('a value is taken up to both ends of what its schema says, and refused beyond them', () => {
  const cases: readonly (readonly [JsonObject, readonly JsonValue[], readonly JsonValue[]])[] = [
    [{ type: 'integer', minimum: -1, maximum: 2 }, [-1, 0, 2], [-2, 3, 1.5, '1', null, true]],
    [{ type: 'integer' }, [2 ** 53 - 1], [2 ** 53, 0.5]],
    [{ type: 'number', minimum: 0.5, maximum: 1.5 }, [0.5, 1, 1.5], [0.4, 1.6, '1', null]],
    [{ type: 'number' }, [2 ** 53, -0.5], ['1', [1]]],
    [
      { type: 'string', minLength: 1, maxLength: 2 },
      ['a', 'ab', '€€', '😀😀'],
      ['', 'abc', 1, null],
    ],
    [{ type: 'string' }, ['', 'a'], [0, false, {}, []]],
    [{ type: 'string', pattern: '^[ab]{2}$' }, ['ab', 'bb'], ['a', 'abc', 'xab']],
    [{ type: 'string', pattern: '^a|b$' }, ['a', 'b'], ['ab', 'c']],
    [{ enum: ['a', 1, null, { k: [1] }] }, ['a', 1, null, { k: [1] }], ['b', '1', 0, {}, false]],
    [{ anyOf: [{ type: 'integer' }, { enum: ['x'] }] }, [1, 'x'], ['y', 1.5, null]],
    [
      { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 },
      [[1], [1, 2]],
      [[], [1, 2, 3], { length: 1 }, 'a', 1],
    ],
    [open({ a: { type: 'integer' } }), [{}, { a: 1 }], [[], 'a', null, 1]],
  ]
  for (const [schema, inside, outside] of cases) {
    for (const value of inside) assert.equal(tellOf(schema, value), '', JSON.stringify(value))
    for (const value of outside)
      assert.equal(tellOf(schema, value), OUTSIDE, `${JSON.stringify(schema)} ${value}`)
  }
})

test('a schema that says what no grammar says takes nothing', () => {
  for (const schema of [true, null, 'any', {}, { type: 'boolean' }, { type: ['integer'] }])
    for (const value of [true, 1, 'a', null]) assert.equal(tellOf(schema, value), OUTSIDE)
  assert.equal(tellOf({ anyOf: [] }, 1), OUTSIDE)
  assert.equal(tellOf({ type: 'array' }, []), '')
  assert.equal(tellOf({ type: 'array' }, [1]), '`/proposal/params/v/0` is outside of the grammar')
  const shapeless = '`/proposal/params/v` has no members'
  assert.equal(tellOf({ type: 'object', properties: {} }, {}), shapeless)
  assert.equal(tellOf({ type: 'object', required: [] }, {}), shapeless)
})

test('a pattern that nobody can evaluate takes nothing, and one of a part of the text is left to the schema of the tool', () => {
  const whole = { type: 'string', pattern: '^a$' }
  const undecided: Regex = () => undefined
  assert.equal(tellOf(whole, 'a'), '')
  const { schema } = grammarOf(open({ v: whole }))
  assert.deepEqual(readWritten({ schema }, write({ v: 'a' }), undefined), {
    ok: false,
    error: OUTSIDE,
  })
  assert.equal(tellOf(whole, 'a', undecided), OUTSIDE)
  for (const pattern of ['a', '^a', 'a$'])
    assert.equal(tellOf({ type: 'string', pattern }, 'zzz', undecided), '', pattern)
})

test('what is wrong is said of the place: of a missing member, of one too many, of an element, of the first of several', () => {
  const pair = open({ a: { type: 'integer' }, b: { type: 'integer' } }, ['a'])
  const place = '`/proposal/params/v'
  assert.equal(tellOf(pair, {}), `${place}/a\` is missing`)
  assert.equal(tellOf(pair, { b: 1 }), `${place}/a\` is missing`)
  assert.equal(tellOf(pair, { a: 1, b: 2 }), '')
  assert.equal(tellOf(pair, { a: 'x', b: 'x' }), `${place}/a\` is outside of the grammar`)
  assert.equal(tellOf(pair, { a: 1, b: 'x' }), `${place}/b\` is outside of the grammar`)
  const more = `${place}\` has a member that the grammar does not have`
  assert.equal(tellOf(pair, { a: 1, c: 1 }), more)
  assert.equal(tellOf(pair, { a: 1, toString: 1 }), more)
  const list = { type: 'array', items: { type: 'integer' } }
  assert.equal(tellOf(list, [1, 'x', 'y']), `${place}/1\` is outside of the grammar`)
  const either = { anyOf: [list, { enum: ['x'] }] }
  assert.equal(tellOf(either, ['x']), `${place}/0\` is outside of the grammar`)
})

test('what is no JSON, or no proposal, or has more than one, is refused in words of its own', () => {
  const grammar = grammarOf(open({}))
  const tell = (text: string, { schema } = grammar): string => {
    const result = readWritten({ schema }, text, regex)
    return result.ok ? '' : result.error
  }
  assert.equal(tell(write({})), '')
  assert.match(tell('{"proposal":'), /^it is no JSON: [A-Z_]+$/)
  assert.match(tell(`${write({})} ${write({})}`), /^it is no JSON: [A-Z_]+$/)
  assert.match(tell('{"proposal":1,"proposal":1}'), /^it is no JSON: [A-Z_]+$/)
  assert.equal(tell('[]'), '`/` is outside of the grammar')
  assert.equal(tell('{}'), '`/proposal` is missing')
  assert.equal(
    tell('{"proposal":{"policy_kind":"PAY","params":{}},"x":1}'),
    '`/` has a member that the grammar does not have',
  )
  assert.equal(
    tell('{"proposal":{"policy_kind":"GET","params":{}}}'),
    '`/proposal/policy_kind` is outside of the grammar',
  )
})

test('a schema of something else than a proposal lets no proposal pass', () => {
  const any = { enum: ['PAY', 7, { a: 1 }] }
  const tell = (properties: JsonObject, text: string): string => {
    const result = readWritten({ schema: open(properties) }, text, regex)
    return result.ok ? '' : result.error
  }
  assert.equal(tell({}, '{}'), 'it is no proposal')
  assert.equal(tell({ proposal: any }, '{"proposal":"PAY"}'), 'it is no proposal')
  const proposal = open({ policy_kind: any, params: any })
  for (const written of [
    '{"params":{"a":1}}',
    '{"policy_kind":7,"params":{"a":1}}',
    '{"policy_kind":"PAY"}',
    '{"policy_kind":"PAY","params":7}',
  ])
    assert.equal(tell({ proposal }, `{"proposal":${written}}`), 'it is no proposal', written)
  assert.equal(tell({ proposal }, '{"proposal":{"policy_kind":"PAY","params":{"a":1}}}'), '')
  assert.deepEqual(readWritten({ schema: { enum: ['PAY'] } }, '"PAY"', regex), {
    ok: false,
    error: 'it is no proposal',
  })
})
