import {
  type Authority,
  findLinkedPerson,
  hashIdentity,
  hashIdentityCommitment,
  type Identity,
} from 'rubicon-kernel'
import type { Deps } from '../../deps.ts'
import { normaliseIdentity } from './plain-identity.ts'

/** Where identities stand in clear, by their addresses. */
export const IDENTITIES = { record: 'person_identity', group: 'identities' } as const

/** Where it stands that an operator took an identity from somebody. */
export const UNLINKED = { record: 'unlinked_identity', group: 'identities' } as const

type Reading = Pick<Deps, 'store' | 'sha256'>

/**
 * Who it is; null: nobody. The row only opens the commitment: whose that is, the ledger says, so that
 * a row which somebody changed is no row.
 */
export async function findPerson(
  { store, sha256 }: Reading,
  { persons }: Pick<Authority, 'persons'>,
  identity: Identity,
): Promise<string | null> {
  const row = await store.readRecord(
    IDENTITIES.record,
    IDENTITIES.group,
    hashIdentity(normaliseIdentity(identity), sha256),
  )
  if (row === null) return null
  return (
    findLinkedPerson(
      persons,
      hashIdentityCommitment(normaliseIdentity(identity), row.body.salt, sha256),
    ) ?? null
  )
}

/** From whom an operator took it; null: from nobody, or somebody was given it since. */
export async function findUnlinkedPerson(
  { store, sha256 }: Reading,
  identity: Identity,
): Promise<string | null> {
  const row = await store.readRecord(
    UNLINKED.record,
    UNLINKED.group,
    hashIdentity(normaliseIdentity(identity), sha256),
  )
  return row?.body.person_id ?? null
}
