import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeHex, encodeBase64 } from 'rubicon-kernel'
import { oracleSkip, runOracle } from '../samples/oracle.test-support.ts'
import { sampleKey } from '../samples/sample-keys.test-support.ts'
import { readWycheproof, VECTORS, withoutVectors } from '../samples/vectors.test-support.ts'
import { nodeCrypto } from './node-crypto.ts'

function bytes(text: string): Uint8Array {
  const read = decodeHex(text)
  assert.ok(read, 'a vector is lower-case hex')
  return read
}

test('every published Ed25519 case is judged as published', { skip: withoutVectors }, () => {
  let judged = 0
  for (const { publicKey, tests } of readWycheproof()) {
    for (const { tcId, msg, sig, result } of tests) {
      const verdict = nodeCrypto.verifyEd25519(bytes(publicKey), bytes(msg), bytes(sig))
      assert.equal(verdict, result === 'valid', `case ${tcId}`)
      judged += 1
    }
  }
  assert.ok(judged >= 150)
})

test('the oracle judges signatures and proofs as published', {
  skip: withoutVectors || oracleSkip,
}, async () => {
  const { ed25519, proofs } = JSON.parse(await runOracle('--vectors', VECTORS))
  assert.deepEqual([ed25519.wrong, proofs.wrong], [[], []])
  assert.ok(ed25519.cases >= 150 && proofs.cases >= 190)
})

test('a weak key verifies nothing, not even the signature that fits every message', () => {
  const identity = Uint8Array.of(1, ...new Uint8Array(31))
  const signature = new Uint8Array(64)
  signature[0] = 1
  assert.equal(nodeCrypto.verifyEd25519(identity, Uint8Array.of(1, 2, 3), signature), false)
})

test('a key or signature of another length is false, not an error', () => {
  const key = sampleKey('agent', 'length')
  const message = Uint8Array.of(1)
  const signature = key.signRaw(message)
  assert.equal(nodeCrypto.verifyEd25519(key.bytes, message, signature), true)
  assert.equal(nodeCrypto.verifyEd25519(key.bytes.slice(1), message, signature), false)
  assert.equal(nodeCrypto.verifyEd25519(key.bytes, message, signature.slice(1)), false)
  assert.equal(encodeBase64(key.bytes), key.text)
})
