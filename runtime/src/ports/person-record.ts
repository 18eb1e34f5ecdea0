/** What is kept of people in clear. */
import type { Identity } from 'rubicon-kernel'

/** What a person is known by: it opens a commitment in the ledger, which says whose it is. */
export type PersonIdentity = {
  readonly person_id: string
  readonly identity: Identity
  readonly salt: string
}

/** Who was believed: a token, or a provider; `mail` is what it verified, where it is trusted to. */
type VouchedBy =
  | { readonly token_hash: string }
  | { readonly issuer: string; readonly sub: string; readonly mail?: string }

/** A browser of theirs, while they are signed in. */
export type PersonSession = {
  readonly shown: string | null
  readonly roles: readonly string[]
  readonly vouched: VouchedBy
  readonly opened_at: string
  /** When it was used last, more or less. */
  readonly seen_at: string
  readonly expires_at: string
}
