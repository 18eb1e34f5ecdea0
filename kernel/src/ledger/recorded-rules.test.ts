import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address } from '../canonical/address.ts'
import type { EffectClass } from '../execution/effect-class.ts'
import { foldCapability, foldRules } from './recorded-rules.ts'
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
