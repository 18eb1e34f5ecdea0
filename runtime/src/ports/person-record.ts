/** What is kept of people in clear. */
import type { Identity } from 'rubicon-kernel'

/** What a person is known by: it opens a commitment in the ledger, which says whose it is. */
export type PersonIdentity = {
  readonly person_id: string
  readonly identity: Identity
  readonly salt: string
}

/** Who was believed: a token, or a provider; `mail` is what it verified, where it is trusted to. */
export type VouchedBy =
  | { readonly token_hash: string }
  | { readonly issuer: string; readonly sub: string; readonly mail?: string }
