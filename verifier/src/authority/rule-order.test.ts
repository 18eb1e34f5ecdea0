import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  computeAddress,
  encodeHex,
  encodeUtf8,
  type JsonObject,
  type JsonValue,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { accept, carryOut } from '../samples/sample-executors.test-support.ts'
import {
  bootstrap,
  capability,
  dispatch,
  grant,
  rulesBody,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto
const STRICT = { compiler_version: '1.0.0', evaluators: {}, policies: [], reason_table: 'other' }
const STRICT_HASH = computeAddress('rules', STRICT, sha256)

type Begun = { readonly builder: LedgerBuilder; readonly writId: `sha256:${string}` }

/** Rules are recorded, a writ is granted; the test does the rest. */
function begun(): Begun {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  return { builder, writId: grant(builder, writBody(builder)) }
}

function strict(more: JsonObject = {}): JsonObject {
  return rulesBody({ rules_hash: STRICT_HASH, rules: STRICT, capabilities: [], ...more })
}

async function found({ builder }: Begun): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}

test('what is dispatched under the rules that were recorded last is in order', async () => {
  const it = begun()
  it.builder.decree('policy', strict())
  dispatch(it.builder, it.writId, { rules_hash: STRICT_HASH })
  assert.deepEqual(await found(it), [])
})

test('AUTHORITY_ORDER: a dispatch under rules that were replaced before it', async () => {
  const it = begun()
  it.builder.decree('policy', strict())
  dispatch(it.builder, it.writId)
  assert.deepEqual(await found(it), ['12 AUTHORITY_ORDER'])
})

test('until `previous_until` the rules before count too, and from then on not', async () => {
  const late = begun()
  late.builder.decree('policy', strict({ previous_until: late.builder.now() }))
  dispatch(late.builder, late.writId)
  assert.deepEqual(await found(late), ['12 AUTHORITY_ORDER'])
  const inTime = begun()
  inTime.builder.decree('policy', strict({ previous_until: '2026-02-01T23:00:00.000Z' }))
  dispatch(inTime.builder, inTime.writId)
  assert.deepEqual(await found(inTime), [])
})

test('AUTHORITY_ORDER: accepted under rules that were replaced before the dispatch', async () => {
  const it = begun()
  const waiting = accept(it.builder, it.writId)
  it.builder.decree('policy', strict())
  carryOut(it.builder, waiting)
  assert.deepEqual(await found(it), ['13 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: a capability that was changed before the dispatch, or never recorded', async () => {
  const changed = begun()
  const record: JsonObject = { ...capability, version: '2' }
  const body = { capability: record, capability_hash: computeAddress('capability', record, sha256) }
  changed.builder.decree('policy', { action: 'capability', ...body })
  dispatch(changed.builder, changed.writId)
  assert.deepEqual(await found(changed), ['12 AUTHORITY_ORDER'])
  const never = begun()
  dispatch(never.builder, never.writId, { policy_kind: 'SELL' })
  assert.deepEqual(await found(never), ['11 AUTHORITY_ORDER'])
})

test('ENTRY_SIGNATURE: rules that the runtime signed instead of an operator', async () => {
  const it = begun()
  it.builder.decree('policy', strict(), it.builder.kernel)
  assert.deepEqual(await found(it), ['11 ENTRY_SIGNATURE'])
})

test('ENTRY_SIGNATURE: a capability, or the text of a policy, that is not what its hash says', async () => {
  const text = 'permit(principal, action, resource);'
  const hash = `sha256:${encodeHex(sha256(encodeUtf8(text)))}`
  const rules = { ...STRICT, policies: [{ name: 'ops', version: '1', source: `cedar:${hash}` }] }
  const rules_hash = computeAddress('rules', rules, sha256)
  const cases: readonly (readonly [JsonValue, boolean])[] = [
    [{ [hash]: text }, true],
    [{ [hash]: `${text}\n` }, false],
    [{}, false],
  ]
  for (const [texts, holds] of cases) {
    const it = begun()
    it.builder.decree('policy', strict({ rules, rules_hash, texts }))
    assert.deepEqual(await found(it), holds ? [] : ['11 ENTRY_SIGNATURE'])
  }
  const it = begun()
  const wrong = { capability: { ...capability }, capability_hash: STRICT_HASH }
  it.builder.decree('policy', { action: 'capability', ...wrong })
  assert.deepEqual(await found(it), ['11 ENTRY_SIGNATURE'])
})
