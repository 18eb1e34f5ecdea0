import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { FactView } from '../execution/capability.ts'
import { describeUnevaluated } from '../expression/unevaluated.ts'
import { LIMITS } from '../limits.ts'
import { buildManifestDelta, findDeltaProblem } from './manifest-effect.ts'
import { buildManifestLaw } from './manifest-law.ts'
import { parseManifest } from './parse-manifest.ts'
import { withRefund } from './refund.test-support.ts'
import type { ManifestOp, ToolManifest } from './tool-manifest.ts'

const nowhere = (): undefined => undefined

function parse(patch: JsonObject): ToolManifest {
  const parsed = parseManifest(withRefund(patch))
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return parsed.value
}

function parseOps(...ops: readonly JsonObject[]): readonly ManifestOp[] {
  return parse({ delta: [...ops] }).delta ?? assert.fail('it has a delta')
}

const create: JsonObject = {
  op: 'create',
  kind: 'note',
  id: '{/order}',
  value: { $: { param: '/account' } },
}
const count: JsonObject = { op: 'increment', kind: 'till', id: 'main', by: { result: '/by' } }

function tell(ops: readonly ManifestOp[], params: JsonObject): string | null {
  const problem = findDeltaProblem(ops, params, nowhere)
  return problem === undefined ? null : describeUnevaluated(problem)
}

test('a delta is as large as a result may be, and no larger', () => {
  const ops = parseOps(create)
  const empty = { op: 'create', kind: 'note', id: 'o', expected_version: 0, value: '' }
  const around = JSON.stringify({ delta: [empty] }).length
  const room = LIMITS.resultBytes - around
  assert.equal(tell(ops, { order: 'o', account: 'x'.repeat(room) }), null)
  assert.match(String(tell(ops, { order: 'o', account: 'x'.repeat(room + 1) })), /more than 262144/)
})

test('what a delta needs and is not there is told before anything is sent', () => {
  assert.equal(tell(parseOps(create), { account: 'a' }), '`/order` is absent')
  const replace: JsonObject = { ...create, op: 'replace' }
  assert.equal(tell(parseOps(replace), { order: 'o', account: 'a' }), '`note.o` is absent')
  const retract: JsonObject = { op: 'retract', kind: 'note', id: 'o' }
  assert.equal(tell(parseOps(retract), {}), '`note.o` is absent')
  assert.equal(tell(parseOps(count), {}), tell(parseOps({ ...count, by: { const: '1' } }), {}))
})

test('a delta that cannot be made of an answer says which part, and why', () => {
  const build = (op: JsonObject, params: JsonObject, result: JsonValue): unknown => {
    const built = buildManifestDelta(parseOps(op), { params, result }, nowhere)
    return built.ok ? JSON.parse(JSON.stringify(built.value)) : built.error
  }
  assert.equal(build(create, { account: 'a' }, null), 'op 0 of the delta: `/order` is absent')
  assert.equal(build(count, {}, {}), 'op 0 of the delta: `result/by` is absent')
  assert.equal(build(count, {}, { by: 'much' }), 'op 0 of the delta: `by` is no number')
  assert.deepEqual(build(count, {}, { by: '1.50' }), [
    { op: 'increment', kind: 'till', id: 'main', by: '1.5' },
  ])
})

test('what is no amount is nobody’s cost, and takes nothing of a resource', () => {
  const view: FactView = { now: '2026-01-01T00:00:00Z', state: nowhere, world: nowhere }
  const { resources, cost } = buildManifestLaw(
    parse({
      resources: [{ id: 'till', amount: { param: '/order' } }],
      cost: { usd: null, volume: { param: '/order' } },
    }),
  )
  assert.throws(() => resources({ order: 'many' }, view), /`resources.till` is no amount/)
  assert.throws(() => cost({ order: 'many' }, view), /`cost.volume` is no amount/)
  assert.throws(() => cost({}, view), /`cost.volume` is no amount/)
  assert.deepEqual({ ...buildManifestLaw(parse({ cost: null })).cost({}, view) }, {})
})
