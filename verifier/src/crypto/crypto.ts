import type { Sha256 } from 'rubicon-kernel'
import type { AddressCheck } from './address-check.ts'

/** What a verifier needs from its platform: two functions, no network, no clock. */
export interface AuditCrypto {
  /** Of bytes. */
  readonly sha256: Sha256
  /**
   * Strict: a key or a point in another spelling, a key or an R of small order, an S that is not
   * reduced and a signature of another length are all false. Never throws on input.
   */
  verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
  /** Where the platform can compare addresses by the batch; else they are one by one. */
  readonly addressCheck?: AddressCheck
}
