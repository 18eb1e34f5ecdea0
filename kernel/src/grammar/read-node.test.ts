import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { GrammarNode } from './node.ts'
import { readNode } from './read-node.ts'

/** The tree, where nothing was left out of it. */
function treeOf(schema: JsonObject): GrammarNode {
  const read = readNode(schema)
  assert.ok('node' in read, JSON.stringify(schema))
  assert.deepEqual(read.findings, [], JSON.stringify(schema))
  return read.node
}

/** What the tree leaves to compile, each with its place. */
function leftOf(schema: JsonObject): readonly string[] {
  const read = readNode(schema)
  assert.ok('node' in read, JSON.stringify(schema))
  return read.findings.map(({ param, keyword }) => `${param} ${keyword}`)
}

function problemOf(schema: JsonObject): readonly [why: string, param: string, isTooLarge: boolean] {
  const read = readNode(schema)
  assert.ok('problem' in read, JSON.stringify(schema))
  return [read.problem.why, read.problem.param, read.problem.isTooLarge]
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER)
const integer: GrammarNode = { kind: 'integer', min: -SAFE, max: SAFE }
const text = { kind: 'text', min: 0, max: 256, isLengthStated: false } as const

test('each type is a tree of its own, with bounds that the schema states or that every grammar has', () => {
  for (const [schema, node] of [
    [{ type: 'string' }, text],
    [{ type: 'string', minLength: 0 }, text],
    [
      { type: 'string', minLength: 1 },
      { ...text, min: 1, isLengthStated: true },
    ],
    [
      { type: 'string', maxLength: 3 },
      { ...text, max: 3, isLengthStated: true },
    ],
    [
      { type: 'string', maxLength: 0 },
      { ...text, max: 0, isLengthStated: true },
    ],
    [
      { type: 'string', maxLength: 999 },
      { ...text, isLengthStated: true },
    ],
    [
      { type: 'string', minLength: 300 },
      { ...text, min: 300, max: 300, isLengthStated: true },
    ],
    [{ type: 'string', minLength: -1, maxLength: 1.5 }, text],
    [
      { type: 'string', pattern: '^a$' },
      { ...text, pattern: '^a$' },
    ],
    [{ type: 'string', pattern: 7 }, text],
    [{ type: 'integer' }, integer],
    [
      { type: 'integer', minimum: 1, maximum: 1 },
      { kind: 'integer', min: 1n, max: 1n },
    ],
    [{ type: 'boolean' }, { kind: 'values', values: [false, true] }],
    [{ type: 'null' }, { kind: 'values', values: [null] }],
    [
      { type: 'array', items: { type: 'integer' } },
      { kind: 'list', items: integer, min: 0, max: 16 },
    ],
    [
      { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
      { kind: 'list', items: integer, min: 2, max: 2 },
    ],
    [
      { type: 'array', items: { type: 'integer' }, minItems: 20 },
      { kind: 'list', items: integer, min: 20, max: 20 },
    ],
    [
      { type: 'array', items: { type: 'integer' }, maxItems: 20 },
      { kind: 'list', items: integer, min: 0, max: 16 },
    ],
    [
      { type: ['integer', 'null'] },
      { kind: 'choice', of: [integer, { kind: 'values', values: [null] }] },
    ],
    [{ type: ['integer'] }, integer],
    [
      { anyOf: [{ type: 'integer' }, { type: 'string' }], title: 't' },
      { kind: 'choice', of: [integer, text] },
    ],
    [{ anyOf: [{ type: 'string' }] }, text],
    [{ const: 1 }, { kind: 'values', values: [1] }],
    [
      { const: null, enum: [1] },
      { kind: 'values', values: [null] },
    ],
    [{ enum: [1, 'a'] }, { kind: 'values', values: [1, 'a'] }],
  ] satisfies readonly (readonly [JsonObject, GrammarNode])[])
    assert.deepEqual(treeOf(schema), node, JSON.stringify(schema))
})

test('an object has the members that it describes, required where the schema says so, and no other', () => {
  const properties = {
    a: { type: 'integer' },
    b: { type: 'string' },
    never: false,
    constructor: { type: 'string' },
  }
  const node: GrammarNode = {
    kind: 'object',
    members: [
      { name: 'a', required: false, node: integer },
      { name: 'b', required: true, node: text },
    ],
  }
  assert.deepEqual(treeOf({ type: 'object', properties, required: ['b'] }), node)
  assert.deepEqual(treeOf({ type: 'object' }), { kind: 'object', members: [] })
  for (const required of [['c'], ['toString'], [7]])
    assert.deepEqual(problemOf({ type: 'object', properties, required }), [
      'the schema requires a member that it does not describe',
      '',
      false,
    ])
})

test('of listed values those are left that are of the type of the schema', () => {
  const values: readonly JsonValue[] = ['a', true, 1, 1.5, null, [1], { a: 1 }]
  for (const [type, left] of [
    ['string', ['a']],
    ['boolean', [true]],
    ['number', [1, 1.5]],
    ['integer', [1]],
    ['null', [null]],
    ['array', [[1]]],
    ['object', [{ a: 1 }]],
    [
      ['string', 'null'],
      ['a', null],
    ],
  ] satisfies readonly (readonly [JsonValue, readonly JsonValue[]])[])
    assert.deepEqual(treeOf({ enum: values, type }), { kind: 'values', values: left })
  assert.deepEqual(treeOf({ enum: values }), { kind: 'values', values })
  const empty = ['no value is left', '', false]
  assert.deepEqual(problemOf({ enum: [1], type: 'string' }), empty)
  assert.deepEqual(problemOf({ enum: [] }), empty)
  assert.deepEqual(problemOf({ enum: [1], type: 'other' }), empty)
})

/** Each keyword that says nothing of a value. */
const QUIET: JsonObject = {
  $defs: {},
  $id: 'i',
  $schema: 's',
  default: 1,
  definitions: {},
  deprecated: true,
  description: 'd',
  examples: [],
  title: 't',
  'x-log': true,
}

test('keywords that say nothing of a value are not named, beside a type, values, alternatives or a reference', () => {
  const $defs = { one: { type: 'integer' } }
  const string: JsonObject = { type: 'string', minLength: 0, maxLength: 9, pattern: 'a' }
  assert.deepEqual(leftOf({ ...QUIET, type: 'integer', minimum: 0, maximum: 1 }), [])
  assert.deepEqual(leftOf({ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9 }), [])
  assert.deepEqual(
    leftOf({ type: 'object', properties: {}, required: [], additionalProperties: false }),
    [],
  )
  assert.deepEqual(leftOf({ type: 'array', items: string, minItems: 0, maxItems: 1 }), [
    '/* pattern',
  ])
  assert.deepEqual(leftOf({ ...QUIET, type: 'integer', enum: [1], const: 1 }), [])
  assert.deepEqual(leftOf({ ...QUIET, type: 'integer', anyOf: [{ type: 'integer' }] }), [])
  assert.deepEqual(leftOf({ ...QUIET, type: 'integer', $defs, $ref: '#/$defs/one' }), [])
})

test('keywords that the tree cannot say are named with their place', () => {
  const pair = {
    type: 'object',
    properties: { a: { type: 'integer', multipleOf: 2 } },
    minProperties: 1,
  }
  assert.deepEqual(leftOf(pair), [' minProperties', '/a multipleOf'])
  const nested = { type: 'object', properties: { o: pair, l: { type: 'array', items: pair } } }
  const places = ['/o minProperties', '/o/a multipleOf', '/l/* minProperties', '/l/*/a multipleOf']
  assert.deepEqual(leftOf(nested), places)
  assert.deepEqual(leftOf({ type: 'number' }), [' number'])
  assert.deepEqual(leftOf({ enum: ['a'], minLength: 1 }), [' enum'])
  assert.deepEqual(leftOf({ anyOf: [{ type: 'string' }], maxLength: 1 }), [' anyOf'])
  const $defs = { one: { type: 'string' } }
  assert.deepEqual(leftOf({ $defs, $ref: '#/$defs/one', maxLength: 1 }), [' $ref'])
  assert.deepEqual(leftOf({ type: 'string', pattern: 'a', minLength: 1 }), [' pattern'])
  assert.deepEqual(leftOf({ type: 'string', pattern: 'a' }), [])
})

test('the ends of a number are exact, and one that is none is open', () => {
  const read = readNode({ type: 'number', minimum: 0.5, maximum: 'much' })
  assert.ok('node' in read)
  assert.deepEqual(read.node, { kind: 'number', min: { digits: 5n, scale: 1 }, max: null })
  const open = readNode({ type: 'number', maximum: -2 })
  assert.ok('node' in open)
  assert.deepEqual(open.node, { kind: 'number', min: null, max: { digits: -2n, scale: 0 } })
})

test('references are followed inside of the schema alone', () => {
  const $defs = { one: { type: 'integer' }, 'a/b': { type: 'string' }, list: [{ type: 'null' }] }
  const at = ($ref: JsonValue): JsonObject => ({ $defs, $ref })
  assert.deepEqual(treeOf(at('#/$defs/one')), integer)
  assert.deepEqual(treeOf(at('#/$defs/a~1b')), text)
  for (const $ref of [
    '#/$defs/two',
    '#',
    '#/',
    '/$defs/one',
    'https://a/b#/$defs/one',
    7,
    '#/$defs/one/type/x',
    '#/$defs/toString',
    '#/$defs/list/0',
    '#/~2',
  ])
    assert.deepEqual(
      problemOf(at($ref)),
      ['the schema refers to a schema that is not here', '', false],
      String($ref),
    )
})

test('an optional member that cannot be said is left out and named; a required one leaves no tree', () => {
  const member = (part: JsonValue, required: readonly string[]): JsonObject => ({
    ...{ type: 'object', properties: { 'a/b': part, c: { type: 'integer' } }, required },
  })
  for (const [part, why] of [
    [{}, 'the schema has no type'],
    [true, 'the schema says nothing of its value'],
    [{ type: 'array' }, 'the schema says nothing of its items'],
    [
      { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 1 },
      '`minItems` > `maxItems`',
    ],
    [{ type: 'string', minLength: 2, maxLength: 1 }, '`minLength` > `maxLength`'],
    [{ type: 'integer', minimum: 2, maximum: 1 }, 'the range is empty'],
    [{ enum: [] }, 'no value is left'],
  ] satisfies readonly (readonly [JsonValue, string])[]) {
    assert.deepEqual(problemOf(member(part, ['a/b'])), [why, '/a~1b', false])
    assert.deepEqual(leftOf(member(part, [])), ['/a~1b left_out'])
    const read = readNode(member(part, []))
    assert.ok('node' in read && read.node.kind === 'object')
    assert.deepEqual(read.node.members, [{ name: 'c', required: false, node: integer }])
  }
})

test('a schema may be as deep, as large and as long as the limits, and not more, also in an optional member', () => {
  const deep = (levels: number): JsonObject =>
    levels === 0 ? { type: 'integer' } : { type: 'array', items: deep(levels - 1) }
  const tooLarge = 'the schema is too large, or refers to itself'
  const [depth, nodes, values] = [12, 2_048, 1_024]
  treeOf(deep(depth))
  assert.deepEqual(problemOf(deep(depth + 1)), [tooLarge, '/*'.repeat(depth + 1), true])
  const around: readonly ((inner: number) => JsonObject)[] = [
    (inner) => ({ anyOf: [deep(inner)] }),
    (inner) => ({ type: ['array', 'null'], items: deep(inner - 1) }),
    (inner) => ({ $ref: '#/$defs/deep', $defs: { deep: deep(inner) } }),
    (inner) => ({ type: 'object', properties: { a: deep(inner) } }),
  ]
  for (const wrap of around) {
    treeOf(wrap(depth - 1))
    const [why, , isTooLarge] = problemOf(wrap(depth))
    assert.deepEqual([why, isTooLarge], [tooLarge, true], JSON.stringify(wrap(1)))
  }
  const wide = (members: number): JsonObject => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: members }, (_, nth) => [`m${nth}`, { type: 'null' }]),
    ),
  })
  treeOf(wide(nodes - 1))
  assert.deepEqual(problemOf(wide(nodes)), [tooLarge, `/m${nodes - 1}`, true])
  const long = (count: number): JsonObject => ({
    enum: Array.from({ length: count }, (_, nth) => nth),
  })
  treeOf(long(values))
  assert.deepEqual(problemOf(long(values + 1)), ['too many values', '', true])
})
