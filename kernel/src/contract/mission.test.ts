import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Contract } from './contract.ts'
import { hashContract } from './contract-hash.ts'
import { hashMission } from './mission.ts'
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
  const hash = hashMission(contract, sha256)
  assert.equal(hashMission(contractOf({ owner: 'p', version: '1.0.1' }), sha256), hash)
  assert.notEqual(hashMission(contractOf({ mission: 'shrink' }), sha256), hash)
  const permissions = { ...contract.permissions, policy_kinds: ['SELL'] }
  assert.notEqual(hashMission({ ...contract, permissions }, sha256), hash)
})

test('the contract hash changes with every member', () => {
  const hash = hashContract(contractOf({}), sha256)
  assert.equal(hashContract(contractOf({ effective_from: '2026-01-01T00:00:00Z' }), sha256), hash)
  assert.notEqual(hashContract(contractOf({ owner: 'p' }), sha256), hash)
  assert.notEqual(hashContract(contractOf({ priority: 51 }), sha256), hash)
})
