import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededDraws } from '../reading/seeded-draws.test-support.ts'
import { createByteLog } from './byte-log.ts'
import { createKeyUses } from './key-uses.ts'
import { createPackedMap, type Packing } from './packed-map.ts'
import { createNames, RecordReader, RecordWriter } from './record.ts'
import { hashKey } from './record-index.ts'

const TEXTS: Packing<string> = {
  write: (record, text) => record.text(text),
  read: (record) => record.text(),
}

const ADDRESS = `sha256:${'0123456789abcdef'.repeat(4)}`
const UUID = '01a1e360-fda4-74f6-902c-0a27f439390b'

test('a record gives back what was written', () => {
  const names = createNames()
  const writer = new RecordWriter(names)
  const texts = [
    '',
    ADDRESS,
    ADDRESS.toUpperCase(),
    `${ADDRESS.slice(0, -1)}g`,
    UUID,
    UUID.toUpperCase(),
    UUID.replaceAll('-', '_'),
    '\ufeff',
    '\ufeffa mark before it is part of a text',
    'ü😀'.repeat(500),
  ]
  const counts = [0, 1, 127, 128, 2 ** 31, Number.MAX_SAFE_INTEGER]
  const numbers = [0, -1.5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const times = ['2026-02-01T09:30:00.000Z', '2026-02-01', 'never']
  for (const text of texts) writer.text(text)
  for (const count of counts) writer.count(count)
  for (const number of numbers) writer.writeNumber(number)
  for (const time of times) writer.writeTime(time)
  writer.writeFlag(true)
  writer.name('agent')
  writer.writeFlag(false)
  writer.name('agent')
  const reader = new RecordReader(names, writer.bytes, 0)
  for (const text of texts) assert.equal(reader.text(), text)
  for (const count of counts) assert.equal(reader.count(), count)
  for (const number of numbers) assert.equal(reader.readNumber(), number)
  for (const time of times) assert.equal(reader.readTime(), time)
  assert.deepEqual(
    [reader.readFlag(), reader.name(), reader.readFlag(), reader.name()],
    [true, 'agent', false, 'agent'],
  )
})

test('a log gives back records of any length, also longer than a piece', () => {
  const log = createByteLog()
  const draws = seededDraws(5)
  const written = [3, 1_048_576, 2_500_000, 8, 1_048_570, 0, 17, 900_000, 900_000].map((length) => {
    const bytes = new Uint8Array(length).fill(1 + draws(255))
    return { bytes, place: log.append(bytes, length) }
  })
  for (const { bytes, place } of written) {
    const { piece, start } = log.at(place)
    assert.ok(Buffer.from(bytes).equals(piece.subarray(start, start + bytes.length)))
  }
})

test('a record of a log is replaced where it has the room, and by nothing longer', () => {
  const log = createByteLog()
  for (const length of [1, 255, 300, 70_000]) {
    const place = log.append(new Uint8Array(length), length)
    const next = log.append(Uint8Array.of(7), 1)
    const most = Math.ceil(length / 4) * 4
    assert.equal(log.replace(place, new Uint8Array(most + 1).fill(9), most + 1), false)
    assert.equal(log.replace(place, new Uint8Array(most + 9).fill(9), most), true)
    const { piece, start } = log.at(place)
    assert.deepEqual([piece[start], piece[start + most - 1]], [9, 9])
    const after = log.at(next)
    assert.equal(after.piece[after.start], 7)
  }
})

test('a packed map answers as a map does, however little it holds', () => {
  for (const held of [1, 3, 100]) {
    const draws = seededDraws(held)
    const map = createPackedMap(TEXTS, held)
    const plain = new Map<string, string>()
    for (let round = 0; round < 3_000; round += 1) {
      const key = draws(2) === 0 ? `key ${draws(800)}` : ADDRESS.replace('0', String(draws(10)))
      assert.equal(map.get(key), plain.get(key))
      assert.equal(map.has(key), plain.has(key))
      if (draws(2) === 0) continue
      const value = `value ${round}`.repeat(1 + draws(5))
      map.set(key, value)
      plain.set(key, value)
    }
    for (const [key, value] of plain) assert.equal(map.get(key), value)
  }
})

test('keys that were chosen to crowd one place are all found', () => {
  const map = createPackedMap(TEXTS, 1)
  // Only the end of a key and its length decide where it is looked for.
  const keys = Array.from(
    { length: 3_000 },
    (_, n) => `${String(n).padStart(8, '0')}${'x'.repeat(16)}`,
  )
  for (const key of keys) map.set(key, `of ${key}`)
  for (const key of keys.slice(0, 500)) map.set(key, `again ${key}`)
  for (const [n, key] of keys.entries())
    assert.equal(map.get(key), `${n < 500 ? 'again' : 'of'} ${key}`)
  assert.equal(map.get(`99999999${'x'.repeat(16)}`), undefined)
})

test('keys that were chosen around the end of the table are all found when it has grown', () => {
  const map = createPackedMap(TEXTS, 1)
  // 64 that begin 64 slots before the end fill it; 63 that begin in its last slot stand at its beginning.
  const wanted = new Map([
    [1_024 - 64, 64],
    [1_024 - 1, 63],
    ...Array.from({ length: 700 }, (_, n): [number, number] => [200 + n, 1]),
  ])
  const keys = keysAt(wanted)
  for (const key of keys) map.set(key, `of ${key}`)
  for (const key of keys) assert.equal(map.get(key), `of ${key}`)
})

/** So many keys that are looked for from each slot on, in a table of 2,048. */
function keysAt(wanted: ReadonlyMap<number, number>): readonly string[] {
  const found = new Map([...wanted.keys()].map((slot): [number, string[]] => [slot, []]))
  let left = [...wanted.values()].reduce((sum, count) => sum + count, 0)
  for (let n = 0; left > 0; n += 1) {
    const key = `flow ${n}`.padStart(20)
    const slot = hashKey(key) & 2_047
    const keys = found.get(slot)
    if (keys === undefined || keys.length === wanted.get(slot)) continue
    keys.push(key)
    left -= 1
  }
  return [...found.values()].flat()
}

test('the uses of a key are found by where they stand', () => {
  const uses = createKeyUses()
  const at = (leaf: number): { leaf: number; trajectory: string; seq: number } => {
    return { leaf, trajectory: leaf % 2 === 0 ? 'main' : 'side', seq: leaf * 3 }
  }
  for (let leaf = 0; leaf < 1_000; leaf += 1) uses.add({ seen: leaf - 1, at: leaf }, at(leaf))
  const found = uses.listPlaces(
    (position) => position.at >= 990 && position.seen === position.at - 1,
  )
  assert.deepEqual(
    found,
    Array.from({ length: 10 }, (_, n) => at(990 + n)),
  )
  uses.add({ seen: 2_000, at: 2_000 }, at(7))
  assert.deepEqual(
    uses.listPlaces((position) => position.at === 2_000),
    [at(7)],
  )
})
