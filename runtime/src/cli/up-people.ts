/** Who may ask the server, as `rubicon up` was told: the people of the file, and a token made once. */
import { readFileSync } from 'node:fs'
import { hashText, isIdentifier } from 'rubicon-kernel'
import type { Deps } from '../engine/deps.ts'
import { type KnownPerson, mintToken, SHORTEST_TOKEN } from '../server/people.ts'
import { readPeople, writePeople } from '../server/people-file.ts'
import { PERSON_ROLES, type PersonRole } from '../server/principal.ts'
import { type Call, usage } from './call.ts'
import { unwrap } from './failure.ts'

export type Doorkeeper = {
  readonly people: readonly KnownPerson[]
  /** Whose token it is about. */
  readonly name: string
  /** The token, if it was made now: nobody sees it again. */
  readonly made: string | null
}

const NAME = 'operator'

export function doorkeeper(
  { options }: Call,
  file: string,
  { random, sha256 }: Pick<Deps, 'random' | 'sha256'>,
): Doorkeeper {
  const name = options.text('principal') ?? NAME
  if (!isIdentifier(name))
    throw usage(`\`${name}\` is no name`, 'use letters, digits and . _ : @ -')
  const known = unwrap(readPeople(file))
  const others = known.filter((person) => person.name !== name)
  const roles = rolesOf(options.text('roles'))
  const given = options.text('tokenFile')
  if (given !== undefined) {
    // Kept where it came from; the file of the state directory stays as it is.
    const person = { name, roles, token_hash: hashText(readToken(given), sha256) }
    return { people: [...others, person], name, made: null }
  }
  const isKnown = others.length < known.length
  if (isKnown && !options.flag('newToken')) return { people: known, name, made: null }
  const made = mintToken(random)
  const people = [...others, { name, roles, token_hash: hashText(made, sha256) }]
  writePeople(file, people)
  return { people, name, made }
}

function rolesOf(text: string | undefined): readonly PersonRole[] {
  if (text === undefined) return PERSON_ROLES
  return text.split(',').map((word) => {
    const role = PERSON_ROLES.find((known) => known === word.trim())
    if (role !== undefined) return role
    throw usage(`\`${word}\` is not a role`, `use some of ${PERSON_ROLES.join(', ')}`)
  })
}

function readToken(path: string): string {
  const token = readFileSync(path, 'utf8').trim()
  if (token.length >= SHORTEST_TOKEN && isIdentifier(token)) return token
  throw usage(
    `the token in \`${path}\` is too short, or no token`,
    `use ${SHORTEST_TOKEN} to 128 letters, digits and . _ : @ -`,
  )
}
