/**
 * Signatures that cost one hash: anybody could forge them, and nobody in here tries. Most seeds use
 * them, so that a storm spends its time on order and failure; some use Ed25519.
 */
import {
  deriveHeadKeyId,
  encodeBase64,
  encodeUtf8,
  joinBytes,
  type KeyPurpose,
} from 'rubicon-kernel'
import {
  derivePrivateKey,
  signNow,
  toRawPublicKey,
  verifyNow,
} from '../../runtime/src/adapters/system/ed25519.ts'
import { createHeadKey } from '../../runtime/src/adapters/system/head-key.ts'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import {
  computeKeyId,
  createSeededSigner,
  RUNTIME_PURPOSES,
} from '../../runtime/src/adapters/system/signer.ts'
import type { HeadKey, SignatureChecker, Signer } from '../../runtime/src/ports/signer.ts'

/** A key that an agent signs with. */
export type StormAgentKey = {
  readonly public_key: string
  readonly sign: (message: Uint8Array) => Uint8Array
}

export type Keys = {
  readonly signer: Signer
  readonly checker: SignatureChecker
  /** The same answer at once, for whoever audits. */
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
  readonly createAgentKey: (name: string) => StormAgentKey
  /** Of the process with this epoch. */
  readonly createEpochHeadKey: (epoch: number) => HeadKey
}

export function createRealKeys(seed: number): Keys {
  const signer = createSeededSigner(encodeUtf8(`storm ${seed}`), RUNTIME_PURPOSES)
  return {
    signer,
    checker: { verify: async (...args) => verifyNow(...args) },
    verify: verifyNow,
    createAgentKey(name) {
      const key = derivePrivateKey(deriveAgentSeed(seed, name))
      const public_key = encodeBase64(toRawPublicKey(key))
      return { public_key, sign: (message) => signNow(key, message) }
    },
    createEpochHeadKey: (epoch) => createHeadKey({ bytes: () => deriveHeadSeed(seed, epoch) }),
  }
}

export function createFakeKeys(seed: number): Keys {
  const raws = new Map<KeyPurpose, Uint8Array>()
  const keys = new Map<KeyPurpose, { readonly key_id: string; readonly public_key: string }>()
  for (const purpose of RUNTIME_PURPOSES) {
    const raw = sha256(encodeUtf8(`storm ${seed} ${purpose}`))
    raws.set(purpose, raw)
    keys.set(purpose, { key_id: computeKeyId(purpose, raw), public_key: encodeBase64(raw) })
  }
  return {
    signer: {
      publicKey: (purpose) => keys.get(purpose) ?? null,
      sign: async (purpose, message) =>
        computeFakeSignature(raws.get(purpose) ?? sha256(message), message),
    },
    checker: {
      verify: async (publicKey, message, signature) =>
        isFakeSignature(publicKey, message, signature),
    },
    verify: isFakeSignature,
    createAgentKey(name) {
      // A point of the curve: others are not registered.
      const raw = toRawPublicKey(derivePrivateKey(deriveAgentSeed(seed, name)))
      const public_key = encodeBase64(raw)
      return { public_key, sign: (message) => computeFakeSignature(raw, message) }
    },
    createEpochHeadKey(epoch) {
      const raw = deriveHeadSeed(seed, epoch)
      return {
        key_id: deriveHeadKeyId(raw, sha256),
        public_key: encodeBase64(raw),
        sign: (message) => computeFakeSignature(raw, message),
        verify: isFakeSignature,
      }
    },
  }
}

function deriveHeadSeed(seed: number, epoch: number): Uint8Array {
  return sha256(encodeUtf8(`storm ${seed} head ${epoch}`))
}

function deriveAgentSeed(seed: number, name: string): Uint8Array {
  return sha256(encodeUtf8(`storm ${seed} agent ${name}`))
}

function isFakeSignature(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return encodeBase64(computeFakeSignature(key, message)) === encodeBase64(signature)
}

function computeFakeSignature(key: Uint8Array, message: Uint8Array): Uint8Array {
  const half = sha256(joinBytes(key, message))
  return joinBytes(half, half)
}
