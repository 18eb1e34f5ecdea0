/**
 * A map by text for what has to be remembered of every flow of a ledger, however long it is.
 *
 * 1. What was written or read lately is held as it is. The rest is packed: a few bytes each, outside of
 *    what the garbage collector walks over.
 * 2. Nothing is ever forgotten, and `get` answers with what was last `set`: a value that was changed in
 *    place has to be set again.
 */
import { createByteLog } from './byte-log.ts'
import { createNames, RecordReader, RecordWriter } from './record.ts'
import { createRecordIndex } from './record-index.ts'

export type Packing<V> = {
  readonly write: (record: RecordWriter, value: V) => void
  readonly read: (record: RecordReader) => V
}

export type PackedMap<V> = {
  readonly get: (key: string) => V | undefined
  readonly has: (key: string) => boolean
  readonly set: (key: string, value: V) => void
}

/** So many are held as they are, up to twice. */
const HELD = 512

export function createPackedMap<V>(packing: Packing<V>, held: number = HELD): PackedMap<V> {
  const packed = createPacked(packing)
  let young = new Map<string, V>()
  let old = new Map<string, V>()

  const hold = (key: string, value: V): void => {
    young.set(key, value)
    if (young.size < held) return
    for (const [name, one] of old) if (!young.has(name)) packed.put(name, one)
    old = young
    young = new Map()
  }

  const get = (key: string): V | undefined => {
    const value = young.get(key)
    if (value !== undefined) return value
    const known = old.get(key) ?? packed.find(key)
    if (known !== undefined) hold(key, known)
    return known
  }

  return { get, has: (key) => get(key) !== undefined, set: hold }
}

type Packed<V> = {
  readonly put: (key: string, value: V) => void
  readonly find: (key: string) => V | undefined
}

/** Each record is its key and its value; of several of one key the last counts. */
function createPacked<V>({ write, read }: Packing<V>): Packed<V> {
  const log = createByteLog()
  const names = createNames()
  const writer = new RecordWriter(names)
  const openRecord = (place: number): RecordReader => {
    const { piece, start } = log.at(place)
    return new RecordReader(names, piece, start)
  }
  const index = createRecordIndex((place, key) => openRecord(place).text() === key)
  return {
    put(key, value) {
      writer.clear()
      writer.text(key)
      write(writer, value)
      const place = index.find(key)
      if (place !== undefined && log.replace(place, writer.bytes, writer.length)) return
      index.put(key, log.append(writer.bytes, writer.length))
    },
    find(key) {
      const place = index.find(key)
      if (place === undefined) return undefined
      const record = openRecord(place)
      record.text()
      return read(record)
    },
  }
}
