/**
 * What somebody is known by. The ledger holds a commitment to it, the store the identity itself: once
 * that is erased, the commitment says nothing to anybody, and the ledger verifies as before.
 */
import { type Address, computeAddress } from '../canonical/address.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { foldAscii } from '../context/words.ts'

/** What a person is known by. */
export type Identity =
  | {
      readonly kind: 'name'
      /** As contracts and tokens have it; an address of mail is one. */
      readonly name: string
    }
  | {
      readonly kind: 'oidc'
      /** The provider of the login. */
      readonly issuer: string
      /** What the provider calls somebody, and nobody else. */
      readonly sub: string
    }

/** Capitals do not make another person. */
function toIdentityBody(identity: Identity): JsonObject {
  return identity.kind === 'name'
    ? { kind: 'name', name: foldAscii(identity.name.trim()) }
    : identity
}

/** Where the store keeps it: the same for the same identity. */
export function hashIdentity(identity: Identity, sha256: Sha256): Address {
  return computeAddress('identity', toIdentityBody(identity), sha256)
}

/** What the ledger says of it. The salt keeps it from being guessed. */
export function hashIdentityCommitment(identity: Identity, salt: string, sha256: Sha256): Address {
  return computeAddress('identity-commitment', { ...toIdentityBody(identity), salt }, sha256)
}
