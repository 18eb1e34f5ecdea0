import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededDraws } from '../reading/seeded-draws.test-support.ts'
import type { Packing } from './packed-map.ts'
import { createParts } from './parts.ts'

const TEXTS: Packing<string> = {
  write: (record, text) => record.text(text),
  read: (record) => record.text(),
}

test('parts of one record answer as maps of their own do, however little is held', () => {
  for (const held of [1, 3, 100]) {
    const draws = seededDraws(held)
    const parts = createParts(held)
    const kept = [parts.part(TEXTS), parts.part(TEXTS), parts.part(TEXTS)]
    const plain = kept.map(() => new Map<string, string>())
    for (let round = 0; round < 2_000; round += 1) {
      const number = draws(kept.length)
      const key = `key ${draws(200)}`
      for (const [at, map] of plain.entries()) {
        assert.equal(kept[at]?.get(key), map.get(key))
        assert.equal(kept[at]?.has(key), map.has(key))
      }
      const value = `value ${round}`.repeat(1 + draws(3))
      kept[number]?.set(key, value)
      plain[number]?.set(key, value)
    }
  }
})

test('no part is added to records that were begun without it', () => {
  const parts = createParts()
  parts.part(TEXTS).set('a', 'b')
  assert.throws(() => parts.part(TEXTS))
})
