/** Who may ask the server: the people of the file, and one whose token is made once. */
import {
  err,
  type Failure,
  hashText,
  isIdentifier,
  ok,
  type Result,
  type Sha256,
} from 'rubicon-kernel'
import type { Random } from '../ports/random.ts'
import { isIn, type KnownPerson, mintToken, OF_PROVIDER, SHORTEST_TOKEN } from './people.ts'
import { readPeople, writePeople } from './people-file.ts'
import { PERSON_ROLES, type PersonRole } from './principal.ts'

/** Whose token it is about. */
export type DoorOptions = {
  /** `operator` when nobody says. */
  readonly name?: string
  /** All when nobody says. */
  readonly roles?: readonly PersonRole[]
  /** Of those that are served; all when nobody says. */
  readonly tenants?: readonly string[]
  /** A token that is kept elsewhere, instead of one that is made. */
  readonly token?: string
  /** Make one in place of the one before. */
  readonly newToken?: boolean
}

export type Doorkeeper = {
  readonly people: readonly KnownPerson[]
  readonly name: string
  /** The token, if it was made now: nobody sees it again. */
  readonly made: string | null
}

type Sources = {
  readonly random: Random
  readonly sha256: Sha256
  /** The tenants that are served, the first one first. */
  readonly served: readonly string[]
}

export function doorkeeper(
  options: DoorOptions,
  file: string,
  { random, sha256, served }: Sources,
): Result<Doorkeeper, Failure> {
  const { name = 'operator', roles = PERSON_ROLES, tenants = served } = options
  const { token, newToken = false } = options
  if (!isIdentifier(name) || name.startsWith(OF_PROVIDER)) return err(noName(name))
  const strange = tenants.find((tenant) => !served.includes(tenant))
  if (strange !== undefined) return err(notServed(strange))
  if (token !== undefined && !isToken(token)) return err(NO_TOKEN)
  const known = readPeople(file)
  if (!known.ok) return known
  const others = known.value.filter((person) => person.name !== name)
  if (token !== undefined) {
    // Kept where it came from; the file of the state directory stays as it is.
    const person = { name, roles, tenants, token_hash: hashText(token, sha256) }
    return ok({ people: [...others, person], name, made: null })
  }
  const before = known.value.find((person) => person.name === name)
  if (before !== undefined && !newToken)
    return served.some((tenant) => isIn(before, tenant, served))
      ? ok({ people: known.value, name, made: null })
      : err(elsewhere(before))
  const made = mintToken(random)
  const people = [...others, { name, roles, tenants, token_hash: hashText(made, sha256) }]
  writePeople(file, people)
  return ok({ people, name, made })
}

function isToken(text: string): boolean {
  return text.length >= SHORTEST_TOKEN && isIdentifier(text)
}

function notServed(tenant: string): Failure {
  const fix = 'name some of those that are served'
  return { code: 'TENANT_UNKNOWN', summary: `\`${tenant}\` is no tenant of this server`, fix }
}

function elsewhere({ name, tenants = [] }: KnownPerson): Failure {
  return {
    code: 'PERSON_ELSEWHERE',
    summary: `\`${name}\` may ask in other tenants only: ${tenants.join(', ')}`,
    fix: 'make a token for this one with --new-token, or name another with --principal',
  }
}

function noName(name: string): Failure {
  const fix = `use letters, digits and . _ : @ -, and begin with another word than \`${OF_PROVIDER}\``
  return { code: 'PERSON_NAME', summary: `\`${name}\` is no name`, fix }
}

const NO_TOKEN: Failure = {
  code: 'TOKEN_SHORT',
  summary: 'the token is too short, or no token',
  fix: `use ${SHORTEST_TOKEN} to 128 letters, digits and . _ : @ -`,
}
