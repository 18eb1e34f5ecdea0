import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { hashText, type Sha256 } from './sha256.ts'

const plain: Sha256 = (data) => hash('sha256', data, 'buffer')

test('a platform that hashes texts in one step says the same', () => {
  const oneStep: Sha256 = Object.assign((data: Uint8Array) => plain(data), {
    hexOfText: (text: string) => hash('sha256', text),
  })
  for (const text of ['', 'a', 'ü€𝄞'])
    assert.equal(hashText(text, oneStep), hashText(text, plain), text)
})

test('what is no hash is not taken for one', () => {
  assert.throws(() => hashText('a', () => new Uint8Array(31)), /32 bytes/)
})
