/** Whether a key signed a document, over bytes that are made here once more (DSSE v1). */
import { toCanonicalJson } from './bytes.ts'

/** Says of raw bytes whether the signature is one of the key. */
export type VerifySignature = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean

export type SignedDocument = {
  readonly type: string
  readonly document: unknown
  /** In base64. */
  readonly sig: string
}

export function isSignedBy(
  verify: VerifySignature,
  publicKey: string,
  { type, document, sig }: SignedDocument,
): boolean {
  const body = Buffer.from(toCanonicalJson(document))
  const name = `application/vnd.rubicon.${type}+json`
  const head = `DSSEv1 ${Buffer.byteLength(name)} ${name} ${body.length} `
  const message = new Uint8Array(Buffer.concat([Buffer.from(head), body]))
  return verify(decode(publicKey), message, decode(sig))
}

function decode(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
