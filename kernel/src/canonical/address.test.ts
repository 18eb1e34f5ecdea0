import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { computeAddress, computeAddressOfBytes, isAddress } from './address.ts'
import { toCanonicalBytes } from './write-json.ts'

function sha256(data: Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest()
}

test('an address is the hash of type, zero byte and canonical text', () => {
  const expected = createHash('sha256').update('rubicon/proposal/v1\0{"a":"é","b":1}').digest('hex')
  assert.equal(computeAddress('proposal', { b: 1, a: 'é' }, sha256), `sha256:${expected}`)
})

test('bytes that are canonical already have the address of their value', () => {
  const value = { b: [1, 'é'], a: null }
  const ofBytes = computeAddressOfBytes('writ', toCanonicalBytes(value), sha256)
  assert.equal(ofBytes, computeAddress('writ', value, sha256))
  const hexOfJoined = (text: string, bytes: Uint8Array): string =>
    createHash('sha256').update(text).update(bytes).digest('hex')
  const joining = Object.assign((data: Uint8Array) => sha256(data), { hexOfJoined })
  assert.equal(computeAddressOfBytes('writ', toCanonicalBytes(value), joining), ofBytes)
})

test('the type tells equal contents apart', () => {
  assert.notEqual(computeAddress('contract', {}, sha256), computeAddress('proposal', {}, sha256))
})

test('a type that could reach into the value is a bug', () => {
  for (const type of ['', 'a/b', 'a\0', 'a b']) {
    assert.throws(() => computeAddress(type, null, sha256), /identifier/)
    assert.throws(() => computeAddressOfBytes(type, new Uint8Array(), sha256), /identifier/)
  }
  assert.throws(() => computeAddress('a', null, () => new Uint8Array(20)), /32 bytes/)
})

test('an address has its scheme and 64 lower-case digits, and nothing else', () => {
  const digits = '0123456789abcdef'.repeat(4)
  assert(isAddress(`sha256:${digits}`))
  assert(isAddress(computeAddress('a', 1, sha256)))
  const wrong = [
    '',
    digits,
    `sha256:${digits}0`,
    `sha256:${digits.slice(1)}`,
    `SHA256:${digits}`,
    `sha512:${digits}`,
    `sha256:${digits.slice(1)}A`,
    `sha256:${digits.slice(1)}g`,
    `sha256:${digits.slice(1)}\n`,
  ]
  for (const text of wrong) assert(!isAddress(text), text)
})
