import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { sha256 } from '../compile/case.test-support.ts'
import type { FactView } from '../execution/capability.ts'
import { ExpressionOverflow } from '../expression/overflow.ts'
import { describeManifest, parseDescribedManifest } from './describe-manifest.ts'
import {
  buildManifestDelta,
  checkManifestPostcondition,
  judgeManifestProbe,
} from './manifest-effect.ts'
import { buildManifestLaw, listManifestResources } from './manifest-law.ts'
import { parseManifest } from './parse-manifest.ts'
import { REFUND, withRefund } from './refund.test-support.ts'
import type { ToolManifest } from './tool-manifest.ts'

function manifestOf(patch: JsonObject = {}): ToolManifest {
  const parsed = parseManifest(withRefund(patch))
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return parsed.value
}

const params: JsonObject = {
  order: 'o1',
  amount: '12.50',
  account: 'anna',
  lines: [{ price: '1.25', count: 2 }],
}

const TILL = { cash: '100' }

type Given = { readonly state?: JsonObject; readonly world?: Readonly<Record<string, number>> }

/** World by `kind.id`, with the version; a negative one is retracted. */
function viewOf({ state = {}, world = {} }: Given): FactView {
  return {
    now: '2026-01-01T00:00:00Z',
    state(path) {
      const value = Object.hasOwn(state, path) ? state[path] : undefined
      if (value === undefined) return undefined
      const by = { source: 's', label: 'trusted', observed_at: '', version: '1' } as const
      return { path, value, ...by }
    },
    world(kind, id) {
      const version = world[`${kind}.${id}`]
      if (version === undefined) return undefined
      return { kind, id, version: Math.abs(version), value: TILL, retracted: version < 0 }
    },
  }
}

const view = viewOf({
  state: { 'fx.anna': '2', 'till.size': '1000', 'paid.o1': '20' },
  world: { 'order.o1': 3, 'cart.o1': 1, 'till.main': 1 },
})
const law = buildManifestLaw(manifestOf())

test('what the expressions name is read, and what the delta is held to', () => {
  assert.deepEqual(law.reads(params), {
    state: ['fx.anna', 'paid.o1', 'till.size'],
    world: [
      { kind: 'customer', id: 'anna' },
      { kind: 'refund', id: 'o1' },
      { kind: 'order', id: 'o1' },
      { kind: 'till', id: 'main' },
      { kind: 'cart', id: 'o1' },
    ],
  })
  assert.deepEqual(law.reads({ amount: '1' }), {
    state: ['till.size'],
    world: [{ kind: 'till', id: 'main' }],
  })
})

test('measures, resources, cost and fields are computed from parameters and facts', () => {
  assert.deepEqual({ ...law.measures(params, view) }, { amount_usd: '25', lines_usd: '2.5' })
  assert.deepEqual(law.resources(params, view), [
    { id: 'order:o1', amount: '1' },
    { id: 'till', amount: '12.5', capacity: '1000' },
  ])
  assert.deepEqual({ ...law.cost(params, view) }, { volume: '12.5' })
  assert.deepEqual(
    { ...law.jit(params) },
    {
      balance: { path: 'balance.anna', kind: 'balance' },
      status: { path: 'order.o1', kind: 'position' },
    },
  )
  assert.equal(law.precondition(params, view), null)
})

test('what is absent is absent: a measure alone, an amount altogether', () => {
  const unknown = viewOf({})
  assert.deepEqual(
    { ...law.measures(params, unknown) },
    { amount_usd: undefined, lines_usd: '2.5' },
  )
  assert.throws(() => law.resources(params, unknown))
  assert.throws(() => law.cost({}, unknown))
  assert.throws(() => law.jit({}))
  assert.equal(law.precondition(params, unknown), 'no more than was paid: `paid.o1` is absent')
  assert.equal(law.precondition({ ...params, amount: '20.01' }, view), 'no more than was paid')
})

test('an id that a parameter would lead elsewhere is no id', () => {
  assert.throws(() => law.resources({ ...params, order: 'o1:x' }, view), /cannot stand in/)
  assert.throws(() => law.resources({ ...params, order: '' }, view), /cannot stand in/)
})

test('which resources a call needs is known before any fact', () => {
  assert.deepEqual(listManifestResources(manifestOf(), params), ['order:o1', 'till'])
  assert.deepEqual(listManifestResources(manifestOf(), { ...params, order: 'o1:x' }), [])
  assert.deepEqual(listManifestResources(manifestOf(), {}), [])
})

test('what is too large is not merely missing', () => {
  const large = { ...params, amount: '9'.repeat(34) }
  assert.throws(() => law.measures(large, view), ExpressionOverflow)
})

test('what the delta replaces is there, and what it creates is not, before anything is sent', () => {
  const facts = { 'fx.anna': '2', 'till.size': '1000', 'paid.o1': '20' }
  const said = (world: Given['world'] & {}): string | null =>
    law.precondition(params, viewOf({ state: facts, world: { 'till.main': 1, ...world } }))
  assert.equal(said({}), '`order.o1` is not there')
  assert.equal(said({ 'order.o1': -3 }), '`order.o1` is not there')
  assert.equal(said({ 'order.o1': 3 }), '`cart.o1` is not there')
  assert.equal(
    said({ 'order.o1': 3, 'cart.o1': 1, 'refund.o1': 1 }),
    '`refund.o1` is there already',
  )
  assert.equal(said({ 'order.o1': 3, 'cart.o1': 1, 'refund.o1': -1 }), null)
  assert.equal(said({ 'order.o1': 3, 'cart.o1': 1, 'till.main': -1 }), '`till.main` is not there')
  const { delta = [] } = manifestOf()
  const counting = manifestOf({
    delta: delta.map((op) => (op.op === 'increment' ? { ...op, field: 'coins' } : op)) as never,
  })
  assert.equal(
    buildManifestLaw(counting).precondition(params, view),
    'the delta cannot be made: `till.main` cannot be counted up',
  )
})

test('a delta is held to the versions that the decision saw', () => {
  const { delta = [] } = manifestOf()
  const built = buildManifestDelta(delta, { params }, view.world)
  assert.deepEqual(JSON.parse(JSON.stringify(built)), {
    ok: true,
    value: [
      { op: 'create', kind: 'refund', id: 'o1', expected_version: 0, value: { of: '12.50' } },
      { op: 'replace', kind: 'order', id: 'o1', expected_version: 3, value: 'refunded' },
      { op: 'increment', kind: 'till', id: 'main', by: '-12.5', field: 'cash' },
      { op: 'retract', kind: 'cart', id: 'o1', expected_version: 1 },
    ],
  })
  const gone = buildManifestDelta(delta, { params }, () => undefined)
  assert.deepEqual(gone, { ok: false, error: 'op 1 of the delta: `order.o1` is absent' })
})

test('what cannot be evaluated does not hold', () => {
  const { postcondition = [], probe } = manifestOf()
  const judge = (result: JsonValue): string | null =>
    checkManifestPostcondition(postcondition, { params, result })
  assert.equal(judge({ state: 'done' }), null)
  assert.equal(judge({ state: 'lost' }), 'it is done')
  assert.equal(judge(null), 'it is done: `result/state` is absent')

  assert.ok(probe !== undefined)
  const found = (result: JsonValue, status: number): string =>
    judgeManifestProbe(probe, { params, result, status })
  assert.equal(found({ state: 'done' }, 200), 'applied')
  assert.equal(found({ state: 'done' }, 404), 'applied', 'in this order')
  assert.equal(found(null, 404), 'absent')
  assert.equal(found(null, 200), 'inconclusive')
  assert.equal(found({ state: 'queued' }, 200), 'inconclusive')
})

test('a description says what its manifest says, and one that says something else is found', () => {
  const description = describeManifest(manifestOf(), sha256)
  assert.deepEqual(description.cost, { usd: '0.01' })
  assert.equal(description.source.kind, 'manifest')
  const parsed = parseDescribedManifest(description, sha256)
  assert.ok(parsed.ok && parsed.value?.kind === 'REFUND')
  const reject = (changed: Partial<typeof description>): void =>
    assert.equal(parseDescribedManifest({ ...description, ...changed }, sha256).ok, false)
  reject({ risk: 'low' })
  reject({ measures: [] })
  reject({ exposure: { measure: 'amount_usd', threshold: '1000000' } })
  reject({ source: { kind: 'manifest', hash: 'sha256:0' } })
  reject({ manifest: manifestOf({ risk: 'low' }) })
  reject({ manifest: { ...REFUND, extra: 1 } as unknown as ToolManifest })
  const { manifest: _, ...without } = description
  assert.equal(parseDescribedManifest(without, sha256).ok, false)
  const code = { ...without, source: { kind: 'inline', hash: 'sha256:0' } } as const
  assert.deepEqual(parseDescribedManifest(code, sha256), { ok: true, value: null })
})
