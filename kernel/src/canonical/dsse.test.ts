import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utf8, utf8Text } from './bytes.ts'
import { payloadType, preAuthEncoding } from './dsse.ts'

test('the encoding is that of the DSSE protocol', () => {
  const encoded = preAuthEncoding('http://example.com/HelloWorld', utf8('hello world'))
  assert.equal(utf8Text(encoded), 'DSSEv1 29 http://example.com/HelloWorld 11 hello world')
})

test('lengths count bytes, also of nothing', () => {
  assert.equal(utf8Text(preAuthEncoding('é', utf8('😀'))), 'DSSEv1 2 é 4 😀')
  assert.equal(utf8Text(preAuthEncoding('', new Uint8Array())), 'DSSEv1 0  0 ')
})

test('the body is covered byte by byte, whatever it is', () => {
  const encoded = preAuthEncoding('t', Uint8Array.of(0xff, 0x00))
  assert.deepEqual([...encoded.slice(-3)], [0x20, 0xff, 0x00])
})

test('our payload types name what is signed', () => {
  assert.equal(payloadType('intent'), 'application/vnd.rubicon.intent+json')
  assert.throws(() => payloadType('a/b'), /identifier/)
})
