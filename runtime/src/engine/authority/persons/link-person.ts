/** What operators say about who is who: another login, one that was wrong, and two that are one human. */
import {
  type Authority,
  err,
  type Failure,
  findPersonNameProblem,
  findRegisteredPerson,
  hashIdentity,
  hashIdentityCommitment,
  type Identity,
  LIMITS,
  ok,
  type Result,
} from 'rubicon-kernel'
import { finishErasure } from '../../rows/finish-erasure.ts'
import { appendAuthority, type Registrar } from '../registry/append-authority.ts'
import { findPerson, findUnlinkedPerson, IDENTITIES } from './find-person.ts'
import { buildIdentityErasure, commitIdentity, signPersonEntry } from './person-entry.ts'
import { normaliseIdentity } from './plain-identity.ts'
import {
  buildPersonNameFailure,
  buildUnlinkedFailure,
  maySign,
  UNSIGNED,
  type Word,
} from './register-person.ts'

type Linked = { readonly person_id: string; readonly unchanged: boolean }

/** One identity belongs to at most one person. */
export async function linkIdentity(
  registrar: Registrar,
  person: string,
  identity: Identity,
  { word, by }: Word,
): Promise<Result<Linked, Failure>> {
  const problem = identity.kind === 'name' ? findPersonNameProblem(identity.name) : undefined
  if (problem !== undefined && identity.kind === 'name')
    return err(buildPersonNameFailure(identity.name, problem))
  return changePerson(registrar, person, async (authority, person_id) => {
    const whose = await findPerson(registrar, authority, identity)
    if (whose === person_id) return ok({ entries: [], value: person_id })
    if (whose !== null) return err(buildIdentityTakenFailure(identity, whose, person_id))
    const before = word === 'said' ? null : await findUnlinkedPerson(registrar, identity)
    if (before !== null) return err(buildUnlinkedFailure(formatIdentity(identity), before))
    const known = await registrar.store.listRecords(IDENTITIES.record, person_id, {
      limit: LIMITS.identitiesPerPerson,
    })
    if (known.length >= LIMITS.identitiesPerPerson) return err(buildIdentityLimitFailure(person_id))
    const { commitment, rows } = commitIdentity(registrar, person_id, identity)
    const body = { action: 'link', person_id, identity: { commitment }, ...toByMember(by) } as const
    return ok({ entries: [await signPersonEntry(registrar, body)], beside: rows, value: person_id })
  })
}

/** The login decides nothing any more, and its name is erased. */
export async function unlinkIdentity(
  registrar: Registrar,
  person: string,
  identity: Identity,
  by?: string,
): Promise<Result<Linked, Failure>> {
  const { store, sha256 } = registrar
  const unlinked = await changePerson(registrar, person, async (authority, person_id) => {
    const key = hashIdentity(normaliseIdentity(identity), sha256)
    const row = await store.readRecord(IDENTITIES.record, IDENTITIES.group, key)
    const whose = await findPerson(registrar, authority, identity)
    if (row === null || whose !== person_id)
      return err(buildForeignIdentityFailure(identity, person_id))
    const commitment = hashIdentityCommitment(normaliseIdentity(identity), row.body.salt, sha256)
    const body = {
      action: 'unlink',
      person_id,
      identity: { commitment },
      ...toByMember(by),
    } as const
    const beside = buildIdentityErasure(registrar, row.body.person_id, identity)
    return ok({ entries: [await signPersonEntry(registrar, body)], beside, value: person_id })
  })
  // Who asks again is told that nobody has it any more, once that is so.
  if (!unlinked.ok && unlinked.error.code !== 'IDENTITY_UNKNOWN') return unlinked
  const left = await finishErasure(store)
  return left === null ? unlinked : err(left)
}

/** Two ids turn out to be one human: from here on they count as one. */
export async function mergePersons(
  registrar: Registrar,
  person: string,
  into: string,
  by?: string,
): Promise<Result<Linked, Failure>> {
  return changePerson(registrar, person, async ({ persons }, person_id) => {
    const other = findRegisteredPerson(persons, into)
    if (other === undefined) return err(buildUnknownPersonFailure(into))
    if (other === person_id) return ok({ entries: [], value: other })
    const body = { action: 'merge', person_id, into: other, ...toByMember(by) } as const
    return ok({ entries: [await signPersonEntry(registrar, body)], value: other })
  })
}

type Change = Parameters<typeof appendAuthority<string>>[1]

async function changePerson(
  registrar: Registrar,
  person: string,
  decide: (authority: Authority, person_id: string) => ReturnType<Change>,
): Promise<Result<Linked, Failure>> {
  if (!maySign(registrar)) return err(UNSIGNED)
  const done = await appendAuthority(registrar, async (authority) => {
    const person_id = findRegisteredPerson(authority.persons, person)
    return person_id === undefined
      ? err(buildUnknownPersonFailure(person))
      : decide(authority, person_id)
  })
  return done.ok ? ok({ person_id: done.value.value, unchanged: done.value.appended === 0 }) : done
}

function toByMember(by: string | undefined): { readonly by?: string } {
  return by === undefined ? {} : { by }
}

export function formatIdentity(identity: Identity): string {
  return identity.kind === 'name' ? identity.name : `${identity.issuer} ${identity.sub}`
}

function buildUnknownPersonFailure(person: string): Failure {
  return {
    code: 'PERSON_MISSING',
    summary: `there is no person \`${person}\``,
    fix: 'see `rubicon person list`',
  }
}

function buildIdentityTakenFailure(identity: Identity, whose: string, person: string): Failure {
  return {
    code: 'IDENTITY_TAKEN',
    summary: `\`${formatIdentity(identity)}\` belongs to \`${whose}\``,
    why: 'an identity belongs to one person, or the same human would count twice',
    fix: `if they are one human: \`rubicon person merge ${whose} ${person}\``,
    meta: { person_id: whose },
  }
}

function buildForeignIdentityFailure(identity: Identity, person: string): Failure {
  return {
    code: 'IDENTITY_UNKNOWN',
    summary: `\`${formatIdentity(identity)}\` is not an identity of \`${person}\``,
    fix: 'see `rubicon person list`',
  }
}

function buildIdentityLimitFailure(person: string): Failure {
  return {
    code: 'IDENTITY_LIMIT',
    summary: `\`${person}\` is known by ${LIMITS.identitiesPerPerson} names already`,
    fix: 'unlink one that is not used any more',
  }
}
