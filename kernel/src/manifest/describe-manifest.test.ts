import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { sha256 } from '../compile/case.test-support.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { describeManifest, hashManifest, selectFixedCost } from './describe-manifest.ts'
import { parseManifest } from './parse-manifest.ts'
import { REFUND } from './refund.test-support.ts'
import type { ToolManifest } from './tool-manifest.ts'

const BARE: JsonObject = {
  ...{ manifest: 'rubicon/tool/1', kind: 'PAY', version: '1', summary: 'pays' },
  params: { type: 'object', properties: {}, additionalProperties: false },
  ...{ effect: 'unsafe', reversible: false, risk: 'high' },
  executor: { command: { argv: ['/usr/bin/pay'], applied: [0] } },
}

function parse(document: JsonObject): ToolManifest {
  const parsed = parseManifest(document)
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return parsed.value
}

function describe(document: JsonObject): Partial<CapabilityDescription> {
  const manifest = parse(document)
  const { source, manifest: whole, ...said } = describeManifest(manifest, sha256)
  assert.deepEqual(source, { kind: 'manifest', hash: hashManifest(manifest, sha256) })
  assert.equal(whole, manifest)
  // Objects of a document that was checked have no prototype.
  return JSON.parse(JSON.stringify(said)) as Partial<CapabilityDescription>
}

test('of a manifest that says little the description says what that means, and no more', () => {
  const { kind, version, summary, effect, risk, reversible, params } = BARE
  assert.deepEqual(describe(BARE), {
    ...{ kind, version, summary, effect, risk, reversible, params },
    ...{ reducing: false, world_only: false, measures: [], scopes: {}, sinks: {}, cost: {} },
  })
})

test('of one that says everything it says all that others hold it to, lists in their order', () => {
  const { jit_fields, measures, compensations, probe, idempotency, ...said } = describe({
    ...REFUND,
    reducing: true,
  })
  assert.deepEqual(jit_fields, ['balance', 'status'])
  assert.deepEqual(measures, ['amount_usd', 'lines_usd'])
  assert.deepEqual(compensations, ['REVERT'])
  assert.deepEqual(probe, { absence_authoritative: true, max_late_arrival_s: 30 })
  assert.deepEqual(idempotency, { carrier: 'Idempotency-Key', window_s: 86_400 })
  const { result, exposure, accepts, scopes, sinks, reducing, touches } = said
  assert.deepEqual(
    { result, exposure, accepts, scopes, sinks, reducing, touches },
    {
      ...{ result: REFUND.result, exposure: REFUND.exposure, accepts: REFUND.accepts },
      ...{ scopes: REFUND.scopes, sinks: REFUND.sinks, reducing: true, touches: undefined },
    },
  )
  assert.equal(describe({ ...BARE, touches: 'none' }).touches, 'none')
  const delta = [{ op: 'retract', kind: 'cart', id: 'c' }]
  const inWorld = { ...BARE, effect: 'put_if_match', executor: { world: true }, delta }
  assert.equal(describe(inWorld).world_only, true)
})

test('what every call costs is an amount that is written as a text', () => {
  const cost = {
    ...{ usd: { const: '0.01' }, number: { const: 3 }, word: { const: 'much' } },
    volume: { param: '/amount' },
  }
  assert.deepEqual(selectFixedCost(parse({ ...BARE, cost })), { usd: '0.01' })
})

test('a key is remembered for a second at least', () => {
  const keyed = (window_s: number): boolean => {
    const executor = { command: { argv: ['/usr/bin/pay'], applied: [0], idempotency_env: 'KEY' } }
    const idempotency = { carrier: 'KEY', window_s }
    return parseManifest({ ...BARE, effect: 'keyed', executor, idempotency }).ok
  }
  assert.deepEqual([keyed(0), keyed(1)], [false, true])
})
