import { assert } from '../assert.ts'

const encoder = new TextEncoder()
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Half a surrogate pair would silently become U+FFFD, and two texts would share one hash. */
export function encodeUtf8(text: string): Uint8Array {
  assert(text.isWellFormed(), 'text that becomes bytes has no half surrogate pairs')
  return encoder.encode(text)
}

/** The text of valid UTF-8; a byte order mark is kept, for the caller to see. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return undefined
  }
}

const HEX_DIGITS = '0123456789abcdef'
const HEX_PAIRS: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => HEX_DIGITS.charAt(byte >> 4) + HEX_DIGITS.charAt(byte & 15),
)

export function encodeHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX_PAIRS[byte]
  return text
}

/** Value of each lower-case hexadecimal digit by its code; -1 for everything else. */
const NIBBLES: Int8Array = new Int8Array(128).fill(-1)
for (let i = 0; i < 16; i += 1) NIBBLES['0123456789abcdef'.charCodeAt(i)] = i

/** Lower case only: one spelling a value, so that texts can be compared as texts. */
export function decodeHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i += 1) {
    const high = NIBBLES[text.charCodeAt(2 * i)] ?? -1
    const low = NIBBLES[text.charCodeAt(2 * i + 1)] ?? -1
    if (high < 0 || low < 0) return undefined
    bytes[i] = high * 16 + low
  }
  return bytes
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const SEXTETS: Int8Array = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i += 1) SEXTETS[ALPHABET.charCodeAt(i)] = i

export function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const group =
      (getOctet(bytes, i) << 16) | (getOctet(bytes, i + 1) << 8) | getOctet(bytes, i + 2)
    const left = bytes.length - i
    text += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63)
    text += left > 1 ? ALPHABET.charAt((group >> 6) & 63) : '='
    text += left > 2 ? ALPHABET.charAt(group & 63) : '='
  }
  return text
}

/**
 * Standard alphabet, padded, and the one spelling that re-encodes to the same text: spare bits must
 * be zero, or anyone could change the bytes of a signed file without breaking its signature.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  let held = 0
  let bits = 0
  let written = 0
  for (let i = 0; i < digits; i += 1) {
    const sextet = SEXTETS[text.charCodeAt(i)] ?? -1
    if (sextet < 0) return undefined
    held = ((held << 6) | sextet) & 0xfff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[written] = held >> bits
      written += 1
    }
  }
  const spare = held & ((1 << bits) - 1)
  return spare === 0 ? bytes : undefined
}

export function joinBytes(...parts: Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Not in constant time: the kernel holds no secrets. */
export function isEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false
  return true
}

/** Past the end there are zero bits, which is how base64 fills its last group. */
function getOctet(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0
}
