import type { Dictionary } from './dictionaries.ts'

/** Of the hash of four bytes: enough for a dictionary and a payload, and copied in about a microsecond. */
const TABLE_BITS = 13
export const TABLE_LENGTH: number = 1 << TABLE_BITS

export class PackingDictionary {
  readonly number: number
  readonly bytes: Buffer
  /** By the hash of four bytes, where they begin; -1: nowhere. */
  readonly places: Int32Array

  constructor({ number, text }: Dictionary) {
    this.number = number
    this.bytes = Buffer.from(text)
    this.places = new Int32Array(TABLE_LENGTH).fill(-1)
    for (let at = 0; at + 4 <= this.bytes.length; at += 1)
      this.places[hashFour(this.bytes, at)] = at
  }
}

export function hashFour(bytes: Uint8Array, at: number): number {
  const four =
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  return Math.imul(four, 0x9e3779b1) >>> (32 - TABLE_BITS)
}
