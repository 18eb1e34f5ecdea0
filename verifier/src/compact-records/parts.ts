/**
 * Several checks remember something of the same intent, or of the same flow: it is kept in one record, with a
 * part for each of them, so that its key is kept, hashed and looked for once.
 */
import { assert } from 'rubicon-kernel'
import { createPackedMap, type PackedMap, type Packing } from './packed-map.ts'

export type Parts = {
  /** A map of its own by the same keys. All are asked for before anything is put into one of them. */
  readonly part: <V extends NonNullable<unknown>>(packing: Packing<V>) => PackedMap<V>
}

/** What is kept of every intent by its id, and of every flow by its dfid, which is the nonce of its writ. */
export type Kept = { readonly intents: Parts; readonly flows: Parts }

export function createKept(): Kept {
  return { intents: createParts(), flows: createParts() }
}

/** By the number of the part; undefined: that was not set. */
type Row = unknown[]

export function createParts(held?: number): Parts {
  const packings: Packing<unknown>[] = []
  let isUsed = false
  const rows = createPackedMap<Row>(
    {
      write(record, row) {
        for (const [number, packing] of packings.entries()) {
          const value = row[number]
          record.writeFlag(value !== undefined)
          if (value !== undefined) packing.write(record, value)
        }
      },
      read: (record) =>
        packings.map((packing) => (record.readFlag() ? packing.read(record) : undefined)),
    },
    held,
  )
  return {
    part<V extends NonNullable<unknown>>(packing: Packing<V>): PackedMap<V> {
      assert(!isUsed, 'a record has the parts that it began with')
      const number = packings.push(packing as Packing<unknown>) - 1
      const get = (key: string): V | undefined => rows.get(key)?.[number] as V | undefined
      return {
        get,
        has: (key) => get(key) !== undefined,
        set(key, value) {
          isUsed = true
          const row = rows.get(key) ?? packings.map(() => undefined)
          row[number] = value
          rows.set(key, row)
        },
      }
    },
  }
}
