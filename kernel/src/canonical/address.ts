import { assert } from '../assert.ts'
import { concat, hex, utf8 } from './bytes.ts'
import { isIdentifier } from './identifier.ts'
import type { JsonValue } from './json-value.ts'
import { hashText, type Sha256 } from './sha256.ts'
import { canonicalText } from './write-json.ts'

/** Names a value by its content: `sha256:` and 64 hexadecimal digits. */
export type Address = `sha256:${string}`

const SCHEME = 'sha256:'
const HASH_BYTES = 32

/**
 * SHA-256 over `rubicon/<type>/v1`, a zero byte and the canonical text. The type keeps apart what
 * has the same bytes: a contract can never be passed off as a proposal of the same content.
 */
export function address(type: string, value: JsonValue, sha256: Sha256): Address {
  return addressOfText(type, canonicalText(value), sha256)
}

/** The same, of text that is already canonical. */
export function addressOfText(type: string, text: string, sha256: Sha256): Address {
  return `${SCHEME}${hashText(addressDomain(type) + text, sha256)}`
}

/** The same, of bytes that are already canonical. */
export function addressOfBytes(type: string, bytes: Uint8Array, sha256: Sha256): Address {
  const hash = sha256(concat(utf8(addressDomain(type)), bytes))
  assert(hash.length === HASH_BYTES, 'a SHA-256 hash has 32 bytes')
  return `${SCHEME}${hex(hash)}`
}

export function isAddress(text: string): text is Address {
  if (text.length !== SCHEME.length + 2 * HASH_BYTES || !text.startsWith(SCHEME)) return false
  for (let i = SCHEME.length; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    const isHex = (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66)
    if (!isHex) return false
  }
  return true
}

/**
 * What stands before the text that is hashed. An identifier holds neither a slash nor a zero, so no
 * type can reach into the value.
 */
export function addressDomain(type: string): string {
  assert(isIdentifier(type), 'the type of an address is an identifier')
  return `rubicon/${type}/v1\0`
}
