/** Signing and checking documents: Ed25519 over the DSSE encoding of their canonical bytes. */
import {
  decodeBase64,
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type Failure,
  isKeyInUse,
  type JsonValue,
  type KeyPurpose,
  type Signature,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import type { AuthorityCache } from '../authority/authority-cache.ts'
import type { OwnSignatures } from '../authority/own-signatures.ts'
import type { Deps } from '../deps.ts'

/** Without a memory every check is computed. */
type Remembering = { readonly own?: OwnSignatures }

/** Null: what is signed is read by nobody who asks the ledger for its keys. */
type Signing = Pick<Deps, 'signer'> & {
  readonly authorities: Pick<AuthorityCache, 'remembered' | 'loadLatest'> | null
} & Remembering

/** Who asked for something must ask where the key is. Thrown, since every path that signs ends with it. */
export class KeyMissing extends Error {
  readonly failure: Failure

  constructor(purpose: KeyPurpose) {
    super(`no ${purpose} key is held here`)
    this.name = 'KeyMissing'
    this.failure = {
      code: 'KEY_MISSING',
      summary: this.message,
      why: 'it has to be signed with that key and no other',
      fix: `ask a process that holds the ${purpose} key${purpose === 'operator' ? ', or sign the decision with a key for approving' : ''}`,
    }
  }

  get code(): string {
    return this.failure.code
  }

  get fix(): string {
    return this.failure.fix ?? ''
  }
}

/** The key here is not one of the ledger, or was retired or compromised: what it signs would never verify. */
export class KeyUnregistered extends KeyMissing {
  override readonly failure: Failure

  constructor(purpose: KeyPurpose, keyId: string) {
    super(purpose)
    this.message = `the ${purpose} key \`${keyId}\` is not in use in this store`
    this.name = 'KeyUnregistered'
    this.failure = {
      code: 'KEY_UNREGISTERED',
      summary: this.message,
      why: 'the store was made with other keys, or this one was retired or compromised',
      fix: 'use the state directory (--state, RUBICON_STATE) or the key agent (--key-agent) it was made with, or a key that is registered and in use (`rubicon keys list`)',
    }
  }
}

export async function signDocument(
  deps: Signing,
  purpose: KeyPurpose,
  type: string,
  body: unknown,
): Promise<Signature> {
  return signText(deps, purpose, type, toCanonicalText(body as JsonValue))
}

/** The same for a body whose canonical text is at hand. */
export async function signText(
  { signer, own, authorities }: Signing,
  purpose: KeyPurpose,
  type: string,
  text: string,
): Promise<Signature> {
  const signed = await signTyped({ signer, authorities }, purpose, toPayloadType(type), text)
  const public_key = signer.publicKey(purpose)?.public_key
  if (public_key !== undefined)
    own?.rememberSigned({ publicKey: public_key, type, text, sig: signed.sig })
  return signed
}

/** The same under a type that others have given a name. */
export async function signTyped(
  { signer, authorities }: Signing,
  purpose: KeyPurpose,
  payloadType: string,
  text: string,
): Promise<Signature> {
  const key = signer.publicKey(purpose)
  if (key === null) throw new KeyMissing(purpose)
  if (authorities !== null && !(await isKeyTrusted(authorities, key.key_id)))
    throw new KeyUnregistered(purpose, key.key_id)
  const signed = await signer.sign(purpose, encodePreAuth(payloadType, encodeUtf8(text)))
  return { key_id: key.key_id, sig: encodeBase64(signed) }
}

/**
 * Whether a key of ours still counts. Whoever signs has read the authority that it decides on, and its unit
 * guards that; before the first entry there is no ledger that could say otherwise.
 */
async function isKeyTrusted(
  authorities: NonNullable<Signing['authorities']>,
  keyId: string,
): Promise<boolean> {
  const { remembered } = authorities
  const authority = remembered.seq < 0 ? await authorities.loadLatest() : remembered
  const record = authority.keys.get(keyId)
  return authority.seq < 0 || (record !== undefined && isKeyInUse(record))
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
  const key = decodeBase64(publicKey)
  const signature = decodeBase64(sig)
  if (key === undefined || signature === undefined) return false
  const message = encodePreAuth(toPayloadType(type), encodeUtf8(text))
  const holds = await checker.verify(key, message, signature)
  if (holds) own?.markProven(signed)
  return holds
}
