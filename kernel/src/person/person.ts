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
export function findRegisteredPerson({ ids }: Persons, id: string): string | undefined {
  return ids.get(id)
}

/** Whose identity it is; undefined: nobody's. */
export function findLinkedPerson({ ids, linked }: Persons, identity: string): string | undefined {
  return ids.get(linked.get(identity) ?? '')
}

/** After an entry, or what about it cannot be. */
export function applyPersonEntry(persons: Persons, body: PersonBody): Result<Persons, string> {
  const draft: PersonsDraft = { ids: new Map(persons.ids), linked: new Map(persons.linked) }
  const problem = foldPerson(draft, body)
  return problem === undefined ? ok(draft) : err(problem)
}

/** Persons as they are folded: whoever folds many entries must not copy everybody for each of them. */
export type PersonsDraft = {
  readonly ids: Map<string, string>
  readonly linked: Map<string, string>
}

/** Takes an entry in, or says why it cannot be; then nothing is changed. */
export function foldPerson(persons: PersonsDraft, body: PersonBody): string | undefined {
  switch (body.action) {
    case 'register':
      return register(persons, body)
    case 'link':
      return linkIdentity(persons, body)
    case 'unlink':
      return unlink(persons, body)
    case 'merge':
      return merge(persons, body)
  }
}

type Register = Extract<PersonBody, { readonly action: 'register' }>
type Link = Extract<PersonBody, { readonly action: 'link' | 'unlink' }>
type Merge = Extract<PersonBody, { readonly action: 'merge' }>

function register(
  { ids, linked }: PersonsDraft,
  { person_id, identities }: Register,
): string | undefined {
  if (!isPersonId(person_id)) return `\`${person_id}\` is no id of a person`
  if (ids.has(person_id)) return `person \`${person_id}\` was registered before`
  const names = new Set(identities.map(getIdentityName))
  if ([...names].some((name) => linked.has(name)) || names.size < identities.length)
    return 'an identity belongs to another person'
  ids.set(person_id, person_id)
  for (const name of names) linked.set(name, person_id)
  return undefined
}

function linkIdentity(
  { ids, linked }: PersonsDraft,
  { person_id, identity }: Link,
): string | undefined {
  if (!ids.has(person_id)) return `person \`${person_id}\` is not registered`
  const name = getIdentityName(identity)
  if (linked.has(name)) return 'the identity belongs to another person'
  linked.set(name, person_id)
  return undefined
}

function unlink(persons: PersonsDraft, { person_id, identity }: Link): string | undefined {
  const name = getIdentityName(identity)
  const whose = findLinkedPerson(persons, name)
  if (whose === undefined || whose !== persons.ids.get(person_id))
    return 'the identity is not one of the person'
  persons.linked.delete(name)
  return undefined
}

function merge({ ids }: PersonsDraft, { person_id, into }: Merge): string | undefined {
  const one = ids.get(person_id)
  const other = ids.get(into)
  if (one === undefined || other === undefined) return 'a person is not registered'
  if (one === other) return 'they are one person already'
  for (const [id, as] of ids) if (as === one) ids.set(id, other)
  return undefined
}

function isPersonId(id: string): boolean {
  return id.startsWith(PERSON_PREFIX) && isIdentifier(id)
}

export function getIdentityName(identity: LinkedIdentity): string {
  return 'key_id' in identity ? identity.key_id : identity.commitment
}

/** The persons that a contract names, fixed by its deployment. */
export type ContractPersons = {
  /** Who answers for the agent. */
  readonly owner: string
  /** In the order of `approvers.of`. */
  readonly approvers: readonly string[]
  /** Who had it deployed, where that is known: they chose the owner, and answer for it too. */
  readonly deployer?: string
}

/** Who does not approve what has a high impact. */
export function listAnsweringPersons({ owner, deployer }: ContractPersons): readonly string[] {
  return deployer === undefined ? [owner] : [owner, deployer]
}

type Naming = { readonly safety_rules: { readonly approvers?: { readonly of: readonly string[] } } }

/** Of an instance: those of its class. A name that the class did not have is nobody. */
export function deriveInheritedPersons(
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
