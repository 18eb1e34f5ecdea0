import { assert } from '../assert.ts'
import { encodeHex, encodeUtf8, joinBytes } from './bytes.ts'
import { isIdentifier } from './identifier.ts'
import type { JsonValue } from './json-value.ts'
import { hashText, type Sha256 } from './sha256.ts'
import { toCanonicalText } from './write-json.ts'

/** Names a value by its content: `sha256:` and 64 hexadecimal digits. */
export type Address = `sha256:${string}`

const SCHEME = 'sha256:'
const HASH_BYTES = 32

/**
 * SHA-256 over `rubicon/<type>/v1`, a zero byte and the canonical text. The type keeps apart what
 * has the same bytes: a contract can never be passed off as a proposal of the same content.
 */
export function computeAddress(type: string, value: JsonValue, sha256: Sha256): Address {
  return computeAddressOfText(type, toCanonicalText(value), sha256)
}

/** The same, of text that is already canonical. */
export function computeAddressOfText(type: string, text: string, sha256: Sha256): Address {
  return `${SCHEME}${hashText(toAddressDomain(type) + text, sha256)}`
}

/** The same, of bytes that are already canonical. */
export function computeAddressOfBytes(type: string, bytes: Uint8Array, sha256: Sha256): Address {
  const domain = toAddressDomain(type)
  if (sha256.hexOfJoined !== undefined) return `${SCHEME}${sha256.hexOfJoined(domain, bytes)}`
  const hash = sha256(joinBytes(encodeUtf8(domain), bytes))
  assert(hash.length === HASH_BYTES, 'a SHA-256 hash has 32 bytes')
  return `${SCHEME}${encodeHex(hash)}`
}

/** An expression, here and in `identifier.ts`: it is faster than asking for one character after the other. */
const ADDRESS = /^sha256:[0-9a-f]{64}$/

export function isAddress(text: string): text is Address {
  return ADDRESS.test(text)
}

/**
 * What stands before the text that is hashed. An identifier holds neither a slash nor a zero, so no
 * type can reach into the value.
 */
export function toAddressDomain(type: string): string {
  assert(isIdentifier(type), 'the type of an address is an identifier')
  return `rubicon/${type}/v1\0`
}
