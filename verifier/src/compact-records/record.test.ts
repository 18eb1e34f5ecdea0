import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNames, RecordReader, RecordWriter } from './record.ts'

const names = createNames()

function written(text: string): { readonly length: number; readonly back: string } {
  const writer = new RecordWriter(names)
  writer.text(text)
  const back = new RecordReader(names, writer.bytes, 0).text()
  return { length: writer.length, back }
}

test('an address takes 33 bytes and a UUID 17, whatever their digits, and both come back', () => {
  for (const digit of '0123456789abcdef') {
    const address = `sha256:${digit.repeat(64)}`
    assert.deepEqual(written(address), { length: 33, back: address })
    const uuid = [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join('-')
    assert.deepEqual(written(uuid), { length: 17, back: uuid })
  }
})

test('what only looks like one comes back as it was', () => {
  for (const digit of ['/', ':', '`', 'g', 'A', '-']) {
    const address = `sha256:${digit.repeat(64)}`
    const uuid = [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join('-')
    for (const text of [address, uuid]) assert.equal(written(text).back, text)
  }
})

test('a text of the length of a UUID with other characters for its hyphens comes back as it was', () => {
  for (const at of [8, 13, 18, 23]) {
    const uuid = [8, 4, 4, 4, 12].map((length) => 'a'.repeat(length)).join('-')
    const text = `${uuid.slice(0, at)}b${uuid.slice(at + 1)}`
    assert.equal(written(text).back, text)
  }
})

test('counts, numbers, times, names and flags come back, whatever they are', () => {
  const writer = new RecordWriter(names)
  const counts = [0, 1, 127, 128, 129, 16_383, 16_384, 2 ** 32, Number.MAX_SAFE_INTEGER]
  const numbers = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MIN_VALUE]
  const times = [
    '2026-02-01T09:00:00.000Z',
    '2026-02-01T09:00:00Z',
    'never',
    '1969-12-31T23:59:59.999Z',
  ]
  const texts = ['', '\ufeffmark', 'é\u{1f600}', 'x'.repeat(5_000), 'main', 'other', 'main']
  for (const one of counts) writer.count(one)
  for (const one of numbers) writer.writeNumber(one)
  for (const one of times) writer.writeTime(one)
  for (const one of texts) writer.text(one)
  for (const one of texts) writer.name(one)
  for (const one of [true, false]) writer.writeFlag(one)
  // Behind what stands there already.
  const bytes = new Uint8Array(writer.length + 3)
  bytes.set(writer.bytes.subarray(0, writer.length), 3)
  const reader = new RecordReader(names, bytes, 3)
  for (const one of counts) assert.equal(reader.count(), one)
  for (const one of numbers) assert.ok(Object.is(reader.readNumber(), one), String(one))
  for (const one of times) assert.equal(reader.readTime(), one)
  for (const one of texts) assert.equal(reader.text(), one)
  for (const one of texts) assert.equal(reader.name(), one)
  assert.deepEqual([reader.readFlag(), reader.readFlag()], [true, false])
  assert.throws(() => reader.readFlag(), /a record ends where it was written to end/)
})

test('a small count takes one byte, a time nine, and a name that is known no more than its number', () => {
  const measure = (write: (writer: RecordWriter) => void): number => {
    const writer = new RecordWriter(createNames())
    write(writer)
    return writer.length
  }
  assert.equal(
    measure((writer) => writer.count(127)),
    1,
  )
  assert.equal(
    measure((writer) => writer.count(128)),
    2,
  )
  assert.equal(
    measure((writer) => writer.writeTime('2026-02-01T09:00:00.000Z')),
    9,
  )
  assert.equal(
    measure((writer) => writer.name('a long name')),
    1,
  )
})
