import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address } from '../canonical/address.ts'
import type { EffectClass } from '../execution/effect-class.ts'
import { findCountingEnd, foldCapability, foldRules, listCountingHashes } from './recorded-rules.ts'
import type { CapabilityRecord, RulesBody } from './rules-payload.ts'

const ENTRY: Address = 'sha256:entry'

function record(kind: string, effect: EffectClass, name: string): CapabilityRecord {
  const capability_hash: Address = `sha256:${name}`
  return { capability: { kind, effect }, capability_hash } as unknown as CapabilityRecord
}

test('what a capability was when it was recorded stays known when its kind becomes another', () => {
  const rules = { compiler_version: '1.0.0' }
  const capabilities = [record('LOOK', 'read', 'look-1'), record('SELL', 'keyed', 'sell-1')]
  const body = { rules_hash: 'sha256:rules', rules, texts: {}, capabilities }
  const first = foldRules(null, body as unknown as RulesBody, ENTRY)
  assert.deepEqual([...first.reads], ['sha256:look-1'])
  const written = foldCapability(first, record('LOOK', 'keyed', 'look-2') as never, ENTRY)
  const read = foldCapability(written, record('SELL', 'read', 'sell-2') as never, ENTRY)
  assert.deepEqual([...(read?.reads ?? [])], ['sha256:look-1', 'sha256:sell-2'])
  assert.deepEqual([...first.reads], ['sha256:look-1'], 'what was folded before is not changed')
})

test('what was recorded counts, and what it replaced until its time is over', () => {
  const [now, old]: readonly Address[] = ['sha256:new', 'sha256:old']
  const until = '2026-03-02T10:00:00.000Z'
  assert.ok(now !== undefined && old !== undefined)
  const replaced = { hash: now, former: { hash: old, until } }
  assert.deepEqual(listCountingHashes(undefined, until), [])
  assert.deepEqual(listCountingHashes({ hash: now, former: null }, until), [now])
  assert.deepEqual(listCountingHashes(replaced, '2026-03-02T09:59:59.999Z'), [now, old])
  assert.deepEqual(listCountingHashes(replaced, until), [now])
  assert.equal(findCountingEnd(undefined, now), undefined)
  assert.equal(findCountingEnd(replaced, now), null)
  assert.equal(findCountingEnd(replaced, old), until)
  assert.equal(findCountingEnd(replaced, 'sha256:other'), undefined)
  assert.equal(findCountingEnd({ hash: now, former: null }, old), undefined)
})
