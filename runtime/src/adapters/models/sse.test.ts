import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SseEvent, SseReader } from './sse.ts'

function read(pieces: readonly Uint8Array[]): readonly SseEvent[] {
  const reader = new SseReader()
  return pieces.flatMap((piece) => reader.push(piece))
}

const TEXT =
  '\ufeff: a comment\r\nevent: said\r\ndata: Grüß\r\ndata:  dich 🌊\r\n\r\nid: 7\nretry: 5\n\ndata\n\ndata:x\rdata: y\r\revent: nothing\n\ndata: last\n\n'
const EVENTS = [
  { event: 'said', data: 'Grüß\n dich 🌊' },
  { event: 'message', data: '' },
  { event: 'message', data: 'x\ny' },
  { event: 'message', data: 'last' },
]

test('fields, line ends, comments and a byte order mark are as the standard has them', () => {
  assert.deepEqual(read([Buffer.from(TEXT)]), EVENTS)
})

test('E1 where the bytes are cut changes nothing', () => {
  const bytes = Buffer.from(TEXT)
  for (let at = 0; at <= bytes.length; at += 1) {
    assert.deepEqual(read([bytes.subarray(0, at), bytes.subarray(at)]), EVENTS, `cut at ${at}`)
    for (let next = at; next <= Math.min(at + 3, bytes.length); next += 1) {
      const pieces = [bytes.subarray(0, at), bytes.subarray(at, next), bytes.subarray(next)]
      assert.deepEqual(read(pieces), EVENTS, `cut at ${at} and ${next}`)
    }
  }
  assert.deepEqual(read(Array.from(bytes, (byte) => Uint8Array.of(byte))), EVENTS)
})

test('E2 an event that nothing ends is none', () => {
  assert.deepEqual(read([Buffer.from('data: a\n\ndata: b\n')]), [{ event: 'message', data: 'a' }])
})

test('E3 bytes that are not UTF-8 end the stream', () => {
  assert.throws(
    () => read([Buffer.from('data: '), Uint8Array.of(0xff), Buffer.from('\n\n')]),
    TypeError,
  )
  assert.throws(() => read([Uint8Array.of(0xe2), Buffer.from('\n\n')]), TypeError)
})

test('a long line that comes byte by byte costs what it is long', () => {
  const reader = new SseReader()
  const bytes = Buffer.from(`data: ${'x'.repeat(200_000)}\n\n`)
  const events = Array.from(bytes, (byte) => reader.push(Uint8Array.of(byte))).flat()
  assert.equal(events[0]?.data.length, 200_000)
})
