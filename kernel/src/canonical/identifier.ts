import { assert } from '../assert.ts'
import { LIMITS } from '../limits.ts'
import { hex } from './bytes.ts'

const LATEST_UUID_TIME = 2 ** 48 - 1

/**
 * One to 128 of `A-Z a-z 0-9 . _ : @ -`. Nothing that two people could see as the same name and a
 * computer as two: no Cyrillic look-alikes, no combining marks, no invisible characters.
 */
export function isIdentifier(text: string): boolean {
  if (text.length === 0 || text.length > LIMITS.identifierLength) return false
  for (let i = 0; i < text.length; i += 1) {
    if (!isIdentifierCode(text.charCodeAt(i))) return false
  }
  return true
}

/** A UUID of any version in its one canonical spelling, which is lower case. */
export function isUuid(text: string): boolean {
  if (text.length !== 36) return false
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    const isHyphenPlace = i === 8 || i === 13 || i === 18 || i === 23
    if (isHyphenPlace ? code !== 0x2d : !isLowerHex(code)) return false
  }
  return true
}

/** A flow's id: a UUID of version 7 and the RFC 9562 variant. */
export function isDfid(text: string): boolean {
  return isUuid(text) && text[14] === '7' && '89ab'.includes(text.charAt(19))
}

/** Mints a dfid. Time and randomness are passed in, so that a replay mints the same one. */
export function dfidFrom(epochMs: number, random10: Uint8Array): string {
  assert(Number.isSafeInteger(epochMs) && epochMs >= 0, 'the time of a dfid is a natural number')
  assert(epochMs <= LATEST_UUID_TIME, 'the time of a dfid fits 48 bits')
  assert(random10.length === 10, 'a dfid takes ten random bytes')

  const time = epochMs.toString(16).padStart(12, '0')
  const digits = time + hex(random10.map(markVersionAndVariant))
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

function isIdentifierCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || // a-z
    (code >= 0x40 && code <= 0x5a) || // @ and A-Z
    (code >= 0x30 && code <= 0x3a) || // 0-9 and :
    code === 0x2d || // -
    code === 0x2e || // .
    code === 0x5f // _
  )
}

function isLowerHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66)
}
