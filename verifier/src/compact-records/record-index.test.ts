import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecordIndex } from './record-index.ts'

/** More than the table has slots at first, so that each slot is somebody's. */
const RECORDS = 5_000

test('every record is found by its key, in whichever slot it stands, and nothing else is', () => {
  const keys: string[] = []
  const index = createRecordIndex((place, key) => keys[place] === key)
  assert.equal(index.find('key-0'), undefined)
  for (let place = 0; place < RECORDS; place += 1) {
    keys.push(`key-${place}`)
    index.put(`key-${place}`, place)
    if (place % 500 === 0) assert.equal(index.find(`key-${place}`), place)
  }
  for (const [place, key] of keys.entries()) assert.equal(index.find(key), place)
  assert.equal(index.find('key'), undefined)
})

test('a record takes the place of one that had its key before', () => {
  const keys = ['a', 'b', 'a']
  const index = createRecordIndex((place, key) => keys[place] === key)
  for (const [place, key] of keys.entries()) index.put(key, place)
  assert.deepEqual([index.find('a'), index.find('b')], [2, 1])
})
