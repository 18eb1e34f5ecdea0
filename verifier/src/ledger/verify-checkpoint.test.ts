import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldKeys } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { sampleKey } from '../samples/sample-keys.test-support.ts'
import { sampleLedger } from '../samples/sample-ledger.test-support.ts'
import { type CheckedCheckpoint, verifyCheckpoint } from './verify-checkpoint.ts'

const { builder } = sampleLedger()

function check(note: string): CheckedCheckpoint {
  const { tenant, epoch } = builder
  const keys = foldKeys(
    builder.entries
      .filter(({ envelope }) => envelope.kind === 'key')
      .map(({ envelope, payload }) => ({
        body: JSON.parse(payload ?? '').body,
        seq: envelope.seq,
      })),
  )
  const authoritySeq = builder.authoritySeq()
  return verifyCheckpoint({ note, tenant, epoch, keys, authoritySeq, crypto: nodeCrypto })
}

test('a checkpoint is signed by those whose signatures hold, and by nobody where none does', () => {
  const signed = check(builder.note())
  assert.deepEqual(
    signed.signers.map(({ key_id }) => key_id),
    [builder.checkpoint.id],
  )
  assert.deepEqual(signed.problems, [])
  const stranger = check(builder.note(undefined, sampleKey('checkpoint', 'stranger')))
  assert.deepEqual(stranger.signers, [])
  assert.deepEqual(
    stranger.problems.map(({ code }) => code),
    ['CHECKPOINT_SIGNATURE'],
  )
})
