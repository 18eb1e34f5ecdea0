import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { decodeHex, encodeHex, encodeUtf8, joinBytes } from 'rubicon-kernel'
import { sampleKey } from '../samples/sample-keys.test-support.ts'
import { readWycheproof, withoutVectors } from '../samples/vectors.test-support.ts'
import { createBrowserCrypto } from './browser-crypto.ts'
import { nodeCrypto } from './node-crypto.ts'

const crypto = createBrowserCrypto()

function bytes(text: string): Uint8Array {
  const read = decodeHex(text)
  assert.ok(read, 'a vector is lower-case hex')
  return read
}

test('every published Ed25519 case is judged as published', { skip: withoutVectors }, () => {
  let judged = 0
  for (const { publicKey, tests } of readWycheproof()) {
    for (const { tcId, msg, sig, result } of tests) {
      const verdict = crypto.verifyEd25519(bytes(publicKey), bytes(msg), bytes(sig))
      assert.equal(verdict, result === 'valid', `case ${tcId}`)
      judged += 1
    }
  }
  assert.ok(judged >= 150)
})

test('a weak key, another length and a point that is none are false, not an error', () => {
  const key = sampleKey('agent', 'length')
  const message = Uint8Array.of(1)
  const signature = key.signRaw(message)
  const identity = Uint8Array.of(1, ...new Uint8Array(31))
  const universal = Uint8Array.of(1, ...new Uint8Array(63))
  assert.equal(crypto.verifyEd25519(key.bytes, message, signature), true)
  assert.equal(crypto.verifyEd25519(identity, message, universal), false)
  assert.equal(crypto.verifyEd25519(key.bytes.slice(1), message, signature), false)
  assert.equal(crypto.verifyEd25519(key.bytes, message, signature.slice(1)), false)
  assert.equal(crypto.verifyEd25519(key.bytes, message, Uint8Array.of(...signature, 0)), false)
  assert.equal(crypto.verifyEd25519(new Uint8Array(32).fill(0xff), message, signature), false)
  assert.equal(crypto.verifyEd25519(key.bytes, message, new Uint8Array(64).fill(0xff)), false)
})

test('a key judges alike before and after its tables are made', () => {
  const key = sampleKey('kernel', 'tables')
  for (let i = 0; i < 40; i += 1) {
    const message = encodeUtf8(`message ${i}`)
    const signature = key.signRaw(message)
    assert.equal(crypto.verifyEd25519(key.bytes, message, signature), true, `use ${i}`)
    signature[i] = (signature[i] ?? 0) ^ 1
    assert.equal(crypto.verifyEd25519(key.bytes, message, signature), false, `use ${i}`)
  }
})

/** The owner of a key can add a point of order eight to R: times eight the equation still holds. */
test('a signature on which verifiers could disagree is false, here and under Node', () => {
  const { Point } = ed25519
  const torsion = Point.fromBytes(
    bytes('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
    true,
  )
  const secret = 7n
  const nonce = 11n
  const publicKey = Point.BASE.multiply(secret).toBytes()
  const message = encodeUtf8('pay')
  const r = Point.BASE.multiply(nonce).add(torsion).toBytes()
  const digest = hash('sha512', joinBytes(r, publicKey, message), 'buffer')
  const k = BigInt(`0x${encodeHex(new Uint8Array(digest).toReversed())}`) % Point.Fn.ORDER
  const s = (nonce + k * secret) % Point.Fn.ORDER
  const signature = joinBytes(r, Point.Fn.toBytes(s))
  assert.equal(ed25519.verify(signature, message, publicKey, { zip215: false }), true)
  assert.equal(crypto.verifyEd25519(publicKey, message, signature), false)
  assert.equal(nodeCrypto.verifyEd25519(publicKey, message, signature), false)
})

test('hashes are those of Node', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 1_000]) {
    const data = new Uint8Array(length).fill(length)
    assert.deepEqual(crypto.sha256(data), nodeCrypto.sha256(data))
  }
})
