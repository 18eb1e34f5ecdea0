/** Signing and checking documents: Ed25519 over the DSSE encoding of their canonical bytes. */
import {
  base64,
  canonicalText,
  type Failure,
  type JsonValue,
  type KeyPurpose,
  payloadType,
  preAuthEncoding,
  type Signature,
  unbase64,
  utf8,
} from 'rubicon-kernel'
import type { Deps } from './deps.ts'
import type { OwnSignatures } from './own-signatures.ts'

/** Without a memory every check is computed. */
type Remembering = { readonly own?: OwnSignatures }

/** Who asked for something must ask where the key is. Thrown, since every path that signs ends with it. */
export class KeyMissing extends Error {
  readonly failure: Failure

  constructor(purpose: KeyPurpose) {
    super(`no ${purpose} key is held here`)
    this.name = 'KeyMissing'
    this.failure = {
      code: 'KEY_MISSING',
      summary: this.message,
      why: 'it has to be signed, and nobody else signs for it',
      fix: `ask a process that holds the ${purpose} key${purpose === 'operator' ? ', or sign the decision with a key for approving' : ''}`,
    }
  }
}

export async function signDocument(
  deps: Pick<Deps, 'signer'> & Remembering,
  purpose: KeyPurpose,
  type: string,
  body: unknown,
): Promise<Signature> {
  return signText(deps, purpose, type, canonicalText(body as JsonValue))
}

/** The same for a body whose canonical text is at hand. */
export async function signText(
  { signer, own }: Pick<Deps, 'signer'> & Remembering,
  purpose: KeyPurpose,
  type: string,
  text: string,
): Promise<Signature> {
  const key = signer.publicKey(purpose)
  if (key === null) throw new KeyMissing(purpose)
  const sig = base64(await signer.sign(purpose, preAuthEncoding(payloadType(type), utf8(text))))
  own?.made({ publicKey: key.public_key, type, text, sig })
  return { key_id: key.key_id, sig }
}

export async function checkSignature(
  { checker, own }: Pick<Deps, 'checker'> & Remembering,
  publicKey: string,
  type: string,
  text: string,
  sig: string,
): Promise<boolean> {
  const signed = { publicKey, type, text, sig }
  if (own?.isOwn(signed) === true) return true
  const key = unbase64(publicKey)
  const signature = unbase64(sig)
  if (key === undefined || signature === undefined) return false
  const message = preAuthEncoding(payloadType(type), utf8(text))
  const holds = await checker.verify(key, message, signature)
  if (holds) own?.held(signed)
  return holds
}
