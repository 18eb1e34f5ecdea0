/** What is written of a person: the entry that an operator signs, and the identity in clear beside it. */
import {
  hashIdentity,
  hashIdentityCommitment,
  type Identity,
  type PersonBody,
} from 'rubicon-kernel'
import type { Write } from '../../../ports/store.ts'
import type { Deps } from '../../deps.ts'
import { mintSalt } from '../../rows/identity.ts'
import { signDocument } from '../../rows/sign.ts'
import type { Registrar, SignedEntry } from '../registry/append-authority.ts'
import { IDENTITIES, UNLINKED } from './find-person.ts'
import { normaliseIdentity } from './plain-identity.ts'

export async function signPersonEntry(deps: Registrar, body: PersonBody): Promise<SignedEntry> {
  const signature = await signDocument(deps, 'operator', 'person', body)
  return { kind: 'person', payload: { body, signature } }
}

/** A commitment to an identity, and the rows that open it. */
export function commitIdentity(
  deps: Pick<Deps, 'random' | 'sha256'>,
  person_id: string,
  identity: Identity,
): {
  readonly commitment: ReturnType<typeof hashIdentityCommitment>
  readonly rows: readonly Write[]
} {
  const salt = mintSalt(deps)
  const key = hashIdentity(normaliseIdentity(identity), deps.sha256)
  const row = { record: IDENTITIES.record, key, body: { person_id, identity, salt } } as const
  return {
    commitment: hashIdentityCommitment(normaliseIdentity(identity), salt, deps.sha256),
    rows: [
      { kind: 'put_record', ...row, group: IDENTITIES.group },
      { kind: 'put_record', ...row, group: person_id },
      { kind: 'drop_record', ...UNLINKED, key },
    ],
  }
}

/**
 * Erases the identity: the commitment that is left says nothing. Its address stays, so that whoever still
 * has the token or the login is not met again as somebody new.
 */
export function buildIdentityErasure(
  { sha256 }: Pick<Deps, 'sha256'>,
  person_id: string,
  identity: Identity,
): readonly Write[] {
  const key = hashIdentity(normaliseIdentity(identity), sha256)
  const { record } = IDENTITIES
  return [
    { kind: 'drop_record', record, group: IDENTITIES.group, key },
    { kind: 'drop_record', record, group: person_id, key },
    { kind: 'put_record', ...UNLINKED, key, body: { person_id } },
  ]
}
