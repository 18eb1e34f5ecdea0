import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOPOLOGIES } from '../topology/topology.ts'
import { formatHandshake } from './handshake-text.ts'

const PLACE = { tenant: 't', audience: 'a' }
const MOMENT = { key_id: 'k', signed_at: 's', nonce: 'n' }

test('the signed text names all that a handshake asks for', () => {
  assert.equal(
    formatHandshake(PLACE, { agent: 'bot', schema_version: '1.4', end_others: true }, MOMENT),
    '{"agent":"bot","audience":"a","end_others":true,"key_id":"k","nonce":"n","schema_version":"1.4","signed_at":"s","tenant":"t"}',
  )
})

test('what a handshake does not say is in the text as it is understood', () => {
  assert.equal(
    formatHandshake(PLACE, { agent: 'bot' }, MOMENT),
    '{"agent":"bot","audience":"a","end_others":false,"key_id":"k","nonce":"n","schema_version":"1.5.0","signed_at":"s","tenant":"t"}',
  )
})

test('the topologies that an agent can serve are signed, and nothing is signed of those that it does not name', () => {
  const terms = { agent: 'bot', topologies: ['SDS', 'EOAM'] } as const
  assert.equal(
    formatHandshake(PLACE, terms, MOMENT),
    '{"agent":"bot","audience":"a","end_others":false,"key_id":"k","nonce":"n","schema_version":"1.5.0","signed_at":"s","tenant":"t","topologies":["SDS","EOAM"]}',
  )
})

test('there are three topologies', () => {
  assert.deepEqual([...TOPOLOGIES], ['EOAM', 'SDS', 'DL_PCI'])
})
