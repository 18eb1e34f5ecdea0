import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { Sha256 } from '../canonical/sha256.ts'
import { hashEvidence } from './evidence.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')

test('the evidence hash is over the text of dfid and three hashes', () => {
  const rules = 'ab'.repeat(32)
  const contract = { b: 1, a: 'é' }
  const expected = hash(
    'sha256',
    `dfid-1${hash('sha256', 'context-1', 'hex')}${hash('sha256', '{"a":"é","b":1}', 'hex')}${rules}`,
    'hex',
  )
  const input = { dfid: 'dfid-1', contextRef: 'context-1', contract }
  assert.equal(hashEvidence({ ...input, rulesHash: `sha256:${rules}` }, sha256), expected)
  assert.equal(hashEvidence({ ...input, rulesHash: rules }, sha256), expected)
})
