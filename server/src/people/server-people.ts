/** Who may ask the server: the people of the file, and one whose token is made once. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  err,
  type Failure,
  findPersonNameProblem,
  hashText,
  isIdentifier,
  ok,
  RESERVED_PREFIXES,
  type Result,
  type Sha256,
} from 'rubicon-kernel'
import type { Random } from 'rubicon-runtime/ports'
import { createPeopleReader } from './fresh-people.ts'
import { isIn, type KnownPerson, mintToken, SHORTEST_TOKEN } from './people.ts'
import { changePeople, type PeopleChange, readPeople } from './people-file.ts'
import { PERSON_ROLES, type PersonRole, SOURCE_ROLE } from './principal.ts'

/** Who may ask, beside the keys. */
export function getPeoplePath(stateDirectory: string): string {
  return join(stateDirectory, 'people.json')
}

/** Whose token it is about. */
export type TokenOptions = {
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

export type TokenFor = Pick<TokenOptions, 'name' | 'roles' | 'tenants'>
export type IssuedToken = { readonly person: KnownPerson; readonly token: string }

export type ServerPeople = {
  /** As the file says now, and whose token is kept elsewhere. */
  readonly people: () => readonly KnownPerson[]
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

export function openServerPeople(
  options: TokenOptions,
  file: string,
  { random, sha256, served }: Sources,
): Result<ServerPeople, Failure> {
  const { name = 'operator', roles = PERSON_ROLES, tenants = served } = options
  const { token, newToken = false } = options
  const unfit = nameProblem(name)
  if (unfit !== undefined) return err(createPersonNameFailure(name, unfit))
  const strange = tenants.find((tenant) => !served.includes(tenant))
  if (strange !== undefined) return err(createUnknownTenantFailure(strange))
  if (token !== undefined && !isToken(token)) return err(NO_TOKEN)
  const known = readPeople(file)
  if (!known.ok) return known
  const people = createPeopleReader(file)
  if (token !== undefined) {
    // Kept where it came from; the file of the state directory stays as it is.
    const person = { name, roles, tenants, token_hash: hashText(token, sha256) }
    return ok({ people: () => [...removePerson(people(), name), person], name, made: null })
  }
  const before = known.value.find((person) => person.name === name)
  if (before !== undefined && !newToken)
    return served.some((tenant) => isIn(before, tenant, served))
      ? ok({ people, name, made: null })
      : err(createOtherTenantFailure(before))
  const made = mintToken(random)
  const person = { name, roles, tenants, token_hash: hashText(made, sha256) }
  return changePeople<ServerPeople>(file, (now) => {
    // Somebody else may have made it meanwhile, and shown it.
    if (!newToken && now.some((one) => one.name === name))
      return ok({ people: now, value: { people, name, made: null } })
    return ok({ people: [...removePerson(now, name), person], value: { people, name, made } })
  })
}

/** A token for somebody, in place of the one before; what is not said stays as it is. */
export function replaceToken(
  { name = 'operator', roles, tenants }: TokenFor,
  file: string,
  { random, sha256, waitMs }: Pick<Sources, 'random' | 'sha256'> & { readonly waitMs?: number },
): Result<IssuedToken, Failure> {
  const unfit = nameProblem(name)
  if (unfit !== undefined) return err(createPersonNameFailure(name, unfit))
  const issue = (known: readonly KnownPerson[]): Result<PeopleChange<IssuedToken>, Failure> => {
    if (known.length === 0) return err(createNoPeopleFailure(file))
    const before = known.find((person) => person.name === name)
    const held = roles ?? before?.roles
    // What nobody said would be everything, or a guess.
    if (held === undefined) return err(createNoRoleFailure(name))
    const where = tenants ?? before?.tenants
    const token = mintToken(random)
    const person = {
      name,
      roles: held,
      ...(where === undefined ? {} : { tenants: where }),
      token_hash: hashText(token, sha256),
    }
    return ok({ people: [...removePerson(known, name), person], value: { person, token } })
  }
  return changePeople(file, issue, waitMs)
}

function removePerson(people: readonly KnownPerson[], name: string): readonly KnownPerson[] {
  return people.filter((person) => person.name !== name)
}

function isToken(text: string): boolean {
  return text.length >= SHORTEST_TOKEN && isIdentifier(text)
}

/** Beside the people of a ledger that `rubicon dev` made: it has one person, and makes their token. */
export const DEVELOPER_TOKEN = 'developer.token'

/** Most likely it is another ledger than was meant: nobody would ask the server of this one. */
function createNoPeopleFailure(file: string): Failure {
  const developer = join(dirname(file), DEVELOPER_TOKEN)
  const summary = `\`${file}\` has no people in it`
  if (existsSync(developer)) {
    const why = 'this ledger is of `rubicon dev`, which has one person and makes their token'
    return { code: 'PEOPLE_NONE', summary, why, fix: `use the one in ${developer}` }
  }
  return {
    code: 'PEOPLE_NONE',
    summary,
    why: 'the first start of a server creates the first token; no server was started with this ledger and these keys',
    fix: 'go to the folder where the server was started, or give its --store and --state',
  }
}

function createNoRoleFailure(name: string): Failure {
  return {
    code: 'TOKEN_ROLE',
    summary: `\`${name}\` has no role yet`,
    why: 'every token needs a role',
    fix: `add --role with some of ${PERSON_ROLES.join(', ')}, or ${SOURCE_ROLE} alone`,
  }
}

function createUnknownTenantFailure(tenant: string): Failure {
  const fix = 'name some of those that are served'
  return { code: 'TENANT_UNKNOWN', summary: `\`${tenant}\` is not a tenant of this server`, fix }
}

function createOtherTenantFailure({ name, tenants = [] }: KnownPerson): Failure {
  return {
    code: 'PERSON_ELSEWHERE',
    summary: `\`${name}\` may ask in other tenants only: ${tenants.join(', ')}`,
    fix: 'make a token for this one with --new-token, or name another with --principal',
  }
}

function nameProblem(name: string): string | undefined {
  return isIdentifier(name) ? findPersonNameProblem(name) : 'is no identifier'
}

function createPersonNameFailure(name: string, problem: string): Failure {
  const fix = `use letters, digits and . _ : @ -, and begin with none of ${RESERVED_PREFIXES.join(' ')}`
  return { code: 'PERSON_NAME', summary: `\`${name}\` is not a valid name: it ${problem}`, fix }
}

const NO_TOKEN: Failure = {
  code: 'TOKEN_SHORT',
  summary: 'invalid token: it is too short, or has other characters',
  fix: `use ${SHORTEST_TOKEN} to 128 letters, digits and . _ : @ -`,
}
