import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  decodeBase64,
  decodeHex,
  decodeUtf8,
  encodeBase64,
  encodeHex,
  encodeUtf8,
  isEqualBytes,
  joinBytes,
} from './bytes.ts'

const anyBytes = fc.uint8Array({ maxLength: 100 })

test('text becomes UTF-8 and comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(decodeUtf8(encodeUtf8(text)), text)
      assert.deepEqual(encodeUtf8(text), new Uint8Array(Buffer.from(text)))
    }),
  )
})

test('half a surrogate pair never becomes bytes', () => {
  assert.throws(() => encodeUtf8('a\ud800'), /half surrogate/)
})

test('bytes that are not UTF-8 have no text, and a byte order mark is kept', () => {
  assert.equal(decodeUtf8(Uint8Array.of(0xff)), undefined)
  assert.equal(decodeUtf8(Uint8Array.of(0xc3)), undefined)
  assert.equal(decodeUtf8(Uint8Array.of(0xc3, 0xa9)), 'é')
  assert.equal(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf)), '\ufeff')
})

test('hexadecimal and base64 agree with the platform and come back', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      assert.equal(encodeHex(bytes), Buffer.from(bytes).toString('hex'))
      assert.equal(encodeBase64(bytes), Buffer.from(bytes).toString('base64'))
      assert.deepEqual(decodeHex(encodeHex(bytes)), bytes)
      assert.deepEqual(decodeBase64(encodeBase64(bytes)), bytes)
    }),
    { numRuns: 500 },
  )
})

test('hexadecimal is lower case and of even length', () => {
  for (const text of ['a', 'AB', 'aB', '0x', 'g0', '0g', ' 0', 'é0']) {
    assert.equal(decodeHex(text), undefined, text)
  }
  assert.deepEqual(decodeHex(''), new Uint8Array())
  assert.deepEqual(decodeHex('00ff'), Uint8Array.of(0, 255))
  assert.deepEqual([decodeHex('0\u00e9'), decodeHex('\u00e90')], [undefined, undefined])
})

test('base64 has one spelling: padded, standard alphabet, spare bits zero', () => {
  for (const text of [
    'YQ',
    'YQ=',
    'YR==',
    'YWJ=',
    'YQ==\n',
    '-_==',
    'Y===',
    '====',
    'Y=Q=',
    'éQ==',
  ]) {
    assert.equal(decodeBase64(text), undefined, text)
  }
  assert.deepEqual(decodeBase64(''), new Uint8Array())
  assert.deepEqual(decodeBase64('YQ=='), Uint8Array.of(0x61))
  assert.deepEqual(decodeBase64('+/+/'), Uint8Array.of(0xfb, 0xff, 0xbf))
})

test('whatever base64 is read re-encodes identically', () => {
  const scraps = fc.array(fc.constantFrom(...'AQYgw/+=-_ '), { maxLength: 12 })
  fc.assert(
    fc.property(scraps, (parts) => {
      const text = parts.join('')
      const bytes = decodeBase64(text)
      const reencoded = Buffer.from(text, 'base64').toString('base64')
      if (bytes === undefined)
        assert(reencoded !== text || text.includes('-') || text.includes('_'))
      else assert.equal(encodeBase64(bytes), text)
    }),
    { numRuns: 2000 },
  )
})

test('parts are joined in order and compared by content', () => {
  assert.deepEqual(joinBytes(), new Uint8Array())
  assert.deepEqual(
    joinBytes(Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3)),
    Uint8Array.of(1, 2, 3),
  )
  assert(isEqualBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2)))
  assert(!isEqualBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3)))
  assert(!isEqualBytes(Uint8Array.of(1, 2), Uint8Array.of(1)))
})
