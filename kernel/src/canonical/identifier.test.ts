import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeHex } from './bytes.ts'
import { isDfid, isIdentifier, isUuid, mintDfid } from './identifier.ts'

test('an identifier has exactly the characters of its alphabet', () => {
  const pattern = /^[A-Za-z0-9._:@-]$/
  for (let code = 0; code < 0x10000; code += 1) {
    const character = String.fromCharCode(code)
    assert.equal(isIdentifier(character), pattern.test(character), `code ${code}`)
    assert.equal(isIdentifier(`a${character}`), pattern.test(character), `code ${code}`)
  }
})

test('an identifier has 1 to 128 characters', () => {
  assert(!isIdentifier(''))
  assert(isIdentifier('a'))
  assert(isIdentifier('a'.repeat(128)))
  assert(!isIdentifier('a'.repeat(129)))
})

test('names that look alike are not identifiers', () => {
  for (const name of [
    '\u0430dmin',
    'e\u0301',
    'a\u202eb',
    'a\u200bb',
    'a\u{e0041}',
    'a b',
    'a\n',
  ]) {
    assert(!isIdentifier(name), JSON.stringify(name))
  }
})

test('a UUID is lower case, with hyphens in their places', () => {
  assert(isUuid('f81d4fae-7dec-11d0-a765-00a0c91e6bf6'))
  const wrong = [
    '',
    'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6',
    'f81d4fae7dec11d0a76500a0c91e6bf6',
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf',
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf60',
    'f81d4fae-7dec-11d0-a76500-a0c91e6bf6',
    'g81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    '{81d4fae-7dec-11d0-a765-00a0c91e6bf}',
  ]
  for (const text of wrong) assert(!isUuid(text), text)
})

test('a dfid is a UUID of version 7 and variant 10', () => {
  assert(isDfid('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'))
  assert(!isDfid('017f22e2-79b0-4cc3-98c4-dc0c0c07398f'))
  assert(!isDfid('017F22E2-79B0-7CC3-98C4-DC0C0C07398F'))
  for (const variant of '0123456789abcdef') {
    const text = `017f22e2-79b0-7cc3-${variant}8c4-dc0c0c07398f`
    assert.equal(isDfid(text), '89ab'.includes(variant), text)
  }
})

test('the example of RFC 9562 is minted from its time and random bits', () => {
  const random = decodeHex('0cc318c4dc0c0c07398f')
  assert(random !== undefined)
  assert.equal(mintDfid(0x017f22e279b0, random), '017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
})

test('whatever is minted is a dfid, sorts by time and leaves its random bytes alone', () => {
  const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 })
  const random = fc.uint8Array({ minLength: 10, maxLength: 10 })
  fc.assert(
    fc.property(moment, moment, random, random, (early, late, first, second) => {
      fc.pre(early < late)
      const kept = first.slice()
      assert(isDfid(mintDfid(early, first)))
      assert(mintDfid(early, first) < mintDfid(late, second))
      assert.deepEqual(first, kept)
    }),
  )
})

test('a dfid from a time or randomness that cannot be is a bug', () => {
  const random = new Uint8Array(10)
  assert(isDfid(mintDfid(2 ** 48 - 1, random)))
  for (const ms of [-1, 0.5, 2 ** 48, Number.NaN]) assert.throws(() => mintDfid(ms, random))
  assert.throws(() => mintDfid(0, new Uint8Array(9)), /ten random bytes/)
  assert.throws(() => mintDfid(0, new Uint8Array(11)), /ten random bytes/)
})
