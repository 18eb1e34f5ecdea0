/**
 * Seals bytes under a passphrase: scrypt makes the key, AES-256-GCM hides and guards the bytes. What is sealed
 * under one name does not open under another.
 */
import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto'
import { encodeUtf8 } from 'rubicon-kernel'
import { systemRandom } from './random.ts'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
export const SALT_BYTES = 16
/** A third of a second, and 128 MB for each guess. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }

export type SecretSeal = {
  seal(name: string, bytes: Uint8Array): Uint8Array
  /** Null: another passphrase, another name, or changed bytes. */
  open(name: string, sealed: Uint8Array): Uint8Array | null
}

export function createSeal(passphrase: string, salt: Uint8Array): SecretSeal {
  const key = scryptSync(passphrase.normalize('NFKC'), salt, KEY_BYTES, SCRYPT)
  return {
    seal(name, bytes) {
      const nonce = systemRandom.bytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(encodeUtf8(name))
      const hidden = Buffer.concat([cipher.update(bytes), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
    },
    open(name, sealed) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(encodeUtf8(name))
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const shown = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([shown, decipher.final()])
      } catch {
        return null
      }
    },
  }
}
