import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import {
  assert,
  encodeHex,
  findPublicKeyProblem,
  hasSmallOrderR,
  type Sha256,
} from 'rubicon-kernel'
import type { AuditCrypto } from './crypto.ts'

/** What stands before the 32 bytes in the DER form of an Ed25519 public key (RFC 8410). */
const SPKI_PREFIX = Uint8Array.from([
  0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
])
const SIGNATURE_BYTES = 64
/** A ledger has few keys; a file that brings many must not fill the memory. */
const KEYS_KEPT = 4_096

const HASH_BYTES = 32

const sha256: Sha256 = Object.assign(hashBytes, {
  hexOfText: hashTextToHex,
  hexOfJoined: hashJoinedToHex,
})

/**
 * OpenSSL refuses an S that is not reduced and compares R as bytes. It takes weak keys, second
 * spellings of a key and, in some versions, an R of small order, so that those are refused here.
 */
export function createNodeCrypto(): AuditCrypto {
  const keys = new Map<string, KeyObject | null>()

  const findKey = (publicKey: Uint8Array): KeyObject | null => {
    const name = encodeHex(publicKey)
    const known = keys.get(name)
    if (known !== undefined) return known
    const key = findPublicKeyProblem(publicKey) === undefined ? importKey(publicKey) : null
    if (keys.size >= KEYS_KEPT) keys.clear()
    keys.set(name, key)
    return key
  }

  return {
    sha256,
    verifyEd25519(publicKey, message, signature) {
      if (signature.length !== SIGNATURE_BYTES || hasSmallOrderR(signature)) return false
      const key = findKey(publicKey)
      return key !== null && verify(null, message, key, signature)
    },
  }
}

/** The crypto of Node, made once. */
export const nodeCrypto: AuditCrypto = createNodeCrypto()

/** By way of a text: making a Buffer of the 32 bytes costs more than hashing them. */
function hashBytes(data: Uint8Array): Uint8Array {
  const text = hash('sha256', data, 'binary')
  const bytes = new Uint8Array(HASH_BYTES)
  for (let i = 0; i < HASH_BYTES; i += 1) bytes[i] = text.charCodeAt(i)
  return bytes
}

function hashTextToHex(text: string): string {
  assert(text.isWellFormed(), 'text that is hashed has no half surrogate pairs')
  return hash('sha256', text, 'hex')
}

let joined = Buffer.alloc(65_536)

/** Joined in one place, which is used again and again: making one for each costs as much as hashing it. */
function hashJoinedToHex(text: string, bytes: Uint8Array): string {
  const length = text.length + bytes.length
  if (length > joined.length) joined = Buffer.alloc(2 * length)
  joined.write(text, 0, 'latin1')
  joined.set(bytes, text.length)
  return hash('sha256', joined.subarray(0, length), 'hex')
}

function importKey(publicKey: Uint8Array): KeyObject {
  const der = Buffer.concat([SPKI_PREFIX, publicKey])
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}
