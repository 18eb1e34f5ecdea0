import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCanonicalText } from 'rubicon-kernel'
import { nodeCrypto } from './crypto/node-crypto.ts'
import { DFID, sampleEvidence, sampleLedger } from './samples/sample-ledger.test-support.ts'
import { verifyBundle } from './verify-bundle.ts'
import { beginLedger } from './verify-ledger.ts'

test('how far it is, is told now and then, and at the end', () => {
  const told: (readonly [number, number | null])[] = []
  const onProgress = (done: number, total: number | null): void => void told.push([done, total])
  const check = beginLedger(nodeCrypto, { onProgress })
  check.push({ text: sampleLedger().builder.header(), ended: true })
  for (let line = 0; line < 300; line += 1) check.push({ text: '{', ended: true })
  check.end()
  assert.deepEqual(told, [
    [128, 15],
    [256, 15],
    [300, 15],
  ])
})

test('of a bundle it is told at the end', () => {
  const told: (readonly [number, number | null])[] = []
  const onProgress = (done: number, total: number | null): void => void told.push([done, total])
  const bundle = sampleLedger().builder.bundle(DFID, sampleEvidence())
  verifyBundle(toCanonicalText(bundle), nodeCrypto, { onProgress })
  assert.deepEqual(told, [[14, 14]])
})
