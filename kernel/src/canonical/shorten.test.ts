import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shorten } from './shorten.ts'
import { toCanonicalText } from './write-json.ts'

test('no cut leaves half a surrogate pair', () => {
  for (const [text, most, short] of [
    ['ab\u{1f600}', 3, 'ab\ufffd'],
    ['ab\u{1f600}', 4, 'ab\u{1f600}'],
    ['\ud800b', 2, '\ufffdb'],
    ['', 2, ''],
    ['abc', 2, 'ab'],
  ] as const) {
    assert.equal(shorten(text, most), short)
    toCanonicalText(shorten(text, most))
  }
})
