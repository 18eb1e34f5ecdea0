import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeUtf8, encodeUtf8 } from './bytes.ts'
import { encodePreAuth, toPayloadType } from './dsse.ts'

test('the encoding is that of the DSSE protocol', () => {
  const encoded = encodePreAuth('http://example.com/HelloWorld', encodeUtf8('hello world'))
  assert.equal(decodeUtf8(encoded), 'DSSEv1 29 http://example.com/HelloWorld 11 hello world')
})

test('lengths count bytes, also of nothing', () => {
  assert.equal(decodeUtf8(encodePreAuth('é', encodeUtf8('😀'))), 'DSSEv1 2 é 4 😀')
  assert.equal(decodeUtf8(encodePreAuth('', new Uint8Array())), 'DSSEv1 0  0 ')
})

test('the body is covered byte by byte, whatever it is', () => {
  const encoded = encodePreAuth('t', Uint8Array.of(0xff, 0x00))
  assert.deepEqual([...encoded.slice(-3)], [0x20, 0xff, 0x00])
})

test('our payload types name what is signed', () => {
  assert.equal(toPayloadType('intent'), 'application/vnd.rubicon.intent+json')
  assert.throws(() => toPayloadType('a/b'), /identifier/)
})
