/**
 * A public key as C2SP writes it down for whoever verifies signed notes: `name+id+key`, the id in hex,
 * the key in base64 behind the byte of its type (https://c2sp.org/signed-note).
 */
import { decodeBase64, encodeBase64, encodeHex, joinBytes } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { computeNoteKeyId, ED25519_TYPE, isKeyName } from './note.ts'

export type VerifierKey = { readonly name: string; readonly publicKey: Uint8Array }

export function formatVerifierKey({ name, publicKey }: VerifierKey, sha256: Sha256): string {
  const id = encodeHex(computeNoteKeyId(name, publicKey, sha256))
  return `${name}+${id}+${encodeBase64(joinBytes(Uint8Array.of(ED25519_TYPE), publicKey))}`
}

/** Undefined unless `text` is exactly what `formatVerifierKey` writes: the id is computed again. */
export function parseVerifierKey(text: string, sha256: Sha256): VerifierKey | undefined {
  const [name = '', , ...encoded] = text.split('+')
  const bytes = decodeBase64(encoded.join('+'))
  if (!isKeyName(name) || bytes === undefined || bytes[0] !== ED25519_TYPE) return undefined
  const key = { name, publicKey: bytes.slice(1) }
  return formatVerifierKey(key, sha256) === text ? key : undefined
}
