/** An answer of a registry, and whether its key signed it. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  decodeBase64,
  encodePreAuth,
  encodeUtf8,
  err,
  type ManifestPage,
  parseJson,
  parseManifestPage,
  type Result,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'

/** The most bytes of an answer. */
export const LARGEST_PAGE: number = 64 * 1024 * 1024
/** As deep as verifiers read an entry, and the page around it: what a registry could record can be read. */
const DEEPEST = 130
/** Before the 32 bytes of an Ed25519 key. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

export function parsePage(bytes: Uint8Array): Result<ManifestPage, string> {
  const value = parseJson(bytes, { depth: DEEPEST, bytes: LARGEST_PAGE, keys: LARGEST_PAGE })
  return value.ok ? parseManifestPage(value.value) : err(value.error.detail)
}

export function isSignedPage(
  { body, signature }: Pick<ManifestPage, 'body' | 'signature'>,
  key: KeyObject,
): boolean {
  const covered = encodePreAuth(toPayloadType('manifest'), encodeUtf8(toCanonicalText(body)))
  return verify(null, covered, key, decodeBase64(signature.sig) ?? new Uint8Array(0))
}

export function parseRegistryKey(text: string): KeyObject {
  const raw = decodeBase64(text)
  if (raw?.length !== 32) throw new Error('the key of a registry is 32 bytes in base64')
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' })
}
