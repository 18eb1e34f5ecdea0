/** Finds records by their keys. Open addressing, eight bytes a slot; the keys stand in the records. */
import { assert } from 'rubicon-kernel'

export type RecordIndex = {
  /** The record at `place` has the key, in place of one that had it before. */
  readonly put: (key: string, place: number) => void
  readonly find: (key: string) => number | undefined
}

const FIRST_SLOTS = 1_024
/** Whoever makes a ledger chooses its keys: those that crowd around one slot stand in a map. */
const FARTHEST = 64

/** `isKey`: whether the record at the place has that key. */
export function createRecordIndex(isKey: (place: number, key: string) => boolean): RecordIndex {
  /** With one added, so that zero is an empty slot. */
  let places = new Uint32Array(FIRST_SLOTS)
  let hashes = new Uint32Array(FIRST_SLOTS)
  let size = 0
  const crowded = new Map<string, number>()

  /** Where the key stands, or is to stand; -1: it is crowded there. */
  const findSlot = (hash: number, key: string): number => {
    for (let step = 0; step < FARTHEST; step += 1) {
      const slot = (hash + step) & (places.length - 1)
      const place = places[slot] ?? 0
      if (place === 0) return slot
      if (hashes[slot] === hash && isKey(place - 1, key)) return slot
    }
    return -1
  }

  /**
   * All stay within reach: keys whose slots begin in a stretch of the table stood, before, in that stretch
   * and the 63 slots behind it, and they are no more now. That holds for each of them if they are taken in
   * the order in which they stand, which begins behind an empty slot: those at the beginning of the table
   * may belong to its end.
   */
  const grow = (): void => {
    const [before, known] = [places, hashes]
    places = new Uint32Array(2 * before.length)
    hashes = new Uint32Array(2 * before.length)
    const empty = before.indexOf(0)
    for (let i = 1; i < before.length; i += 1) {
      const at = (empty + i) & (before.length - 1)
      if (before[at] === 0) continue
      const hash = known[at] ?? 0
      let step = 0
      while (places[(hash + step) & (places.length - 1)] !== 0) step += 1
      assert(step < FARTHEST, 'what is remembered is found again')
      places[(hash + step) & (places.length - 1)] = before[at] ?? 0
      hashes[(hash + step) & (places.length - 1)] = hash
    }
  }

  return {
    put(key, place) {
      const hash = hashKey(key)
      const slot = findSlot(hash, key)
      // What is crowded once stays so: an empty slot that comes later must not hide it.
      if (slot < 0 || crowded.has(key)) {
        crowded.set(key, place)
        return
      }
      if (places[slot] === 0) size += 1
      places[slot] = place + 1
      hashes[slot] = hash
      if (4 * size > 3 * places.length) grow()
    },
    find(key) {
      const other = crowded.size === 0 ? undefined : crowded.get(key)
      if (other !== undefined || size === 0) return other
      const slot = findSlot(hashKey(key), key)
      const place = slot < 0 ? 0 : (places[slot] ?? 0)
      return place === 0 ? undefined : place - 1
    },
  }
}

/** FNV-1a over the end of the key: where ids are random, that is. */
export function hashKey(key: string): number {
  let hash = 0x811c9dc5 ^ key.length
  for (let i = Math.max(0, key.length - HASHED); i < key.length; i += 1)
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

const HASHED = 16
