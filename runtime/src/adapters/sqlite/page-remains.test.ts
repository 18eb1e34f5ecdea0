import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findGap, findRemains } from './page-remains.ts'

/** A page of a tree with so many cells, whose first begins at `content`. */
function page(kind: number, cells: number, content: number, at = 0): Buffer {
  const bytes = Buffer.alloc(4096, 1)
  bytes.writeUInt8(kind, at)
  bytes.writeUInt16BE(cells, at + 3)
  bytes.writeUInt16BE(content, at + 5)
  return bytes
}

test('the gap of a page is what stands between its list of cells and the first of them', () => {
  for (const [kind, header] of [
    [2, 12],
    [5, 12],
    [10, 8],
    [13, 8],
  ] as const)
    assert.deepEqual(findGap(page(kind, 3, 4000), 2), { from: header + 6, to: 4000 })
  assert.deepEqual(findGap(page(13, 3, 4000, 100), 1), { from: 114, to: 4000 })
})

test('a page that is no tree is left alone', () => {
  for (const kind of [0, 1, 3, 255]) assert.equal(findGap(page(kind, 3, 4000), 2), null)
})

test('a page that says what no page says is not written to', () => {
  assert.throws(() => findGap(page(13, 2000, 4000), 2))
  assert.throws(() => findGap(page(13, 3, 5000), 2))
})

test('a gap of zeros is no work', () => {
  const bytes = page(13, 3, 4000)
  assert.deepEqual(findRemains(bytes, 2), { from: 14, to: 4000 })
  assert.equal(findRemains(bytes.fill(0, 14, 4000), 2), null)
  assert.deepEqual(findRemains(bytes.fill(7, 3999, 4000), 2), { from: 14, to: 4000 })
})
