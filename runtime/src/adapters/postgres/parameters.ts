/**
 * Values on their way to the server and back.
 *
 * Arrays travel in the binary format: the text one would escape every quote of every payload, once
 * here and once more there.
 *
 * Postgres keeps no NUL in a text, but our texts may hold one (a resource can be called anything).
 * U+0001 announces it; the order of texts stays as it was.
 */
import { assert } from 'rubicon-kernel'

export type Scalar = string | number | null
export type PostgresParameter = Scalar | Uint8Array

/** Of the server's types, by their numbers. */
const OIDS = { boolean: 16, bytea: 17, bigint: 20, text: 25 } as const

export type ElementType = keyof typeof OIDS
export type Element = string | number | bigint | boolean | Uint8Array | null

const HEADER_BYTES = 20
const EMPTY_BYTES = 12

export function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes('\u0001')) return text
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\0', '\u0001\u0001')
}

export function decodeText(text: string): string {
  if (!text.includes('\u0001')) return text
  return text.replaceAll('\u0001\u0001', '\0').replaceAll('\u0001\u0002', '\u0001')
}

export function encodeArray(type: ElementType, values: readonly Element[]): Uint8Array {
  if (values.length === 0) return encodeEmptyArray(type)
  const elements = values.map((value) => encodeElement(type, value))
  let size = HEADER_BYTES
  for (const element of elements) size += 4 + measureElement(element)
  const bytes = Buffer.allocUnsafe(size)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(elements.includes(null) ? 1 : 0, 4)
  bytes.writeInt32BE(OIDS[type], 8)
  bytes.writeInt32BE(elements.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = HEADER_BYTES
  for (const element of elements) at = write(element, bytes, at)
  return bytes
}

function encodeEmptyArray(type: ElementType): Uint8Array {
  const bytes = Buffer.alloc(EMPTY_BYTES)
  bytes.writeInt32BE(OIDS[type], 8)
  return bytes
}

/** Texts stay texts until their place is known. */
function encodeElement(type: ElementType, value: Element): string | Uint8Array | null {
  if (value === null) return null
  if (type === 'text' && typeof value === 'string') return encodeText(value)
  if (type === 'boolean' && typeof value === 'boolean') return Uint8Array.of(value ? 1 : 0)
  if (type === 'bytea' && value instanceof Uint8Array) return value
  assert(type === 'bigint', 'an element has the type of its column')
  const bytes = Buffer.allocUnsafe(8)
  if (typeof value === 'bigint') bytes.writeBigInt64BE(value)
  else writeWhole(value, bytes)
  return bytes
}

/** In two halves: making a bigint of every number would cost more than all the rest of it. */
function writeWhole(value: Element, bytes: Buffer): void {
  assert(typeof value === 'number' && Number.isSafeInteger(value), 'a bigint is a whole number')
  const high = Math.floor(value / 2 ** 32)
  bytes.writeInt32BE(high, 0)
  bytes.writeUInt32BE(value - high * 2 ** 32, 4)
}

function measureElement(element: string | Uint8Array | null): number {
  if (element === null) return 0
  return typeof element === 'string' ? Buffer.byteLength(element) : element.length
}

function write(element: string | Uint8Array | null, bytes: Buffer, at: number): number {
  if (element === null) return bytes.writeInt32BE(-1, at)
  const start = at + 4
  const length =
    typeof element === 'string' ? bytes.write(element, start) : copy(element, bytes, start)
  bytes.writeInt32BE(length, at)
  return start + length
}

function copy(element: Uint8Array, bytes: Buffer, at: number): number {
  bytes.set(element, at)
  return element.length
}
