import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { computeIdempotencyKey, computeParamsFingerprint } from './idempotency.ts'

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest()
const hexOf = (text: string): string => createHash('sha256').update(text).digest('hex')

test('the key is the seeds’ formula over canonical parameters', () => {
  assert.equal(
    computeIdempotencyKey('d', 's', { b: 1, a: '2' }, sha256),
    hexOf('d:s:{"a":"2","b":1}'),
  )
})

test('the fingerprint covers kind and parameters, not the step', () => {
  const wanted = hexOf('{"params":{"a":1},"policy_kind":"BUY"}')
  assert.equal(computeParamsFingerprint('BUY', { a: 1 }, sha256), wanted)
  assert.notEqual(computeParamsFingerprint('SELL', { a: 1 }, sha256), wanted)
  assert.notEqual(computeParamsFingerprint('BUY', { a: '1' }, sha256), wanted)
})
