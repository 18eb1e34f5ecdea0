/** In which order a kind is narrowed, and what is left to compile or leaves nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import type { WritScope } from '../writ/writ.ts'
import { contractWith, describeTool } from './grammar.test-support.ts'
import { type KindInput, type NarrowedKind, narrowKind } from './narrow-kind.ts'
import { toNodeSchema } from './node.ts'

const text: JsonObject = { type: 'string' }
const small: JsonObject = { type: 'integer', minimum: 0, maximum: 9 }
const range = (more: JsonObject): JsonObject => ({
  ...{ id: 'cap', kind: 'range', on_breach: 'reject' },
  ...more,
})
const set = (more: JsonObject): JsonObject => ({
  ...{ id: 'only', kind: 'set', on_breach: 'reject' },
  ...more,
})

function narrow(
  permissions: JsonObject,
  description: CapabilityDescription,
  more: Partial<KindInput> = {},
): NarrowedKind {
  return narrowKind({ contract: contractWith(permissions), writs: [], description, ...more })
}

/** The schema of the parameter `to`, and what is left to compile as `place rule why`. */
function tell(narrowed: NarrowedKind): readonly unknown[] {
  assert.ok(narrowed.kind === 'narrowed', narrowed.kind)
  assert.ok(narrowed.params.kind === 'object')
  const member = narrowed.params.members.find(({ name }) => name === 'to')
  assert.ok(member !== undefined)
  const left = narrowed.unbounded.map(({ policy_kind, param, rule, why }) => {
    assert.equal(policy_kind, 'PAY')
    return `${param} ${rule} ${why}`
  })
  return [toNodeSchema(member.node), ...left]
}

function tellWhy(narrowed: NarrowedKind): string {
  assert.ok(narrowed.kind !== 'narrowed')
  const { policy_kind, param, rule } = narrowed.why
  assert.equal(policy_kind, 'PAY')
  return `${narrowed.kind} ${param} ${rule}`
}

const scoped = (to: JsonObject): CapabilityDescription =>
  describeTool({ to }, { scopes: { accounts: '/to' } })
const writ = (...scopes: readonly WritScope[]): KindInput['writs'][number] => ({ scopes })
const allow = (...accounts: readonly string[]): WritScope => ({
  kind: 'PAY',
  resources: { accounts },
})

test('a set is what contract and every writ leave of it; a writ that does not name it leaves all', () => {
  const at = (...writs: KindInput['writs']): NarrowedKind =>
    narrow({ resources: { accounts: ['a1', 'a2', 'b1'] } }, scoped(text), { writs })
  const all = { enum: ['a1', 'a2', 'b1'] }
  assert.deepEqual(tell(at()), [all])
  assert.deepEqual(tell(at(writ({ kind: 'PAY' }))), [all])
  assert.deepEqual(tell(at(writ({ kind: 'PAY', resources: { other: ['x'] } }))), [all])
  assert.deepEqual(tell(at(writ({ ...allow('a*'), kind: 'OTHER' }))), [all])
  assert.deepEqual(tell(at(writ(allow('a*')))), [{ enum: ['a1', 'a2'] }])
  assert.deepEqual(tell(at(writ(allow('a*')), writ(allow('a2', 'b1')))), [{ enum: ['a2'] }])
  assert.deepEqual(tell(at(writ(allow('a*'), { kind: 'OTHER' }))), [{ enum: ['a1', 'a2'] }])
  assert.equal(tellWhy(at(writ(allow('c*')))), 'impossible /to accounts')
  // One of several scopes must admit the whole call, and which one only compile finds out.
  assert.deepEqual(tell(at(writ(allow('a*'), allow('b*')))), [all, '/to accounts writ'])
})

test('a set with expressions is held against listed values by whoever evaluates them', () => {
  const regex = (expression: string, value: string): boolean => value.includes(expression)
  const listed = scoped({ enum: ['a1', 'b1', 7] })
  const resources = { accounts: ['re:a'] }
  assert.deepEqual(tell(narrow({ resources }, listed, { regex })), [{ enum: ['a1'] }])
  assert.equal(tellWhy(narrow({ resources }, listed)), 'impossible /to accounts')
  // What names a resource is a text: a number that is written alike names none.
  assert.deepEqual(tell(narrow({ resources: { accounts: ['*'] } }, listed)), [
    { enum: ['a1', 'b1'] },
  ])
  const limits = [set({ field: '/to', allowed: ['re:1', 're:7'], denied: ['re:b'] })]
  const plain = describeTool({ to: { enum: ['a1', 'b1', 7] } })
  assert.deepEqual(tell(narrow({ limits }, plain, { regex })), [{ enum: ['a1', 7] }])
})

test('a set that the contract does not grant has no values, whatever the writs say', () => {
  const tool = scoped(text)
  for (const resources of [{}, { accounts: [] }])
    assert.equal(
      tellWhy(narrow({ resources }, tool, { writs: [writ(allow('a1'))] })),
      'impossible /to accounts',
    )
})

test('limits are for the kinds that they name, and what cannot be said of them is left with the reason', () => {
  const tool = describeTool(
    { to: small },
    { measures: { worth: { add: [{ param: '/to' }, { const: '1' }] }, all: { const: '9' } } },
  )
  const at = (...limits: readonly JsonObject[]): readonly unknown[] =>
    tell(narrow({ policy_kinds: ['PAY', 'GET'], limits }, tool))
  const matched = {
    ...{ id: 'same', kind: 'state_match', field: 'x.y', expected: 1, on_breach: 'reject' },
  }
  assert.deepEqual(at(matched), [small, ' same fact'])
  assert.deepEqual(at(range({ field: '/to', max: '5' })), [{ ...small, maximum: 5 }])
  assert.deepEqual(at(range({ field: '/to', min: '2' })), [{ ...small, minimum: 2 }])
  assert.deepEqual(at(range({ field: '/to', max: '5', applies_to: ['GET'] })), [small])
  assert.deepEqual(at(range({ field: '/to', max: '5', applies_to: ['PAY'] })), [
    { ...small, maximum: 5 },
  ])
  assert.deepEqual(at(range({ measure: 'worth', max: '5' })), [small, ' cap measure'])
  assert.deepEqual(at(set({ measure: 'worth', allowed: ['5'] })), [small, ' only measure'])
  assert.deepEqual(
    at({ id: 'part', kind: 'ratio', measure: 'worth', of: 'all', max: '1', on_breach: 'reject' }),
    [small, ' part measure'],
  )
  assert.deepEqual(at(set({ field: '/to', allowed: ['5'] })), [small, '/to only limit'])
})

test('a measure is solved for its parameter; one of a tool that is code, or that it lacks, is left to compile', () => {
  const limits = [range({ measure: 'worth', max: '6' })]
  const measures = { worth: { mul: [{ param: '/to' }, { const: '2' }] } }
  const tool = describeTool({ to: small }, { measures })
  assert.deepEqual(tell(narrow({ limits }, tool)), [{ ...small, maximum: 3 }])
  const { manifest: _, ...code } = tool
  assert.deepEqual(tell(narrow({ limits }, code)), [small, ' cap measure'])
  const bare = { ...describeTool({ to: small }), touches: 'none' } as const
  assert.deepEqual(tell(narrow({ limits }, bare)), [small, ' cap measure'])
})

test('without a least value a limit begins at nought, and with one below it there', () => {
  const tool = describeTool({ to: { type: 'integer', minimum: -9, maximum: 9 } })
  const at = (more: JsonObject): unknown =>
    tell(narrow({ limits: [range({ field: '/to', ...more })] }, tool))[0]
  assert.deepEqual(at({ max: '5' }), { type: 'integer', minimum: 0, maximum: 5 })
  assert.deepEqual(at({ min: '-5', max: '5' }), { type: 'integer', minimum: -5, maximum: 5 })
  assert.deepEqual(at({ min: '-5' }), { type: 'integer', minimum: -5, maximum: 9 })
})

test('a set of a measure is one of the parameter that the measure is, element by element', () => {
  const measures = { target: { param: '/to' } }
  const limits = [set({ measure: 'target', allowed: ['a1', 'a2'], denied: ['a2'] })]
  assert.deepEqual(tell(narrow({ limits }, describeTool({ to: text }, { measures }))), [
    { enum: ['a1'] },
  ])
  const list = { type: 'array', items: text }
  assert.deepEqual(tell(narrow({ limits }, describeTool({ to: list }, { measures }))), [
    { type: 'array', items: { enum: ['a1'] }, minItems: 1, maxItems: 16 },
  ])
})

test('the first rule that leaves nothing is the one that is named, and nothing is applied after it', () => {
  const limits = [
    range({ field: '/to', max: '5' }),
    range({ id: 'high', field: '/to', min: '6' }),
    range({ id: 'none', field: '/lost', min: '6' }),
  ]
  assert.equal(tellWhy(narrow({ limits }, describeTool({ to: small }))), 'impossible /to high')
  const resources = { accounts: ['b1'] }
  const tool = scoped({ enum: ['a1'] })
  assert.equal(tellWhy(narrow({ resources, limits }, tool)), 'impossible /to accounts')
  const measures = { worth: { mul: [{ param: '/to' }, { const: '0' }] } }
  const never = [range({ measure: 'worth', min: '1' })]
  assert.equal(
    tellWhy(narrow({ limits: never }, describeTool({ to: small }, { measures }))),
    'impossible  cap',
  )
})

test('a tool that touches nothing is not held to limits on parameters that it lacks, but to those that it has', () => {
  const limits = [
    range({ field: '/amount', max: '5' }),
    range({ id: 'low', field: '/to', max: '7' }),
  ]
  const tool = describeTool({ to: small })
  assert.equal(tellWhy(narrow({ limits }, tool)), 'impossible /amount cap')
  assert.deepEqual(tell(narrow({ limits }, { ...tool, touches: 'none' })), [
    { ...small, maximum: 7 },
    '/amount cap limit',
  ])
})

test('rules that the tool does not answer leave nothing of the kind, and a schema that cannot be read says why', () => {
  const limits = [range({ measure: 'worth', max: '5' })]
  assert.equal(
    tellWhy(narrow({ limits }, describeTool({ to: text }))),
    'impossible  permissions.limits.cap',
  )
  const values = { enum: Array.from({ length: 1_025 }, (_, nth) => nth) }
  assert.equal(tellWhy(narrow({}, describeTool({ to: values }))), 'too_large /to too many values')
  const params = {
    type: 'object',
    properties: { to: {} },
    required: ['to'],
    additionalProperties: false,
  }
  assert.equal(
    tellWhy(narrow({}, describeTool({}, { params }))),
    'impossible /to the schema has no type',
  )
  assert.deepEqual(tell(narrow({}, describeTool({ to: text, any: {} }))).slice(1), [
    '/any left_out schema',
  ])
})
