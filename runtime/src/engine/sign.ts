/** Signing and checking documents: Ed25519 over the DSSE encoding of their canonical bytes. */
import {
  base64,
  canonicalText,
  type JsonValue,
  type KeyPurpose,
  payloadType,
  preAuthEncoding,
  type Signature,
  unbase64,
  utf8,
} from 'rubicon-kernel'
import type { Deps } from './deps.ts'

export async function signDocument(
  { signer }: Pick<Deps, 'signer'>,
  purpose: KeyPurpose,
  type: string,
  body: unknown,
): Promise<Signature> {
  return signText({ signer }, purpose, type, canonicalText(body as JsonValue))
}

/** The same for a body whose canonical text is at hand. */
export async function signText(
  { signer }: Pick<Deps, 'signer'>,
  purpose: KeyPurpose,
  type: string,
  text: string,
): Promise<Signature> {
  const key = signer.publicKey(purpose)
  if (key === null) throw new Error(`no ${purpose} key is held here`)
  const signature = await signer.sign(purpose, preAuthEncoding(payloadType(type), utf8(text)))
  return { key_id: key.key_id, sig: base64(signature) }
}

export async function checkSignature(
  { checker }: Pick<Deps, 'checker'>,
  publicKey: string,
  type: string,
  text: string,
  sig: string,
): Promise<boolean> {
  const key = unbase64(publicKey)
  const signature = unbase64(sig)
  if (key === undefined || signature === undefined) return false
  return checker.verify(key, preAuthEncoding(payloadType(type), utf8(text)), signature)
}
