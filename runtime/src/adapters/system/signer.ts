/**
 * Keys in files: one PKCS #8 PEM per purpose, mode 0600, in the user's state directory and not in
 * the store's folder, so that a copied database does not carry the power to extend it.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { base64, hex, type KeyPurpose, utf8 } from 'rubicon-kernel'
import type { Signer } from '../../ports/signer.ts'
import { privateKeyFromSeed, rawPublicKey, signMessage, signNow } from './ed25519.ts'
import type { KeyFolder } from './key-folder.ts'
import { sha256 } from './sha256.ts'

/** The keys that a runtime makes for itself on first start. */
export const RUNTIME_PURPOSES: readonly KeyPurpose[] = [
  'operator',
  'issuer',
  'kernel',
  'checkpoint',
]

export function keyIdOf(purpose: KeyPurpose, publicKey: Uint8Array): string {
  return `${purpose}-${hex(sha256(publicKey)).slice(0, 16)}`
}

/** Opens the keys of a folder; null: they cannot be opened, and nobody signs. With `create`, missing ones are made. */
export function openFileSigner(folder: KeyFolder | null, create: boolean): Signer {
  const keys = new Map<KeyPurpose, KeyObject>()
  for (const purpose of RUNTIME_PURPOSES) {
    const name = `${purpose}.pem`
    if (create && folder !== null && !folder.has(name)) folder.make(name, newKeyFile())
    if (folder?.has(name)) keys.set(purpose, createPrivateKey(Buffer.from(folder.read(name))))
  }
  return signerOver(keys, signMessage)
}

function newKeyFile(): Uint8Array {
  const { privateKey } = generateKeyPairSync('ed25519')
  return utf8(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
}

/** Keys from a seed, signing at once: for the simulator, where one seed must give one history. */
export function seededSigner(seed: Uint8Array, purposes: readonly KeyPurpose[]): Signer {
  const keys = new Map<KeyPurpose, KeyObject>()
  for (const purpose of purposes) {
    const material = new Uint8Array([...seed, ...new TextEncoder().encode(purpose)])
    keys.set(purpose, privateKeyFromSeed(sha256(material)))
  }
  return signerOver(keys, async (key, message) => signNow(key, message))
}

function signerOver(
  keys: ReadonlyMap<KeyPurpose, KeyObject>,
  make: (key: KeyObject, message: Uint8Array) => Promise<Uint8Array>,
): Signer {
  const publicKeys = new Map<KeyPurpose, { readonly key_id: string; readonly public_key: string }>()
  for (const [purpose, key] of keys) {
    const raw = rawPublicKey(key)
    publicKeys.set(purpose, { key_id: keyIdOf(purpose, raw), public_key: base64(raw) })
  }
  return {
    publicKey: (purpose) => publicKeys.get(purpose) ?? null,
    async sign(purpose, message) {
      const key = keys.get(purpose)
      if (key === undefined) throw new Error(`no ${purpose} key is held here`)
      return make(key, message)
    },
  }
}
