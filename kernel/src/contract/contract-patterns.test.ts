import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { listContractPatterns } from './contract-patterns.ts'
import { parseContract } from './parse-contract.ts'

function patternsOf(permissions: JsonObject): readonly string[] {
  const contract = parseContract({
    agent_id: 'a',
    version: '1.0.0',
    owner: 'o',
    effective_from: '2026-01-01',
    mission: 'm',
    permissions,
  })
  assert.ok(contract.ok)
  return listContractPatterns(contract.value)
}

test('expressions are collected once each, without their mark, from sets and limits', () => {
  const found = patternsOf({
    accounts: ['re:a+', 'b*'],
    instruments: ['re:a+'],
    limits: [
      { id: '1', measure: 'm', allowed: ['re:c'] },
      { id: '2', measure: 'm', denied: ['re:d', 'e'] },
      { id: '3', measure: 'm', max: 1 },
    ],
  })
  assert.deepEqual(found, ['a+', 'c', 'd'])
})

test('a contract without expressions has none', () => {
  assert.deepEqual(patternsOf({ accounts: ['b*'] }), [])
})
