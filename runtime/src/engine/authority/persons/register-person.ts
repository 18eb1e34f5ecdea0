/**
 * Registers persons: by an operator, or because whoever holds the operator's key vouches for a name, as
 * a deployment does for an owner and the file of people for a token. What an operator unlinked comes
 * back by an operator's own word only: met by itself, one human would be two persons.
 */
import {
  type Authority,
  err,
  type Failure,
  findPersonNameProblem,
  type Identity,
  ok,
  type Result,
} from 'rubicon-kernel'
import type { Write } from '../../../ports/store.ts'
import { mintPersonId } from '../../rows/identity.ts'
import { appendAuthority, type Registrar, type SignedEntry } from '../registry/append-authority.ts'
import { findPerson, findUnlinkedPerson } from './find-person.ts'
import { commitIdentity, signPersonEntry } from './person-entry.ts'
import { normalisePersonName } from './plain-identity.ts'

export type Registered = { readonly person_id: string; readonly unchanged: boolean }

/** `said`: an operator does. `vouched`: whatever names somebody without saying anew who that is. */
export type Word = { readonly word: 'said' | 'vouched'; readonly by?: string | undefined }

/** Who is called so; somebody new, if nobody is. */
export async function ensurePerson(
  registrar: Registrar,
  name: string,
  word: Word,
): Promise<Result<Registered, Failure>> {
  const problem = findPersonNameProblem(name)
  if (problem !== undefined) return err(buildPersonNameFailure(name, problem))
  const done = await appendAuthority(registrar, async (authority) => {
    const known = await findPerson(registrar, authority, { kind: 'name', name })
    if (known !== null) return ok({ entries: [], value: known })
    if (!maySign(registrar)) return err(UNSIGNED)
    const found = await ensureNamedPersons(registrar, authority, [name], word)
    return found.ok ? ok({ ...found.value, value: found.value.idOf(name) }) : found
  })
  if (!done.ok) return done
  return ok({ person_id: done.value.value, unchanged: done.value.appended === 0 })
}

export type NamedPersons = {
  readonly idOf: (name: string) => string
  /** Those that were not there: to be written in the unit that names them. */
  readonly entries: readonly SignedEntry[]
  readonly beside: readonly Write[]
}

/** The persons behind names, each registered without a login where nobody knew it. */
export async function ensureNamedPersons(
  registrar: Registrar,
  authority: Authority,
  names: readonly string[],
  { word, by }: Word,
): Promise<Result<NamedPersons, Failure>> {
  const ids = new Map<string, string>()
  const entries: SignedEntry[] = []
  const beside: Write[] = []
  for (const name of names) {
    const identity: Identity = { kind: 'name', name }
    const known = [...ids].find(
      ([other]) => normalisePersonName(other) === normalisePersonName(name),
    )?.[1]
    const found = known ?? (await findPerson(registrar, authority, identity))
    ids.set(name, found ?? mintPersonId(registrar))
    if (found !== null) continue
    const before = word === 'said' ? null : await findUnlinkedPerson(registrar, identity)
    if (before !== null) return err(buildUnlinkedFailure(name, before))
    const person_id = ids.get(name) ?? ''
    const { commitment, rows } = commitIdentity(registrar, person_id, identity)
    const who = by === undefined ? {} : { by }
    const body = { action: 'register', person_id, identities: [{ commitment }], ...who } as const
    entries.push(await signPersonEntry(registrar, body))
    beside.push(...rows)
  }
  return ok({ idOf: (name) => ids.get(name) ?? '', entries, beside })
}

/** Whoever vouches for a person signs for it. */
export function maySign({ signer }: Pick<Registrar, 'signer'>): boolean {
  return signer.publicKey('operator') !== null
}

export const UNSIGNED: Failure = {
  code: 'PERSON_UNSIGNED',
  summary: 'no operator key is held here, and people do not register themselves',
  fix: 'register the person where the operator key is: `rubicon person register NAME`',
}

export function buildUnlinkedFailure(name: string, person: string): Failure {
  return {
    code: 'PERSON_UNLINKED',
    summary: `an operator unlinked \`${name}\` from \`${person}\`, and it belongs to nobody now`,
    why: 'registered again without an operator, one human would count as two persons',
    fix: `have an operator link it: \`rubicon person link ${person}\`, or for somebody else \`rubicon person register NAME\``,
    meta: { person_id: person },
  }
}

export function buildPersonNameFailure(name: string, problem: string): Failure {
  return {
    code: 'PERSON_NAME',
    summary: `\`${name}\` cannot be the name of a person: it ${problem}`,
    fix: 'use another name, such as an e-mail address',
  }
}
