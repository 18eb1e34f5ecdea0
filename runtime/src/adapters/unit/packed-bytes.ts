/** Steps of packed texts, as `packed-text.ts` describes them. */
import { hashFour, type PackingDictionary, TABLE_LENGTH } from './packing-dictionary.ts'

const HEX = 96
const FOLLOW = 128
const LONG_FOLLOW = 191
const COPY = 192
const LONG_COPY = 255
/** Of copies that need no distance, and of the others: a shorter one is as long as the digits it stands for. */
const SHORTEST_FOLLOW = 3
const SHORTEST_COPY = 6
/** From which on a byte of its own says how much longer it is. */
const LONG_FOLLOW_LENGTH = 66
const LONG_COPY_LENGTH = 67
const LONGEST_COPY = LONG_FOLLOW_LENGTH + 255
const LONGEST_STEP = LONG_COPY_LENGTH + 255
const FURTHEST = 65_535
/** Digits in a row that are worth a step of their own. */
const SHORTEST_HEX = 8
/** After as many bytes that are found nowhere, digits are not looked up one by one. */
const LOOKED_AT = 8
const MOST_LITERALS = 96
const MOST_HEX_BYTES = 32

/** A row that somebody wrote could unpack to a hundred times its length. */
const MOST_BYTES = 64 * 1024 * 1024
const SCRATCH_BYTES = 64 * 1024

const DIGITS = Buffer.from('0123456789abcdef')
const HEX_VALUES = new Uint8Array(256).fill(16)
for (const [value, digit] of DIGITS.entries()) HEX_VALUES[digit] = value

/** Used again for every text: nothing here waits for anything. */
let work = Buffer.alloc(SCRATCH_BYTES)
let out = Buffer.alloc(SCRATCH_BYTES)
const places = new Int32Array(TABLE_LENGTH)

/** Null: it would not get shorter. */
export function packBytes(text: string, dictionary: PackingDictionary): Uint8Array | null {
  const start = dictionary.bytes.length
  reserve(start + 3 * text.length)
  work.set(dictionary.bytes, 0)
  const end = start + work.write(text, start)
  places.set(dictionary.places)
  out[0] = dictionary.number
  const bytes = work
  let to = 1
  let done = start
  let at = start
  let next = 0
  while (at + SHORTEST_FOLLOW <= end) {
    const followed = bytes[next] === bytes[at] ? measureMatch(bytes, next, at, end, start) : 0
    const hash = hashFour(bytes, at)
    const from = places[hash] as number
    places[hash] = at
    const found = from < 0 || at - from > FURTHEST ? 0 : measureMatch(bytes, from, at, end, at)
    const isFollowing = followed >= SHORTEST_FOLLOW && followed + 2 >= found
    const length = isFollowing ? followed : found
    if (!isFollowing && length < SHORTEST_COPY) {
      at = at - done < LOOKED_AT ? at + 1 : skipDigits(bytes, at, end)
      continue
    }
    to = writeLiterals(done, at, to)
    to = isFollowing ? writeFollow(length, to) : writeCopy(length, at - from, to)
    if (isFollowing) next += length
    else if (from < start) next = from + length
    at += length
    done = at
  }
  to = writeLiterals(done, end, to)
  return to < end - start ? Uint8Array.prototype.slice.call(out, 0, to) : null
}

/** The digits of a hash that does not begin like an earlier one occur nowhere else. */
function skipDigits(bytes: Uint8Array, at: number, end: number): number {
  let next = at + 1
  while (next < end && (HEX_VALUES[bytes[next] as number] as number) < 16) next += 1
  return next
}

/** Bytes from `from` on, and before `until`, that are the same from `at` on. */
function measureMatch(
  bytes: Uint8Array,
  from: number,
  at: number,
  end: number,
  until: number,
): number {
  const most = Math.min(LONGEST_COPY, until - from, end - at)
  let length = 0
  while (length < most && bytes[from + length] === bytes[at + length]) length += 1
  return length
}

function writeFollow(length: number, at: number): number {
  if (length < LONG_FOLLOW_LENGTH) {
    out[at] = FOLLOW + length - SHORTEST_FOLLOW
    return at + 1
  }
  out[at] = LONG_FOLLOW
  out[at + 1] = length - LONG_FOLLOW_LENGTH
  return at + 2
}

function writeCopy(length: number, distance: number, at: number): number {
  let to = at
  if (length < LONG_COPY_LENGTH) out[to++] = length + 188
  else {
    out[to++] = LONG_COPY
    out[to++] = length - LONG_COPY_LENGTH
  }
  out[to++] = distance >>> 8
  out[to++] = distance & 255
  return to
}

/** Bytes as they are, and runs of hexadecimal digits at half their length. */
function writeLiterals(from: number, end: number, at: number): number {
  const bytes = work
  let to = at
  let plain = from
  let digits = from
  for (let i = from; i <= end; i += 1) {
    if (i < end && (HEX_VALUES[bytes[i] as number] as number) < 16) continue
    const length = (i - digits) & ~1
    if (length >= SHORTEST_HEX) {
      to = writePlain(plain, digits, to)
      to = writeHex(digits, digits + length, to)
      plain = digits + length
    }
    digits = i + 1
  }
  return writePlain(plain, end, to)
}

function writePlain(from: number, end: number, at: number): number {
  const [bytes, packed] = [work, out]
  let to = at
  for (let i = from; i < end; i += MOST_LITERALS) {
    const length = Math.min(MOST_LITERALS, end - i)
    packed[to++] = length - 1
    for (let k = 0; k < length; k += 1) packed[to++] = bytes[i + k] as number
  }
  return to
}

function writeHex(from: number, end: number, at: number): number {
  const [bytes, packed] = [work, out]
  let to = at
  for (let i = from; i < end; i += 2 * MOST_HEX_BYTES) {
    const length = Math.min(MOST_HEX_BYTES, (end - i) >> 1)
    packed[to++] = HEX + length - 1
    for (let k = i; k < i + 2 * length; k += 2)
      packed[to++] =
        ((HEX_VALUES[bytes[k] as number] as number) << 4) |
        (HEX_VALUES[bytes[k + 1] as number] as number)
  }
  return to
}

/** The text in UTF-8, until the next is packed or unpacked; null: these are no steps of ours. */
export function unpackBytes(packed: Uint8Array, dictionary: PackingDictionary): Buffer | null {
  const start = dictionary.bytes.length
  reserve(start)
  work.set(dictionary.bytes, 0)
  let next = 0
  let to = start
  let at = 1
  while (at < packed.length) {
    const tag = packed[at] as number
    at += 1
    if (to + LONGEST_STEP > work.length && !grow(to)) return null
    if (tag < FOLLOW) {
      const length = tag < HEX ? tag + 1 : tag - HEX + 1
      if (at + length > packed.length) return null
      to = tag < HEX ? readPlain(packed, at, length, to) : readHex(packed, at, length, to)
      at += length
      continue
    }
    const isFollowing = tag < COPY
    const isLong = tag === LONG_FOLLOW || tag === LONG_COPY
    const size = (isLong ? 1 : 0) + (isFollowing ? 0 : 2)
    if (at + size > packed.length) return null
    const more = isLong ? (packed[at] as number) : 0
    at += size
    const length = tag - (isFollowing ? 125 : 188) + more
    const distance = ((packed[at - 2] as number) << 8) | (packed[at - 1] as number)
    const from = isFollowing ? next : to - distance
    if (from < 0 || from + length > (isFollowing ? start : to)) return null
    work.copyWithin(to, from, from + length)
    if (from < start) next = from + length
    to += length
  }
  return work.subarray(start, to)
}

function readPlain(packed: Uint8Array, at: number, length: number, to: number): number {
  for (let k = 0; k < length; k += 1) work[to + k] = packed[at + k] as number
  return to + length
}

function readHex(packed: Uint8Array, at: number, length: number, to: number): number {
  for (let k = 0; k < length; k += 1) {
    const byte = packed[at + k] as number
    work[to + 2 * k] = DIGITS[byte >>> 4] as number
    work[to + 2 * k + 1] = DIGITS[byte & 15] as number
  }
  return to + 2 * length
}

function reserve(bytes: number): void {
  const most = bytes + LONGEST_STEP
  if (work.length < most) work = Buffer.alloc(most)
  // Each step of 96 bytes has one byte more; the others are shorter than what they stand for.
  if (out.length < most + (most >> 6)) out = Buffer.alloc(most + (most >> 6))
}

/** False: no text of ours is as long. */
function grow(used: number): boolean {
  if (used > MOST_BYTES) return false
  const larger = Buffer.alloc(2 * work.length)
  work.copy(larger, 0, 0, used)
  work = larger
  return true
}
