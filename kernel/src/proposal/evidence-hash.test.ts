import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sha256 } from '../compile/case-documents.test-support.ts'
import { computeEvidenceHash, hashEvidenceContract, toEvidenceRules } from './evidence-hash.ts'

const hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

test('the evidence hash is the published one: SHA-256 over dfid, H_s, H_c and H_r as text, without anything between', () => {
  const dfid = '0b1f7a52-4f0e-4c53-9a3c-2a1f6d1f9a01'
  const context_ref = `sha256:${'5'.repeat(64)}`
  const h_c = hashEvidenceContract({ version: '1.0.0', agent_id: 'banker' }, sha256)
  assert.equal(h_c, hex('{"agent_id":"banker","version":"1.0.0"}'))
  const h_r = toEvidenceRules(`sha256:${'a'.repeat(64)}`)
  assert.equal(h_r, 'a'.repeat(64))
  const found = computeEvidenceHash({ dfid, context_ref, h_c, h_r }, sha256)
  assert.equal(found, hex(dfid + hex(context_ref) + h_c + h_r))
})

test('another flow, snapshot, contract or other rules give another hash', () => {
  const parts = { dfid: 'f', context_ref: 's', h_c: 'c'.repeat(64), h_r: 'd'.repeat(64) }
  const all = [
    parts,
    { ...parts, dfid: 'g' },
    { ...parts, context_ref: 't' },
    { ...parts, h_c: 'd'.repeat(64) },
    { ...parts, h_r: 'c'.repeat(64) },
  ]
  assert.equal(new Set(all.map((one) => computeEvidenceHash(one, sha256))).size, all.length)
})
