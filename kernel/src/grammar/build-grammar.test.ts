import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { sha256 } from '../compile/case.test-support.ts'
import type { Contract } from '../contract/contract.ts'
import { readAt } from '../expression/read-at.ts'
import type { WritBody } from '../writ/writ.ts'
import { buildGrammar } from './build-grammar.ts'
import { build, contractWith, describeTool } from './grammar.test-support.ts'
import { hashGrammar } from './grammar.ts'

const text: JsonObject = { type: 'string' }
const range = (more: JsonObject): JsonObject => ({
  id: 'cap',
  kind: 'range',
  on_breach: 'reject',
  ...more,
})

function paramsOf(result: ReturnType<typeof build>): JsonObject {
  assert.ok(result.ok, JSON.stringify(result))
  const params = readAt(result.value.schema, '/properties/proposal/properties/params')
  assert.ok(isObject(params))
  return params
}

function placeOf(result: ReturnType<typeof build>, name: string): JsonValue | undefined {
  return readAt(paramsOf(result), `/properties/${name}`)
}

function codeOf(result: ReturnType<typeof build>): string {
  return result.ok ? '' : result.error.code
}

test('a parameter that a limit names is required, and a decimal inside of it', () => {
  const contract = contractWith({ limits: [range({ field: '/amount', max: '99.5' })] })
  const grammar = build(contract, describeTool({ amount: text, note: text }))
  assert.deepEqual(paramsOf(grammar).required, ['amount'])
  assert.deepEqual(placeOf(grammar, 'amount'), {
    type: 'string',
    pattern:
      '^(?:[0-9][.][0-9]{2}|(?:[1-8][0-9][.][0-9]{2}|9(?:[0-8][.][0-9]{2}|9[.](?:[0-4][0-9]|50))))$',
  })
  assert.deepEqual(placeOf(grammar, 'note'), { type: 'string', minLength: 0, maxLength: 256 })
  assert.ok(grammar.ok)
  assert.deepEqual(grammar.value.unbounded, [])
})

test('a measure that is a parameter times a fact is solved for the parameter, on the fact of the snapshot', () => {
  const contract = contractWith({ limits: [range({ measure: 'usd', max: '100' })] })
  const measures = { usd: { mul: [{ fact: 'fx.eur' }, { param: '/count' }] } }
  const tool = describeTool(
    { count: { type: 'integer', minimum: -5, maximum: 1_000 } },
    { measures },
  )
  const at = (fx: JsonValue): ReturnType<typeof build> =>
    build(contract, tool, { facts: (path) => (path === 'fx.eur' ? fx : undefined) })
  assert.deepEqual(placeOf(at('3'), 'count'), { type: 'integer', minimum: 0, maximum: 33 })
  assert.deepEqual(placeOf(at('-50'), 'count'), { type: 'integer', minimum: -2, maximum: 0 })
  assert.deepEqual(placeOf(at(0), 'count'), { type: 'integer', minimum: -5, maximum: 1000 })
  for (const unknown of [at('much'), build(contract, tool)]) {
    assert.deepEqual(placeOf(unknown, 'count'), { type: 'integer', minimum: -5, maximum: 1000 })
    assert.ok(unknown.ok)
    assert.deepEqual(unknown.value.unbounded, [
      { policy_kind: 'PAY', param: '', rule: 'cap', why: 'measure' },
    ])
  }
})

test('a fact that depends on another parameter bounds nothing, and is named', () => {
  const contract = contractWith({ limits: [range({ measure: 'usd', max: '100' })] })
  const measures = { usd: { mul: [{ param: '/amount' }, { fact: 'fx.{/currency}' }] } }
  const grammar = build(contract, describeTool({ amount: text, currency: text }, { measures }), {
    facts: () => '2',
  })
  assert.ok(grammar.ok)
  assert.deepEqual(
    grammar.value.unbounded.map(({ rule }) => rule),
    ['cap'],
  )
})

test('resource sets that are lists become values, in the contract and in every writ', () => {
  const contract = contractWith({ resources: { accounts: ['a1', 'a2', 'a3'] } })
  const one = describeTool({ to: text }, { scopes: { accounts: '/to' } })
  assert.deepEqual(placeOf(build(contract, one), 'to'), { enum: ['a1', 'a2', 'a3'] })
  const writs = [
    { scopes: [{ kind: 'PAY', resources: { accounts: ['a2', 'a3', 'a9'] } }] },
    { scopes: [{ kind: '*', resources: { accounts: ['a*'] } }] },
  ]
  assert.deepEqual(placeOf(build(contract, one, { writs }), 'to'), { enum: ['a2', 'a3'] })
  const many = describeTool(
    { to: { type: 'array', items: { type: 'string', maxLength: 2 } } },
    { scopes: { accounts: '/to' } },
  )
  const list = placeOf(build(contract, many), 'to')
  assert.ok(isObject(list))
  assert.deepEqual([list.minItems, list.items], [1, { enum: ['a1', 'a2', 'a3'] }])
})

test('patterns that stand for many values are named and left to compile; listed values are held against them', () => {
  const contract = contractWith({ resources: { accounts: ['a*'] } })
  const open = build(contract, describeTool({ to: text }, { scopes: { accounts: '/to' } }))
  assert.ok(open.ok)
  assert.deepEqual(open.value.unbounded, [
    { policy_kind: 'PAY', param: '/to', rule: 'accounts', why: 'set' },
  ])
  const listed = describeTool({ to: { enum: ['a1', 'b1', 'a2'] } }, { scopes: { accounts: '/to' } })
  assert.deepEqual(placeOf(build(contract, listed), 'to'), { enum: ['a1', 'a2'] })
})

test('denied values are taken from those that are listed', () => {
  const limit = { id: 'not', kind: 'set', field: '/to', denied: ['a2', 'b*'], on_breach: 'reject' }
  const contract = contractWith({ limits: [limit] })
  const listed = describeTool({ to: { type: 'string', enum: ['a1', 'a2', 'b1'] } })
  assert.deepEqual(placeOf(build(contract, listed), 'to'), { enum: ['a1'] })
  const open = build(contract, describeTool({ to: text }))
  assert.ok(open.ok)
  assert.deepEqual(
    open.value.unbounded.map(({ rule }) => rule),
    ['not'],
  )
})

test('what nothing could satisfy is refused, and says which rule leaves nothing', () => {
  const amount = { amount: { type: 'integer', minimum: 10 } }
  const cases: readonly (readonly [JsonObject, JsonObject, JsonObject])[] = [
    [{ limits: [range({ field: '/amount', max: '9' })] }, amount, {}],
    [
      {
        limits: [
          range({ field: '/amount', min: '5' }),
          range({ id: 'low', field: '/amount', max: '4' }),
        ],
      },
      { amount: text },
      {},
    ],
    [{ limits: [range({ field: '/other', max: '9' })] }, amount, {}],
    [
      { limits: [range({ field: '/amount', max: '0.001' })] },
      { amount: { type: 'string', pattern: '^[1-9][0-9]{0,3}$' } },
      {},
    ],
    [
      { resources: { accounts: ['a1'] } },
      { to: { enum: ['b1'] } },
      { scopes: { accounts: '/to' } },
    ],
    [
      { resources: { accounts: ['abc'] } },
      { to: { type: 'string', maxLength: 2 } },
      { scopes: { accounts: '/to' } },
    ],
    [{}, { to: text }, { scopes: { accounts: '/to' } }],
    [{ policy_kinds: ['OTHER'] }, { to: text }, {}],
    [{ policy_kinds: ['OTHER'], forbidden_kinds: ['PAY'] }, { to: text }, {}],
    [{ resources: { accounts: ['a1'] } }, { to: text }, {}],
    [
      {},
      { to: {} },
      {
        params: {
          type: 'object',
          properties: { to: {} },
          required: ['to'],
          additionalProperties: false,
        },
      },
    ],
  ]
  for (const [permissions, properties, more] of cases) {
    const contract = contractWith(permissions)
    const result = build(contract, describeTool(properties, more))
    assert.equal(codeOf(result), 'GRAMMAR_UNSATISFIABLE', JSON.stringify([permissions, properties]))
    assert.match(result.ok ? '' : result.error.summary, /`PAY`/)
  }
  const empty = buildGrammar({
    contract: contractWith({}),
    kinds: [],
    describe: () => undefined,
    sha256,
  })
  assert.equal(codeOf(empty), 'GRAMMAR_UNSATISFIABLE')
})

test('of several kinds those are left that can be written, and the others are named', () => {
  const contract = contractWith({
    policy_kinds: ['PAY', 'HOLD'],
    limits: [range({ field: '/amount', max: '9', applies_to: ['PAY'] })],
  })
  const tools = [
    describeTool({ amount: { type: 'integer', minimum: 10 } }),
    describeTool({}, {}, 'HOLD'),
  ]
  const grammar = buildGrammar({
    contract,
    kinds: ['PAY', 'HOLD', 'HOLD', 'NONE'],
    describe: (kind) => tools.find((tool) => tool.kind === kind),
    sha256,
  })
  assert.ok(grammar.ok)
  assert.deepEqual(grammar.value.kinds, ['HOLD'])
  assert.deepEqual(grammar.value.impossible, [
    { policy_kind: 'PAY', param: '/amount', rule: 'cap' },
    { policy_kind: 'NONE', param: '', rule: 'permissions.policy_kinds' },
  ])
  assert.equal(grammar.value.hash, hashGrammar(grammar.value, sha256))
})

test('a grammar that explodes is refused: by kinds, by references, by values, by the length of its schema', () => {
  const contract = contractWith({})
  const shared = (more: JsonObject): JsonObject => ({
    params: { type: 'object', additionalProperties: false, required: [], ...more },
  })
  const itself = shared({
    properties: { next: { $ref: '#/$defs/next' } },
    $defs: { next: { type: 'array', items: { $ref: '#/$defs/next' } } },
  })
  const doubled = shared({
    properties: { all: { $ref: '#/$defs/d0' } },
    $defs: Object.fromEntries(
      Array.from({ length: 5 }, (_, level) => [
        `d${level}`,
        level === 4
          ? {
              type: 'object',
              properties: Object.fromEntries(
                Array.from({ length: 200 }, (_, nth) => [`m${nth}`, text]),
              ),
            }
          : {
              type: 'object',
              properties: {
                a: { $ref: `#/$defs/d${level + 1}` },
                b: { $ref: `#/$defs/d${level + 1}` },
              },
            },
      ]),
    ),
  })
  const values = { v: { enum: Array.from({ length: 1_025 }, (_, nth) => `v${nth}`) } }
  const long = shared({
    properties: Object.fromEntries(
      Array.from({ length: 30 }, (_, nth) => [`p${nth}`, { $ref: '#/$defs/value' }]),
    ),
    $defs: { value: { enum: Array.from({ length: 1_000 }, (_, nth) => `value-${nth}`) } },
  })
  for (const tool of [
    describeTool({}, itself),
    describeTool({}, doubled),
    describeTool(values),
    describeTool({}, long),
  ])
    assert.equal(codeOf(build(contract, tool)), 'GRAMMAR_TOO_LARGE')
  const kinds = Array.from({ length: 33 }, (_, nth) => `K${nth}`)
  assert.equal(
    codeOf(buildGrammar({ contract, kinds, describe: () => undefined, sha256 })),
    'GRAMMAR_TOO_LARGE',
  )
})

test('keywords that a grammar cannot say are named, and an optional member that it cannot say is left out', () => {
  const grammar = build(
    contractWith({}),
    describeTool({
      any: {},
      list: { type: 'array', items: text, uniqueItems: true },
      price: { type: 'number', minimum: 0.5 },
      word: { type: 'string', pattern: '^[a-z]+$', maxLength: 4 },
    }),
  )
  assert.ok(grammar.ok)
  assert.deepEqual(
    grammar.value.unbounded.map(({ param, rule }) => `${param} ${rule}`),
    ['/any left_out', '/list uniqueItems', '/price number', '/word pattern'],
  )
  assert.equal(placeOf(grammar, 'any'), undefined)
})

const closed = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
})

/** A grammar of several tools, which take nothing but what is said. */
function buildOf(
  kinds: readonly string[],
  permissions: JsonObject = {},
  properties: JsonObject = {},
): ReturnType<typeof buildGrammar> {
  return buildGrammar({
    contract: contractWith({ policy_kinds: kinds, ...permissions }),
    kinds,
    describe: (kind) => (kind === 'GONE' ? undefined : describeTool(properties, {}, kind)),
    sha256,
  })
}

test('a grammar is of one closed object with a proposal: of its one kind, or of one of its kinds', () => {
  const proposalOf = (kind: string): JsonObject =>
    closed({ policy_kind: { enum: [kind] }, params: closed({}, []) }, ['policy_kind', 'params'])
  const whole = (proposal: JsonObject): JsonObject => closed({ proposal }, ['proposal'])
  const tell = (...kinds: readonly string[]): unknown => {
    const grammar = buildOf(kinds)
    assert.ok(grammar.ok)
    return JSON.parse(JSON.stringify(grammar.value.schema))
  }
  assert.deepEqual(tell('PAY'), whole(proposalOf('PAY')))
  const either = { anyOf: [proposalOf('PAY'), proposalOf('HOLD')] }
  assert.deepEqual(tell('PAY', 'HOLD'), whole(either))
})

test('a kind is granted by authority and lists of the contract and by each writ, and the first that does not is named', () => {
  const tool = describeTool({})
  const tell = (
    change: Partial<Contract>,
    writs: readonly Pick<WritBody, 'scopes'>[] = [],
    kind = 'PAY',
  ): string => {
    const contract = { ...contractWith({}), ...change }
    const grammar = buildGrammar({
      contract,
      writs,
      kinds: [kind],
      describe: () => ({ ...tool, kind }),
      sha256,
    })
    if (grammar.ok) return ''
    const rules = /\(([a-z_.]+)\)$/.exec(grammar.error.summary)
    return rules?.[1] ?? ''
  }
  const { permissions } = contractWith({})
  assert.equal(tell({}), '')
  assert.equal(tell({ authority: 'OBSERVE' }), 'authority')
  assert.equal(tell({ authority: 'PROPOSE' }), '')
  const forbidden = { ...permissions, forbidden_kinds: ['PAY'] }
  assert.equal(tell({ permissions: forbidden }), 'permissions.forbidden_kinds')
  assert.equal(tell({}, [], 'HOLD'), 'permissions.policy_kinds')
  assert.equal(tell({}, [{ scopes: [{ kind: 'PAY' }] }, { scopes: [{ kind: 'HOLD' }] }]), 'writ')
  assert.equal(tell({}, [{ scopes: [{ kind: 'P*' }] }]), '')
  // Nobody has to grant that somebody asks for a person.
  assert.equal(tell({}, [{ scopes: [] }], 'ESCALATE'), '')
  const gone = buildOf(['GONE'])
  assert.deepEqual(gone.ok ? undefined : gone.error.meta, {
    impossible: [{ policy_kind: 'GONE', param: '', rule: 'capability' }],
  })
})

test('a grammar may be for as many kinds, and of as many characters, as the limits, and not for one more', () => {
  const kinds = Array.from({ length: 33 }, (_, nth) => `K${nth}`)
  assert.ok(buildOf(kinds.slice(1)).ok)
  assert.equal(codeOf(buildOf(kinds)), 'GRAMMAR_TOO_LARGE')
  const values = Array.from({ length: 500 }, (_, nth) => `${nth}-${'v'.repeat(500)}`)
  const lengthOf = (more: string): number => {
    const grammar = buildOf(['PAY'], {}, { long: { enum: [...values, more] } })
    return grammar.ok ? toCanonicalText(grammar.value.schema).length : Number.NaN
  }
  const room = 262_144 - lengthOf('')
  assert.equal(lengthOf('x'.repeat(room)), 262_144)
  assert.equal(lengthOf('x'.repeat(room + 1)), Number.NaN)
})

test('of kinds that nothing could be written for, the first eight are told', () => {
  const kinds = Array.from({ length: 9 }, (_, nth) => `K${nth}`)
  const none = buildOf(kinds, { policy_kinds: ['OTHER'] })
  assert.ok(!none.ok)
  assert.match(
    none.error.summary,
    /: `K0` \(permissions\.policy_kinds\), .*`K7` \(permissions\.policy_kinds\)$/,
  )
})
