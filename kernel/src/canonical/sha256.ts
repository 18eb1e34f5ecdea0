import { assert } from '../assert.ts'
import { encodeHex, encodeUtf8 } from './bytes.ts'

const HASH_BYTES = 32

/** The one function the kernel needs from outside. Pure and synchronous; 32 bytes out. */
export type Sha256 = {
  (data: Uint8Array): Uint8Array
  /** The hash of a well-formed text's UTF-8 in lower-case hex, where the platform has it in one step. */
  readonly hexOfText?: (text: string) => string
  /** The same of an ASCII text and of bytes behind it. */
  readonly hexOfJoined?: (text: string, bytes: Uint8Array) => string
}

export function hashText(text: string, sha256: Sha256): string {
  if (sha256.hexOfText !== undefined) return sha256.hexOfText(text)
  const hash = sha256(encodeUtf8(text))
  assert(hash.length === HASH_BYTES, 'a SHA-256 hash has 32 bytes')
  return encodeHex(hash)
}
