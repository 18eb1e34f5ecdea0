/**
 * Persons: who is one and the same, whatever they are called where. Folded from the authority
 * trajectory; who decided, owns or may approve is compared by these ids, and by nothing else.
 *
 * P1 an id is registered once, and an identity belongs to at most one person.
 * P2 two ids that turn out to be one human are merged, and count as one from there on.
 */
import type { Address } from '../canonical/address.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import type { Signature } from '../keys/key.ts'
import { err, ok, type Result } from '../result.ts'

export const PERSON_PREFIX = 'p_'

/** A commitment to what somebody is known by, or the id of a key of theirs for approving. */
export type LinkedIdentity = { readonly commitment: Address } | { readonly key_id: string }

/** By an operator. `by`: who had it signed, where that is known. */
export type PersonBody = (
  | {
      readonly action: 'register'
      readonly person_id: string
      readonly identities: readonly LinkedIdentity[]
    }
  | {
      readonly action: 'link' | 'unlink'
      readonly person_id: string
      readonly identity: LinkedIdentity
    }
  | { readonly action: 'merge'; readonly person_id: string; readonly into: string }
) & { readonly by?: string }

export type PersonPayload = { readonly body: PersonBody; readonly signature: Signature }

export type Persons = {
  /** Every id that was registered → the one that it counts as. */
  readonly ids: ReadonlyMap<string, string>
  /** Commitment or key → the person it was linked to. */
  readonly linked: ReadonlyMap<string, string>
}

export const NO_PERSONS: Persons = { ids: new Map(), linked: new Map() }

/** The one that an id counts as; undefined: nobody. */
export function personIn({ ids }: Persons, id: string): string | undefined {
  return ids.get(id)
}

/** Whose identity it is; undefined: nobody's. */
export function personLinked({ ids, linked }: Persons, identity: string): string | undefined {
  return ids.get(linked.get(identity) ?? '')
}

/** After an entry, or what about it cannot be. */
export function personsAfter(persons: Persons, body: PersonBody): Result<Persons, string> {
  switch (body.action) {
    case 'register':
      return registered(persons, body)
    case 'link':
      return linkedTo(persons, body)
    case 'unlink':
      return unlinked(persons, body)
    case 'merge':
      return merged(persons, body)
  }
}

type Register = Extract<PersonBody, { readonly action: 'register' }>
type Link = Extract<PersonBody, { readonly action: 'link' | 'unlink' }>
type Merge = Extract<PersonBody, { readonly action: 'merge' }>

function registered(
  persons: Persons,
  { person_id, identities }: Register,
): Result<Persons, string> {
  if (!isPersonId(person_id)) return err(`\`${person_id}\` is no id of a person`)
  if (persons.ids.has(person_id)) return err(`person \`${person_id}\` was registered before`)
  const names = identities.map(identityName)
  if (names.some((name) => persons.linked.has(name)) || new Set(names).size < names.length)
    return err('an identity belongs to another person')
  return ok({
    ids: new Map([...persons.ids, [person_id, person_id]]),
    linked: new Map([...persons.linked, ...names.map((name) => [name, person_id] as const)]),
  })
}

function linkedTo(persons: Persons, { person_id, identity }: Link): Result<Persons, string> {
  if (!persons.ids.has(person_id)) return err(`person \`${person_id}\` is not registered`)
  const name = identityName(identity)
  if (persons.linked.has(name)) return err('the identity belongs to another person')
  return ok({ ...persons, linked: new Map([...persons.linked, [name, person_id]]) })
}

function unlinked(persons: Persons, { person_id, identity }: Link): Result<Persons, string> {
  const name = identityName(identity)
  const whose = personLinked(persons, name)
  if (whose === undefined || whose !== persons.ids.get(person_id))
    return err('the identity is not one of the person')
  return ok({ ...persons, linked: new Map([...persons.linked].filter(([one]) => one !== name)) })
}

function merged(persons: Persons, { person_id, into }: Merge): Result<Persons, string> {
  const one = persons.ids.get(person_id)
  const other = persons.ids.get(into)
  if (one === undefined || other === undefined) return err('a person is not registered')
  if (one === other) return err('they are one person already')
  const ids = [...persons.ids].map(([id, as]) => [id, as === one ? other : as] as const)
  return ok({ ...persons, ids: new Map(ids) })
}

function isPersonId(id: string): boolean {
  return id.startsWith(PERSON_PREFIX) && isIdentifier(id)
}

export function identityName(identity: LinkedIdentity): string {
  return 'key_id' in identity ? identity.key_id : identity.commitment
}

/** The persons that a contract names, fixed by its deployment. */
export type ContractPersons = {
  readonly owner: string
  /** In the order of `approvers.of`. */
  readonly approvers: readonly string[]
  /** Who had it deployed, where that is known: they chose the owner, and answer for it too. */
  readonly deployer?: string
}

/** Who does not approve what has a high impact. */
export function answeringPersons({ owner, deployer }: ContractPersons): readonly string[] {
  return deployer === undefined ? [owner] : [owner, deployer]
}

type Naming = { readonly safety_rules: { readonly approvers?: { readonly of: readonly string[] } } }

/** Of an instance: those of its class. A name that the class did not have is nobody. */
export function inheritedPersons(
  ofClass: ContractPersons,
  parent: Naming,
  child: Naming,
): ContractPersons {
  const names = parent.safety_rules.approvers?.of ?? []
  const approvers = (child.safety_rules.approvers?.of ?? []).map(
    (name) => ofClass.approvers[names.indexOf(name)] ?? NOBODY,
  )
  return { ...ofClass, approvers }
}

/** No id of a person: it equals nobody. */
export const NOBODY = ''

/** As they count now. Two that are nobody are not the same. */
export function isSamePerson(persons: Persons, one: string, other: string): boolean {
  const as = persons.ids.get(one)
  return as !== undefined && as === persons.ids.get(other)
}
