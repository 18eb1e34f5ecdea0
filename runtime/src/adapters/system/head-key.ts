import { deriveHeadKeyId, encodeBase64 } from 'rubicon-kernel'
import type { Random } from '../../ports/random.ts'
import type { HeadKey } from '../../ports/signer.ts'
import { derivePrivateKey, signNow, toRawPublicKey, verifyNow } from './ed25519.ts'
import { sha256 } from './sha256.ts'

const SEED_BYTES = 32

/** It is never written down: who starts again makes another. */
export function createHeadKey(random: Random): HeadKey {
  const key = derivePrivateKey(random.bytes(SEED_BYTES))
  const raw = toRawPublicKey(key)
  return {
    key_id: deriveHeadKeyId(raw, sha256),
    public_key: encodeBase64(raw),
    sign: (message) => signNow(key, message),
    verify: verifyNow,
  }
}
