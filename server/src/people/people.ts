/**
 * People and their tokens. A token is shown when it is made and kept as its hash.
 *
 * P1 whether a token is somebody's takes as long to find out for every token that is not.
 */
import { timingSafeEqual } from 'node:crypto'
import {
  encodeBase64,
  encodeUtf8,
  findPersonNameProblem,
  hashText,
  type Sha256,
} from 'rubicon-kernel'
import type { Random } from 'rubicon-runtime/ports'
import type { Person, PersonRole } from './principal.ts'

export type KnownPerson = {
  readonly name: string
  readonly roles: readonly PersonRole[]
  /** Where they may ask; the first tenant of the server when it is not written. */
  readonly tenants?: readonly string[]
  /** SHA-256 of the token, in hex. */
  readonly token_hash: string
}

export interface People {
  /** Whose token it is. */
  find(token: string): Person | null
  named(name: string): KnownPerson | null
  /** Everybody with a token, by name. */
  list(): readonly KnownPerson[]
}

const PREFIX = 'rbo_'
const TOKEN_BYTES = 32
/** A token of the user's own choice has at least so many characters. */
export const SHORTEST_TOKEN = 32

/** Whether a person may ask in a tenant. */
export function isIn({ tenants }: KnownPerson, tenant: string, served: readonly string[]): boolean {
  return (tenants ?? served.slice(0, 1)).includes(tenant)
}

export function mintToken(random: Random): string {
  const text = encodeBase64(random.bytes(TOKEN_BYTES))
  return `${PREFIX}${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

export function createPeople(known: () => readonly KnownPerson[], sha256: Sha256): People {
  // They are compared with every request.
  const hashes = new WeakMap<KnownPerson, Uint8Array>()
  const getTokenHash = (person: KnownPerson): Uint8Array => {
    const hash = hashes.get(person) ?? encodeUtf8(person.token_hash)
    hashes.set(person, hash)
    return hash
  }
  return {
    find(token) {
      const presented = encodeUtf8(hashText(token.toWellFormed(), sha256))
      let found: Person | null = null
      for (const person of known()) {
        const { name, roles } = person
        // Kept by hand, perhaps: what such a one decided would be read as another's word.
        if (findPersonNameProblem(name) !== undefined) continue
        const kept = getTokenHash(person)
        if (kept.length === presented.length && timingSafeEqual(kept, presented))
          found = { kind: 'person', name, roles }
      }
      return found
    },
    named: (name) => known().find((person) => person.name === name) ?? null,
    list: () => known().toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  }
}
