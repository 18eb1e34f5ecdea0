import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { planPutBinary } from '../../delta/plan-put-binary.ts'
import { ARTIFACT_LIMITS } from '../../limits.ts'
import { readBinary } from './read-binary.ts'

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest()
const HASH = `sha256:${'a'.repeat(64)}`

test('what no format reads, what is no UTF-8 and what is too large are known by their hash', () => {
  const bytes = new Uint8Array([0x61, 0xff])
  for (const [name, given, why] of [
    ['a.png', bytes, 'no_format'],
    ['a.txt', new Uint8Array([0x61]), 'no_format'],
    ['a.ts', bytes, 'no_utf8'],
    ['a.json', new Uint8Array(ARTIFACT_LIMITS.bytes + 1).fill(0x20), 'too_large'],
  ] as const) {
    const read = readBinary(name, given, sha256)
    const due = `sha256:${createHash('sha256').update(given).digest('hex')}`
    assert.deepEqual([read?.why, read?.size, read?.content_hash], [why, given.length, due])
  }
  assert.equal(readBinary('a.ts', new Uint8Array([0x61]), sha256), null)
  assert.equal(readBinary('a.json', new TextEncoder().encode('{ broken'), sha256), null)
})

test('other bytes are put in by a hash that somebody holds; the inverse is the hash before', () => {
  const current = { content_hash: `sha256:${'b'.repeat(64)}` }
  const plan = planPutBinary(current, { op: 'putBinary', content_hash: HASH }, () => true)
  assert.deepEqual(plan.ok && plan.value, {
    content_hash: HASH,
    inverse: { op: 'putBinary', ...current },
  })
  const first = planPutBinary(null, { op: 'putBinary', content_hash: HASH }, () => true)
  assert.equal(first.ok && first.value.inverse, null)
})

test('a hash that is none, or whose bytes nobody has, is refused', () => {
  for (const [content_hash, isHeld] of [
    ['aa', true],
    [HASH.toUpperCase(), true],
    ['../secret', true],
    [HASH, false],
  ] as const) {
    const plan = planPutBinary(null, { op: 'putBinary', content_hash }, () => isHeld)
    assert.equal(plan.ok ? null : plan.error.code, 'FRAGMENT_INVALID')
  }
})
