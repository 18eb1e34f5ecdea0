import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ByteLog, createByteLog } from './byte-log.ts'

const PIECE = 1_048_576

/** So many bytes that say which record they are of. */
function buildBytes(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (seed * 31 + at) % 251)
}

function read(log: ByteLog, place: number, length: number): Uint8Array {
  const { piece, start } = log.at(place)
  return piece.slice(start, start + length)
}

test('records of every length come back, in pieces or longer than one', () => {
  const log = createByteLog()
  const lengths = [
    0,
    1,
    3,
    4,
    5,
    PIECE - 4,
    7,
    PIECE - 3,
    0,
    2.5 * PIECE,
    9,
    PIECE,
    2 * PIECE - 4,
    1,
  ]
  const places = lengths.map((length, seed) => log.append(buildBytes(length, seed), length))
  for (const [seed, place] of places.entries()) {
    const length = lengths[seed] ?? 0
    assert.ok(Number.isInteger(place) && place <= 0xffff_ffff)
    assert.deepEqual(read(log, place, length), buildBytes(length, seed), `${seed}`)
  }
})

test('only as many bytes as are said are taken of a buffer', () => {
  const log = createByteLog()
  const place = log.append(buildBytes(64, 1), 3)
  const next = log.append(buildBytes(8, 2), 8)
  assert.deepEqual(read(log, place, 4), Uint8Array.of(...buildBytes(3, 1), 0))
  assert.deepEqual(read(log, next, 8), buildBytes(8, 2))
})

test('a piece is filled to its end before the next is begun', () => {
  const log = createByteLog()
  // With what stands before each they take 64 bytes.
  const fitting = PIECE / 64
  for (let seed = 0; seed <= fitting; seed += 1)
    assert.equal(log.append(buildBytes(60, seed), 60), (seed * 64) / 4)
})

test('what takes the place of a record has the room that was rounded up for it, and no more', () => {
  for (let length = 0; length < 10; length += 1) {
    const log = createByteLog()
    const before = log.append(buildBytes(5, 100), 5)
    const place = log.append(buildBytes(length, 1), length)
    const after = log.append(buildBytes(5, 200), 5)
    const most = Math.ceil(length / 4) * 4
    assert.equal(log.replace(place, buildBytes(most + 1, 2), most + 1), false)
    assert.deepEqual(read(log, place, length), buildBytes(length, 1), 'nothing was changed')
    assert.equal(log.replace(place, buildBytes(most, 3), most), true)
    assert.deepEqual(read(log, place, most), buildBytes(most, 3))
    assert.deepEqual(read(log, before, 5), buildBytes(5, 100))
    assert.deepEqual(read(log, after, 5), buildBytes(5, 200))
    assert.equal(log.replace(after, buildBytes(6, 4), 6), true, 'its room is still known')
  }
})

test('the room of a long record is known', () => {
  const log = createByteLog()
  for (const length of [256, 70_000, 17 * PIECE]) {
    const place = log.append(new Uint8Array(length).fill(1), length)
    assert.equal(log.replace(place, new Uint8Array(length + 1), length + 1), false)
    assert.equal(log.replace(place, new Uint8Array(length).fill(2), length), true)
    assert.ok(read(log, place, length).every((byte) => byte === 2))
  }
})
