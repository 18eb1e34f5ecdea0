import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import {
  deriveKeyId,
  encodeBase64,
  encodePreAuth,
  type JsonValue,
  type KeyPurpose,
  type Signature,
  toCanonicalBytes,
  toPayloadType,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'

/** A key pair made from a word: the same word, the same key, on every machine. */
export type SampleKey = {
  readonly id: string
  readonly purpose: KeyPurpose
  readonly subject: string
  readonly bytes: Uint8Array
  readonly text: string
  /** Over bytes as they are. */
  readonly signRaw: (message: Uint8Array) => Uint8Array
  /** Over the DSSE encoding of a value. */
  readonly sign: (type: string, body: JsonValue) => Signature
}

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export function sampleKey(purpose: KeyPurpose, word: string): SampleKey {
  const seed = createHash('sha256').update(`${purpose} ${word}`).digest()
  const der = Buffer.concat([PKCS8_PREFIX, seed])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const bytes = publicBytes(key)
  const id = deriveKeyId(purpose, bytes, nodeCrypto.sha256)
  const signRaw = (message: Uint8Array): Uint8Array => new Uint8Array(sign(null, message, key))
  return {
    id,
    purpose,
    subject: `${purpose}-of-${word}`,
    bytes,
    text: encodeBase64(bytes),
    signRaw,
    sign: (type, body) => {
      const message = encodePreAuth(toPayloadType(type), toCanonicalBytes(body))
      return { key_id: id, sig: encodeBase64(signRaw(message)) }
    },
  }
}

function publicBytes(key: KeyObject): Uint8Array {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return new Uint8Array(der.subarray(der.length - 32))
}
