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
