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
    const { buffer, byteOffset, length } = this.bytes
    const view = new DataView(buffer, byteOffset, length)
    for (let at = 0; at + 4 <= length; at += 1) this.places[hashFour(view, at)] = at
  }
}

export function hashFour(bytes: DataView, at: number): number {
  return Math.imul(bytes.getUint32(at, true), 0x9e3779b1) >>> (32 - TABLE_BITS)
}
