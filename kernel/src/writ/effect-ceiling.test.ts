import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveNeededCeiling, findMissingCeiling } from './effect-ceiling.ts'
import type { EffectCeiling } from './writ.ts'

const NONE: EffectCeiling = { read: false, write: false, external: false, irreversible: false }
const WRITES = ['put_if_match', 'keyed', 'queryable', 'unsafe'] as const

test('a read needs read and nothing else', () => {
  const read = { effect: 'read', world_only: false, reversible: false } as const
  assert.deepEqual(deriveNeededCeiling(read), { ...NONE, read: true })
  assert.deepEqual(findMissingCeiling(NONE, read), ['read'])
  assert.equal(findMissingCeiling({ ...NONE, read: true }, read), null)
})

test('every other effect needs write, and more the further it reaches', () => {
  for (const effect of WRITES) {
    for (const world_only of [true, false]) {
      for (const reversible of [true, false]) {
        assert.deepEqual(deriveNeededCeiling({ effect, world_only, reversible }), {
          read: false,
          write: true,
          external: !world_only,
          irreversible: !reversible,
        })
      }
    }
  }
})

test('all that is missing is named', () => {
  const payment = { effect: 'keyed', world_only: false, reversible: false } as const
  assert.deepEqual(findMissingCeiling({ ...NONE, read: true }, payment), [
    'write',
    'external',
    'irreversible',
  ])
  assert.equal(
    findMissingCeiling({ ...NONE, write: true, external: true, irreversible: true }, payment),
    null,
  )
})
