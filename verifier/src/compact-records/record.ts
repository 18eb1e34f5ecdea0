/** Writes and reads records of a few fields as bytes: what a verifier has to remember of every flow. */
import { assert, encodeHex, formatInstant, isExactInstant, parseInstant } from 'rubicon-kernel'

const ADDRESS_LENGTH = 71
const ADDRESS_PREFIX = 'sha256:'
const UUID_LENGTH = 36
const HYPHENS = [8, 13, 18, 23] as const
const GROUPS = [
  [0, 8],
  [9, 13],
  [14, 18],
  [19, 23],
  [24, 36],
] as const

const TEXT = 0
const ADDRESS = 1
const UUID = 2

const encoder = new TextEncoder()
/** A mark at the beginning belongs to the text: without it a key would not be found again. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const doubleBytes = new Uint8Array(8)
const double = new DataView(doubleBytes.buffer)

/** Texts that come again and again, each by a number. */
export type Names = {
  readonly getNumber: (name: string) => number
  readonly getName: (number: number) => string
}

export function createNames(): Names {
  const numbers = new Map<string, number>()
  const names: string[] = []
  return {
    getNumber(name) {
      const known = numbers.get(name)
      if (known !== undefined) return known
      numbers.set(name, names.length)
      return names.push(name) - 1
    },
    getName(number) {
      const name = names[number]
      assert(name !== undefined, 'a number of a name was given out')
      return name
    },
  }
}

export class RecordWriter {
  bytes: Uint8Array = new Uint8Array(512)
  length: number = 0
  private readonly names: Names

  constructor(names: Names) {
    this.names = names
  }

  clear(): void {
    this.length = 0
  }

  writeFlag(value: boolean): void {
    this.writeByte(value ? 1 : 0)
  }

  /** A safe integer from 0 on. */
  count(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.writeByte((rest % 0x80) + 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.writeByte(rest)
  }

  /** Any number, also one that is not finite. */
  writeNumber(value: number): void {
    double.setFloat64(0, value)
    this.put(doubleBytes)
  }

  /** A time in its one spelling, in nine bytes; any other text as it is. */
  writeTime(text: string): void {
    const ms = isExactInstant(text) ? parseInstant(text) : undefined
    this.writeFlag(ms !== undefined)
    if (ms === undefined) this.text(text)
    else this.writeNumber(ms)
  }

  name(text: string): void {
    this.count(this.names.getNumber(text))
  }

  /** An address in 33 bytes, a UUID in 17, any other text as it is. */
  text(text: string): void {
    const start = this.length
    if (text.length === ADDRESS_LENGTH && text.startsWith(ADDRESS_PREFIX)) {
      this.writeByte(ADDRESS)
      if (this.writeHexDigits(text, ADDRESS_PREFIX.length, ADDRESS_LENGTH)) return
    } else if (text.length === UUID_LENGTH && HYPHENS.every((at) => text[at] === '-')) {
      this.writeByte(UUID)
      if (GROUPS.every(([from, to]) => this.writeHexDigits(text, from, to))) return
    }
    this.length = start
    const bytes = encoder.encode(text)
    this.writeByte(TEXT)
    this.count(bytes.length)
    this.put(bytes)
  }

  /** Two lower-case hexadecimal digits a byte; false: there is something else. */
  private writeHexDigits(text: string, from: number, to: number): boolean {
    this.reserve((to - from) / 2)
    for (let at = from; at < to; at += 2) {
      const value =
        decodeHexDigit(text.charCodeAt(at)) * 16 + decodeHexDigit(text.charCodeAt(at + 1))
      if (value < 0) return false
      this.bytes[this.length] = value
      this.length += 1
    }
    return true
  }

  private put(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  private writeByte(value: number): void {
    this.reserve(1)
    this.bytes[this.length] = value
    this.length += 1
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const larger = new Uint8Array(2 * (this.length + more))
    larger.set(this.bytes)
    this.bytes = larger
  }
}

export class RecordReader {
  private readonly names: Names
  private readonly bytes: Uint8Array
  private at: number

  constructor(names: Names, bytes: Uint8Array, at: number) {
    this.names = names
    this.bytes = bytes
    this.at = at
  }

  readFlag(): boolean {
    return this.readByte() === 1
  }

  count(): number {
    let value = 0
    for (let unit = 1; ; unit *= 0x80) {
      const byte = this.readByte()
      value += (byte % 0x80) * unit
      if (byte < 0x80) return value
    }
  }

  readNumber(): number {
    doubleBytes.set(this.take(8))
    return double.getFloat64(0)
  }

  readTime(): string {
    return this.readFlag() ? formatInstant(this.readNumber()) : this.text()
  }

  name(): string {
    return this.names.getName(this.count())
  }

  text(): string {
    switch (this.readByte()) {
      case ADDRESS:
        return ADDRESS_PREFIX + encodeHex(this.take(32))
      case UUID: {
        const digits = encodeHex(this.take(16))
        const groups = [[0, 8], [8, 12], [12, 16], [16, 20], [20]]
        return groups.map(([from, to]) => digits.slice(from, to)).join('-')
      }
      default:
        return decoder.decode(this.take(this.count()))
    }
  }

  private readByte(): number {
    const byte = this.bytes[this.at]
    assert(byte !== undefined, 'a record ends where it was written to end')
    this.at += 1
    return byte
  }

  private take(length: number): Uint8Array {
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
}

const ZERO = 0x30
const NINE = 0x39

/** Far below zero for what is no lower-case hexadecimal digit. */
function decodeHexDigit(code: number): number {
  if (code >= ZERO && code <= NINE) return code - ZERO
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1_000
}
