/**
 * Keys in files: one PKCS #8 PEM per purpose, mode 0600, in the user's state directory and not in
 * the store's folder, so that a copied database does not carry the power to extend it.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { encodeBase64, encodeHex, encodeUtf8, type KeyPurpose } from 'rubicon-kernel'
import type { Signer } from '../../ports/signer.ts'
import { derivePrivateKey, signMessage, signNow, toRawPublicKey } from './ed25519.ts'
import { createDamagedKeyError, createLostKeysError, type KeyFolder } from './key-folder.ts'
import { sha256 } from './sha256.ts'

/** The keys that a runtime makes for itself on first start. */
export const RUNTIME_PURPOSES: readonly KeyPurpose[] = [
  'operator',
  'issuer',
  'kernel',
  'checkpoint',
]

export function computeKeyId(purpose: KeyPurpose, publicKey: Uint8Array): string {
  return `${purpose}-${encodeHex(sha256(publicKey)).slice(0, 16)}`
}

/** What a runtime cannot decide without. The operator key may lie where operators are. */
const NEEDED_PURPOSES: readonly KeyPurpose[] = ['issuer', 'kernel', 'checkpoint']

/**
 * Opens the keys of a folder; null: they cannot be opened, and nobody signs. `missing` says what to do without
 * a file: keys are made for a new ledger alone, since one that has entries knows its keys and would take no
 * other. Whoever only looks goes on without.
 */
export function openFileSigner(
  folder: KeyFolder | null,
  missing: 'make' | 'refuse' | 'ignore',
): Signer {
  if (folder !== null && missing === 'make') makeKeys(folder)
  if (folder !== null && missing !== 'ignore') refuseMissing(folder)
  const keys = new Map<KeyPurpose, KeyObject>()
  for (const purpose of RUNTIME_PURPOSES) {
    const name = toKeyFileName(purpose)
    if (folder?.has(name)) keys.set(purpose, readKey(folder, name))
  }
  return createSigner(keys, signMessage)
}

function toKeyFileName(purpose: KeyPurpose): string {
  return `${purpose}.pem`
}

function makeKeys(folder: KeyFolder): void {
  for (const purpose of RUNTIME_PURPOSES)
    if (!folder.has(toKeyFileName(purpose))) folder.make(toKeyFileName(purpose), generateKeyFile())
}

function refuseMissing(folder: KeyFolder): void {
  const lost = NEEDED_PURPOSES.map(toKeyFileName).filter((name) => !folder.has(name))
  if (lost.length > 0) throw createLostKeysError(folder.path, lost)
}

/** A file that was cut off, or holds something else, is told by its name and not by a library's code. */
function readKey(folder: KeyFolder, name: string): KeyObject {
  const bytes = Buffer.from(folder.read(name))
  const key = parseKey(bytes)
  if (key?.asymmetricKeyType !== 'ed25519') throw createDamagedKeyError(folder.path, name)
  return key
}

function parseKey(bytes: Buffer): KeyObject | null {
  try {
    return createPrivateKey(bytes)
  } catch {
    return null
  }
}

function generateKeyFile(): Uint8Array {
  const { privateKey } = generateKeyPairSync('ed25519')
  return encodeUtf8(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
}

/** Keys from a seed, signing at once: for the simulator, where one seed must give one history. */
export function createSeededSigner(seed: Uint8Array, purposes: readonly KeyPurpose[]): Signer {
  const keys = new Map<KeyPurpose, KeyObject>()
  for (const purpose of purposes) {
    const material = new Uint8Array([...seed, ...new TextEncoder().encode(purpose)])
    keys.set(purpose, derivePrivateKey(sha256(material)))
  }
  return createSigner(keys, async (key, message) => signNow(key, message))
}

function createSigner(
  keys: ReadonlyMap<KeyPurpose, KeyObject>,
  make: (key: KeyObject, message: Uint8Array) => Promise<Uint8Array>,
): Signer {
  const publicKeys = new Map<KeyPurpose, { readonly key_id: string; readonly public_key: string }>()
  for (const [purpose, key] of keys) {
    const raw = toRawPublicKey(key)
    publicKeys.set(purpose, { key_id: computeKeyId(purpose, raw), public_key: encodeBase64(raw) })
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
