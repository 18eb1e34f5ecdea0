import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress } from '../canonical/address.ts'
import { encodeHex } from '../canonical/bytes.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { sha256 } from '../compile/case.test-support.ts'
import { formatEnvelope, hashPayload, sealEntry, toLeafInput } from './entry.ts'

const AT = '2026-03-02T10:00:00.000Z'
const draft = { tenant: 'acme', trajectory: 'main', kind: 'commit', payload: '{"a":1}' } as const

test('E1 the id of an entry is the address of its envelope', () => {
  const { id, envelope } = sealEntry({ ...draft, kind: 'root' }, undefined, AT, sha256)
  assert.equal(id, computeAddress('entry', envelope as unknown as JsonValue, sha256))
  assert.equal(envelope.payload_hash, hashPayload(draft.payload, sha256))
})

test('E2 an entry stands behind the head of its trajectory', () => {
  const head = { seq: 4, id: 'sha256:four', at: AT } as const
  const { envelope } = sealEntry(draft, head, AT, sha256, 'sha256:ignored')
  assert.deepEqual([envelope.seq, envelope.parent], [5, 'sha256:four'])
})

test('E3 a root has no parent, a branch that of the entry it forks from', () => {
  const root = sealEntry({ ...draft, kind: 'root' }, undefined, AT, sha256).envelope
  assert.deepEqual([root.seq, root.parent], [0, null])
  const fork = sealEntry({ ...draft, kind: 'branch' }, undefined, AT, sha256, 'sha256:fork')
  assert.deepEqual([fork.envelope.seq, fork.envelope.parent], [0, 'sha256:fork'])
})

test('E4 the text of an envelope is its canonical form, with and without what is optional', () => {
  for (const optional of [
    {},
    { dfid: 'd' },
    { authority_seq: 3 },
    { dfid: 'd', authority_seq: 3 },
  ]) {
    const { envelope } = sealEntry({ ...draft, ...optional }, undefined, AT, sha256)
    assert.equal(formatEnvelope(envelope), toCanonicalText(envelope as unknown as JsonValue))
  }
})

test('the leaf of an entry is the 32 bytes of its id', () => {
  const { id } = sealEntry(draft, undefined, AT, sha256)
  assert.equal(`sha256:${encodeHex(toLeafInput(id))}`, id)
})
