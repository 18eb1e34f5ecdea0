import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { parsePayload } from './payload-shape.ts'

const ADDRESS = `sha256:${'a'.repeat(64)}`
const HASH = 'b'.repeat(64)

const finding = { salt: 's', source: 'sanitiser', finding: 'injection' }
const details = { where: 'note', label: 'agent', patterns: ['role_change'], hash: HASH }
const refreshed = { salt: 's', source: 'context', finding: 'refreshed', snapshot: {} }

const isEvidence = (payload: JsonObject): boolean => parsePayload('evidence', payload).ok

test('evidence has four forms, each with members of its own', () => {
  assert.ok(
    isEvidence({
      salt: 's',
      intent_id: ADDRESS,
      source: 'probe',
      finding: 'applied',
      details: {},
    }),
  )
  assert.ok(isEvidence({ salt: 's', writ_id: ADDRESS, source: 'agent', used: { tokens: '1' } }))
  assert.ok(isEvidence({ ...finding, details }))
  assert.ok(isEvidence({ ...finding, details: { ...details, path: 'market.price' } }))
  assert.ok(isEvidence({ ...refreshed, snapshot_id: ADDRESS }))
})

test('what was found out about an effect names it, whoever says so', () => {
  assert.ok(!isEvidence({ ...finding, source: 'probe', details }))
  assert.ok(!isEvidence({ ...finding, finding: 'applied', details }))
  assert.ok(!isEvidence({ ...finding, details: { ...details, intent_id: ADDRESS } }))
  assert.ok(!isEvidence({ ...finding, details: { ...details, hash: 'short' } }))
  assert.ok(!isEvidence({ ...refreshed, source: 'probe', snapshot_id: ADDRESS }))
  assert.ok(!isEvidence(refreshed))
})
