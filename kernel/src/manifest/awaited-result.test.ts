/** What a delta says beside the result is looked at before anything is sent: afterwards it would be too late. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { FactView } from '../execution/capability.ts'
import { LIMITS } from '../limits.ts'
import { buildManifestLaw } from './manifest-law.ts'
import { parseManifest } from './parse-manifest.ts'
import { withRefund } from './refund.test-support.ts'

const params: JsonObject = { order: 'o1', amount: '12.50' }
const view: FactView = {
  now: '2026-01-01T00:00:00Z',
  state: () => undefined,
  world: (kind, id) =>
    kind === 'till'
      ? { kind, id, version: 1, value: id === 'main' ? '1' : 'a drawer', retracted: false }
      : undefined,
}

/** What is missing for the delta before the executor was asked; null: nothing that could be known. */
function findMissing(op: JsonObject | JsonObject[], given: JsonObject = params): string | null {
  const parsed = parseManifest(withRefund({ precondition: null, delta: [op].flat() }))
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return buildManifestLaw(parsed.value).precondition(given, view)
}

const create = (value: JsonValue): JsonObject => ({
  op: 'create',
  kind: 'refund',
  id: '{/order}',
  value,
})
const count = (by: JsonValue): JsonObject => ({ op: 'increment', kind: 'till', id: 'main', by })
const id = { $: { result: '/id' } }
const account = { param: '/account' }

test('an absent parameter behind the result does not wait until the effect has happened', () => {
  assert.match(
    String(findMissing(create({ id, account: { $: account } }))),
    /`\/account` is absent/,
  )
  assert.match(String(findMissing(create([id, [{ $: account }]]))), /`\/account` is absent/)
  assert.equal(
    findMissing(create({ id, account: { $: account } }), { ...params, account: 'a' }),
    null,
  )
  assert.equal(findMissing(create({ id })), null)
  assert.equal(findMissing(create({ $: { result: '' } })), null)
})

test('an operand that can be no number does not wait for the one beside it', () => {
  const rate = { result: '/rate' }
  assert.match(String(findMissing(count({ mul: [rate, account] }))), /`\/account` is absent/)
  assert.match(String(findMissing(count({ mul: [rate, { param: '/order' }] }))), /not a number/)
  const long = { mul: [{ const: '9'.repeat(30) }, { const: '9'.repeat(30) }] }
  assert.throws(() => findMissing(count({ add: [rate, long] })), /more than 34 digits/)
  assert.match(
    String(findMissing(count({ neg: { round: { min: [{ abs: rate }, account] } } }))),
    /`\/account` is absent/,
  )
  assert.equal(findMissing(count({ mul: [rate, { param: '/amount' }] })), null)
  assert.equal(findMissing(count(rate)), null)
})

test('each operator looks at all of its operands before the result is there', () => {
  for (const operator of ['add', 'sub', 'mul', 'min', 'max'])
    assert.match(
      String(findMissing(count({ [operator]: [{ result: '/rate' }, account] }))),
      /`\/account` is absent/,
      operator,
    )
})

test('what is no number is not counted up by a result that is not there yet', () => {
  const drawer = { ...count({ result: '/rate' }), id: 'other' }
  assert.match(String(findMissing(drawer)), /`till.other` cannot be counted up/)
})

test('a branch that the result decides is not taken for missing, one that is decided is', () => {
  const isDone = { eq: [{ result: '/state' }, { const: 'done' }] }
  const isDear = { lt: [{ const: '10' }, { param: '/amount' }] }
  assert.equal(findMissing(count({ if: [isDone, account, { const: '1' }] })), null)
  const add = (chosen: JsonValue): JsonObject => ({
    add: [{ result: '/fee' }, { if: [isDear, chosen, { const: '1' }] }],
  })
  assert.match(String(findMissing(count(add(account)))), /`\/account` is absent/)
  const inner = { if: [isDear, { add: [{ result: '/fee' }, account] }, { const: '1' }] }
  assert.match(String(findMissing(count(inner))), /`\/account` is absent/)
  assert.equal(findMissing(count(add({ const: '2' }))), null)
})

test('elements that are not there do not wait for what is computed of them', () => {
  const sum = { sum: { mul: [{ item: '/price' }, { result: '/rate' }] }, of: '/lines/*' }
  assert.match(String(findMissing(count(sum))), /`\/lines\/\*` is absent/)
  assert.equal(findMissing(count(sum), { ...params, lines: [{ price: '1' }] }), null)
})

test('two changes that an agent makes one by its parameters are not sent', () => {
  const both = (one: JsonObject, other: JsonObject): JsonObject[] => [
    { ...one, id: '{/order}', kind: 'till' },
    { ...other, id: '{/account}', kind: 'till' },
  ]
  const replace = { op: 'replace', value: { $: { param: '/amount' } } }
  const retract = { op: 'retract' }
  const add = { op: 'increment', by: { param: '/amount' } }
  const same = { order: 'main', account: 'main', amount: '5' }
  for (const ops of [both(replace, replace), both(replace, retract), both(add, replace)])
    assert.match(String(findMissing(ops, same)), /`till.main` would be changed twice/)
  assert.equal(findMissing(both(add, add), same), null)
  assert.equal(findMissing(both(replace, retract), { ...same, account: 'other' }), null)
})

test('parameters of which no record could be made are refused before anything is sent', () => {
  const twice = [create({ $: account }), { ...count('0'), by: { const: '1' } }]
  const note = { ...create({ $: account }), kind: 'note' }
  const long = { ...params, account: 'x'.repeat(LIMITS.resultBytes / 2) }
  assert.equal(findMissing(twice, long), null)
  assert.throws(() => findMissing([...twice, note], long), /more than 262144 bytes/)
  let deep: JsonValue = 'x'
  for (let level = 0; level < LIMITS.json.depth - 2; level += 1) deep = [deep]
  assert.throws(
    () => findMissing(create([[[{ $: account }]]]), { ...params, account: deep }),
    /deep/,
  )
})
