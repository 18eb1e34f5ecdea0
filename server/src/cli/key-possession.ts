/** The registration of a key that is held here, signed with it: nobody registers a key that they do not have. */
import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import {
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type KeyPurpose,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { buildKeyRegistration, type KeyRegistration } from 'rubicon-runtime/engine/authority'
import { nodeCrypto } from 'rubicon-verifier'
import { unwrap } from './failure.ts'

const RAW_BYTES = 32

export function buildPossession(
  privateKey: KeyObject,
  purpose: KeyPurpose,
  subject: string,
): KeyRegistration {
  const public_key = encodeBase64(extractRawPublicKey(privateKey))
  const body = unwrap(buildKeyRegistration(nodeCrypto, { purpose, public_key, subject }))
  const text = toCanonicalText(body)
  const possession = sign(null, encodePreAuth(toPayloadType('key'), encodeUtf8(text)), privateKey)
  return { purpose, subject, public_key, possession: encodeBase64(possession) }
}

function extractRawPublicKey(key: KeyObject): Uint8Array {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return new Uint8Array(der.subarray(der.length - RAW_BYTES))
}
