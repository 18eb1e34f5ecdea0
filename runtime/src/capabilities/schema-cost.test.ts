import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { compileSchema, type Validate } from './schema.ts'

function compiled(schema: JsonObject): Validate {
  const result = compileSchema(schema)
  assert.ok(result.ok, result.ok ? '' : result.error.summary)
  return result.value
}

test('parameters that an agent makes long, or many, do not hold the thread that judges them', () => {
  const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
  const many = (count: number, item: (index: number) => JsonValue): JsonValue =>
    Array.from({ length: count }, (_, index) => item(index))
  const doubled: JsonObject = {
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: 23 }, (_, level) => [
        `d${level}`,
        level === 22
          ? { type: 'string' }
          : { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
      ]),
    ),
  }
  const keys = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`k${index}`, 1]))
  const itself: JsonObject = {
    $id: 'https://example.com/tree',
    anyOf: [
      { type: 'array', items: { $ref: 'tree' }, maxItems: 1 },
      { type: 'array', items: { $ref: '#' }, minItems: 1 },
    ],
  }
  const nested = Array.from({ length: 60 }).reduce<JsonValue>((inner) => [inner], 'x')
  const choices = Array.from({ length: 200 }, (_, index) => ({ const: `v${index}` }))
  const values = Array.from({ length: 10_000 }, (_, v) => ({ v }))
  const named = Object.fromEntries(choices.slice(0, 20).map((one) => [`^${one.const}`, one]))
  const bombs: readonly (readonly [JsonObject, JsonValue])[] = [
    [{ type: 'string', pattern: '^(a|aa)*(b|c)+$' }, 'a'.repeat(250_000)],
    [list({ enum: values.map(({ v }) => v) }), many(25_000, () => 9_999)],
    [list({ type: 'object', enum: values }), many(20_000, () => ({ v: 9_999 }))],
    [list({ anyOf: choices }), many(25_000, () => 'v199')],
    [{ type: 'object', patternProperties: named }, keys],
    [doubled, 'abc'],
    [itself, nested],
    [list({ type: 'number', multipleOf: 1e-300 }), many(40_000, () => 1e300)],
  ]
  for (const [schema, value] of bombs)
    assert.match(compiled(schema)(value)[0]?.detail ?? '', /^cannot be judged: too long/)
})

test('what fits into a request is judged where each of its values is looked at once', () => {
  const strings = { type: 'array', items: { type: 'string', maxLength: 64 } }
  const texts = Array.from({ length: 30_000 }, (_, index) => `x${index}`)
  assert.deepEqual(compiled(strings)(texts), [])
  const digits = Array.from({ length: 130_000 }, () => 1)
  assert.deepEqual(compiled({ type: 'array', items: { type: 'integer' } })(digits), [])
  const short = compiled({ type: 'string', maxLength: 10, pattern: '^(a|aa)*(b|c)+$' })
  assert.equal(short('a'.repeat(250_000))[0]?.detail, 'must NOT have more than 10 characters')
})

test('items are told apart by what they are, however many there are', () => {
  const unique = compiled({ type: 'array', uniqueItems: true })
  const items = Array.from({ length: 20_000 }, (_, index) => ({ a: index, b: [index] }))
  assert.deepEqual(unique(items), [])
  assert.deepEqual(unique([1, '1', true, 'true', null, 'null', [1], { a: 1 }]), [])
  for (const twice of [
    [1, 2, 1],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [[null], [null]],
  ])
    assert.equal(unique(twice)[0]?.detail, 'must NOT have duplicate items')
  assert.deepEqual(compiled({ type: 'array', uniqueItems: false })([1, 1]), [])
})

test('a schema that takes long to compile, or refers to what is none, is refused', () => {
  const refused = (schema: JsonObject): string => {
    const result = compileSchema(schema)
    return result.ok ? '' : result.error.summary
  }
  const parts = Array.from({ length: 1_001 }, () => ({ minLength: 1 }))
  assert.match(refused({ allOf: parts }), /holds 1002 schemas, at most 1000/)
  assert.match(refused({ type: 'string', pattern: 'a{1000}'.repeat(11) }), /11002 states/)
  const hidden = { $ref: '#/default', default: { type: 'string' } }
  assert.match(refused(hidden), /`\$ref` to `#\/default`, where no schema is/)
})

test('names that an agent gives to members are not repeated at length', () => {
  const closed = compiled({ type: 'object', additionalProperties: { type: 'string' } })
  const [problem] = closed({ ['a'.repeat(100_000)]: 1 })
  assert.ok((problem?.path.length ?? Number.NaN) <= 512)
  const none = compiled({ type: 'object', additionalProperties: false })
  assert.ok((none({ ['a'.repeat(100_000)]: 1 })[0]?.detail.length ?? Number.NaN) <= 1_024)
})
