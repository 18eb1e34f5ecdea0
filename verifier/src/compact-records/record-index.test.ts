import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecordIndex, hashKey } from './record-index.ts'

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

/** Their ends are the same, and so are their hashes. */
function buildCrowd(length: number): readonly string[] {
  return Array.from({ length }, (_, n) => `${String(n).padStart(4, '0')}${'x'.repeat(16)}`)
}

test('keys that somebody made to stand in one slot are found, replaced, and told from others', () => {
  const crowd = buildCrowd(200)
  assert.equal(new Set(crowd.map(hashKey)).size, 1)
  const keys: string[] = []
  const index = createRecordIndex((place, key) => keys[place] === key)
  const put = (key: string): void => index.put(key, keys.push(key) - 1)
  for (const key of crowd) put(key)
  for (const [place, key] of crowd.entries()) assert.equal(index.find(key), place)
  assert.equal(index.find(`9999${'x'.repeat(16)}`), undefined)
  for (let n = 0; n < RECORDS; n += 1) put(`key-${n}`)
  for (const key of crowd) assert.equal(keys[index.find(key) ?? -1], key)
  for (const key of crowd) put(key)
  const from = crowd.length + RECORDS
  for (const [n, key] of crowd.entries()) assert.equal(index.find(key), from + n)
  for (let n = 0; n < RECORDS; n += 1) assert.equal(index.find(`key-${n}`), crowd.length + n)
})

test('few records are looked at for one key, however many there are', () => {
  const keys: string[] = []
  let looks = 0
  const index = createRecordIndex((place, key) => {
    looks += 1
    return keys[place] === key
  })
  for (const key of buildCrowd(300)) index.put(key, keys.push(key) - 1)
  looks = 0
  assert.equal(index.find(`9999${'x'.repeat(16)}`), undefined)
  assert.equal(looks, 64)
})

test('the end and the length of a key decide where it stands', () => {
  const end = 'x'.repeat(16)
  assert.equal(hashKey(`a${end}`), hashKey(`b${end}`))
  assert.notEqual(hashKey(end), hashKey(`b${end}`))
  for (let at = 0; at < 16; at += 1)
    assert.notEqual(hashKey(end), hashKey(`${end.slice(0, at)}y${end.slice(at + 1)}`), `${at}`)
  assert.equal(hashKey(''), 0x811c9dc5, 'as FNV-1a begins')
})
