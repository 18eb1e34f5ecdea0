/** From what somebody came by to the person they are. */
import { type Authority, findPersonNameProblem, type Identity, NOBODY } from 'rubicon-kernel'
import type { Deps } from '../../deps.ts'
import { findPerson, findUnlinkedPerson } from './find-person.ts'

export type CameBy = {
  /** The name under which what they say is recorded. */
  readonly principal: string
  /** What they came by; the name itself, where whoever asks shares the process. */
  readonly login?: Identity
  /** An address that their provider verified, and is trusted to: another name of the same human. */
  readonly mail?: string
}

/** What names of people begin with for whom a provider vouches: nobody else has such a one. */
export const OF_PROVIDER = 'oidc:'

type Reading = Pick<Deps, 'store' | 'sha256'>

/** Who it is, if anybody knows. */
export async function identifyPerson(
  reading: Reading,
  authority: Pick<Authority, 'persons'>,
  { principal, login = { kind: 'name', name: principal }, mail }: CameBy,
): Promise<string> {
  // Under such a name the ledger would be read as if somebody else had spoken.
  const isFit =
    login.kind === 'oidc'
      ? principal.startsWith(OF_PROVIDER)
      : findPersonNameProblem(principal) === undefined
  const person = isFit ? ((await findPerson(reading, authority, login)) ?? NOBODY) : NOBODY
  if (person === NOBODY || mail === undefined) return person
  return (await isTheirs(reading, authority, mail, person)) ? person : NOBODY
}

/**
 * Whoever has the login has the address, and may have a token of that name: were those two persons, one
 * human would approve twice. An address that an operator took from somebody is nobody's.
 */
async function isTheirs(
  reading: Reading,
  authority: Pick<Authority, 'persons'>,
  mail: string,
  person: string,
): Promise<boolean> {
  const address: Identity = { kind: 'name', name: mail }
  const whose = await findPerson(reading, authority, address)
  return whose === null ? (await findUnlinkedPerson(reading, address)) !== null : whose === person
}
