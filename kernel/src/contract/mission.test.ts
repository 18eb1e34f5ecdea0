import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Contract } from './contract.ts'
import { contractHash } from './contract-hash.ts'
import { missionHash } from './mission.ts'
import { parseContract } from './parse-contract.ts'

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest()

function contractOf(changes: Readonly<Record<string, string | number>>): Contract {
  const result = parseContract({
    agent_id: 'a',
    version: '1.0.0',
    owner: 'o',
    effective_from: '2026-01-01',
    mission: 'grow',
    permissions: { policy_kinds: ['BUY'] },
    ...changes,
  })
  assert.ok(result.ok)
  return result.value
}

test('the mission hash changes with the mission and what binds it, with nothing else', () => {
  const contract = contractOf({})
  const hash = missionHash(contract, sha256)
  assert.equal(missionHash(contractOf({ owner: 'p', version: '1.0.1' }), sha256), hash)
  assert.notEqual(missionHash(contractOf({ mission: 'shrink' }), sha256), hash)
  const permissions = { ...contract.permissions, policy_kinds: ['SELL'] }
  assert.notEqual(missionHash({ ...contract, permissions }, sha256), hash)
})

test('the contract hash changes with every member', () => {
  const hash = contractHash(contractOf({}), sha256)
  assert.equal(contractHash(contractOf({ effective_from: '2026-01-01T00:00:00Z' }), sha256), hash)
  assert.notEqual(contractHash(contractOf({ owner: 'p' }), sha256), hash)
  assert.notEqual(contractHash(contractOf({ priority: 51 }), sha256), hash)
})
