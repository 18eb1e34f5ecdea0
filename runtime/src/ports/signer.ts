import type { Failure, KeyPurpose } from 'rubicon-kernel'

/**
 * Holds private keys and never shows them. A key manager can stand behind it.
 * Signatures are Ed25519 over exactly the given bytes.
 */
export interface Signer {
  /** The public key in use for a purpose, or null when this signer has none. */
  publicKey(purpose: KeyPurpose): { readonly key_id: string; readonly public_key: string } | null
  sign(purpose: KeyPurpose, message: Uint8Array): Promise<Uint8Array>
}

/**
 * A key that is made when a process starts and ends with it. It signs and checks at once, for what is
 * signed inside a transaction.
 */
export interface HeadKey {
  readonly key_id: string
  readonly public_key: string
  sign(message: Uint8Array): Uint8Array
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
}

/** Checks signatures. Off the main thread where that pays. */
export interface SignatureChecker {
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean>
}

/** Whoever holds the keys does not sign now. Nothing was recorded; it may be asked for again. */
export class SignerUnavailable extends Error {
  readonly code = 'SIGNER_UNAVAILABLE'
  readonly fix =
    'see that the agent runs, is not locked, and holds one key each with the comments rubicon/TENANT/PURPOSE (ssh-add -L)'

  constructor(message: string) {
    super(message)
    this.name = 'SignerUnavailable'
  }

  get failure(): Failure {
    const why = 'what is decided must be signed, and nobody else signs for it'
    return { code: this.code, summary: this.message, why, fix: this.fix }
  }
}
