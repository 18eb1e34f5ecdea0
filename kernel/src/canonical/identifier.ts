import { assert } from '../assert.ts'
import { LIMITS } from '../limits.ts'
import { encodeHex } from './bytes.ts'

const LATEST_UUID_TIME = 2 ** 48 - 1

/**
 * One to 128 of `A-Z a-z 0-9 . _ : @ -`. Nothing that two people could see as the same name and a
 * computer as two: no Cyrillic look-alikes, no combining marks, no invisible characters.
 */
export function isIdentifier(text: string): boolean {
  return text.length <= LIMITS.identifierLength && IDENTIFIER.test(text)
}

const IDENTIFIER = /^[A-Za-z0-9._:@-]+$/

/** A UUID of any version in its one canonical spelling, which is lower case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A flow's id: a UUID of version 7 and the RFC 9562 variant. */
export function isDfid(text: string): boolean {
  return isUuid(text) && text[14] === '7' && '89ab'.includes(text.charAt(19))
}

/** Mints a dfid. Time and randomness are passed in, so that a replay mints the same one. */
export function mintDfid(epochMs: number, random10: Uint8Array): string {
  assert(Number.isSafeInteger(epochMs) && epochMs >= 0, 'the time of a dfid is a natural number')
  assert(epochMs <= LATEST_UUID_TIME, 'the time of a dfid fits 48 bits')
  assert(random10.length === 10, 'a dfid takes ten random bytes')

  const time = epochMs.toString(16).padStart(12, '0')
  const digits = time + encodeHex(random10.map(markVersionAndVariant))
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ]
  return groups.join('-')
}

/** Version 7 in the first four bits after the time, variant 10 in the first two bits of byte 8. */
function markVersionAndVariant(byte: number, index: number): number {
  if (index === 0) return 0x70 | (byte & 0x0f)
  return index === 2 ? 0x80 | (byte & 0x3f) : byte
}
