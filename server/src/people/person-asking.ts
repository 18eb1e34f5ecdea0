/**
 * From a login to a person.
 *
 * Whoever has a token is vouched for by whoever holds the machine, and is a person by the name that
 * stands there. A login through a provider is nobody until an operator has linked it; by mail only where
 * the provider verified the address and is trusted to, and then login and address are one person or
 * the login is nobody. What an operator unlinked is met by neither.
 */
import type { Failure } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import type { Onlooker } from 'rubicon-runtime/engine/approve'
import type { CameBy } from 'rubicon-runtime/engine/authority'
import { toRefusalFailure } from 'rubicon-runtime/engine/rows'
import type { Route } from '../http/schemas/route.ts'
import { isUnsafe } from './csrf.ts'
import { getPrincipalName, type Person, type Principal } from './principal.ts'

/** Who looks, and decides if they may; with them a person comes into being who has none yet. */
export async function identifyOnlooker(
  engine: Pick<Engine, 'people'>,
  principal: Principal,
): Promise<Onlooker> {
  if (principal.kind !== 'person') return { name: '', approver: false }
  const approver = principal.roles.includes('approver')
  if (approver || principal.login !== undefined) await meet(engine, principal)
  const { principal: name, ...came } = toCameBy(principal)
  return { name, approver, ...came }
}

/** Who says something that others answer to; null: nobody whom somebody knows. */
export async function identifySpeaker(
  engine: Pick<Engine, 'people'>,
  person: Person,
): Promise<string | null> {
  await meet(engine, person)
  return engine.people.identify(toCameBy(person))
}

/**
 * A login that nobody linked may look, by its role. Whatever it says or does beyond that would be nobody's:
 * facts that decide, sources, writs, what became of an effect, an agent that goes on.
 */
export async function isNobodys(
  engine: Pick<Engine, 'people'>,
  { method, unlinked }: Pick<Route, 'method' | 'unlinked'>,
  principal: Principal,
): Promise<boolean> {
  if (!isUnsafe(method) || unlinked === true) return false
  if (principal.kind !== 'person' || principal.login === undefined) return false
  return (await identifySpeaker(engine, principal)) === null
}

export function toCameBy({ name, login, mail }: Person): CameBy {
  return {
    principal: name,
    ...(login === undefined ? {} : { login }),
    ...(mail === undefined ? {} : { mail }),
  }
}

/** For somebody whom nobody knows. */
export function createUnknownSpeakerFailure(principal: Principal): Failure {
  const approver = principal.kind === 'person' ? principal.name : getPrincipalName(principal)
  const failure = toRefusalFailure({ code: 'PERSON_UNKNOWN', details: { approver } })
  return addLinkCommand(failure, principal)
}

/** What fails here is told by the decision, which then comes from nobody. */
async function meet({ people }: Pick<Engine, 'people'>, person: Person): Promise<void> {
  const { name, login, mail, local } = person
  if (local === 'unnamed') return
  if (login === undefined) {
    // For the name that a local operator gives, the key that signs the entry vouches.
    await people.meet(name, ...(local === undefined ? [TOKEN] : []))
    return
  }
  if (mail === undefined) return
  const address = { kind: 'name', name: mail } as const
  const [known, named] = [await people.find(login), await people.find(address)]
  if (known === null && named !== null) await people.meetWith(named, login, MAIL)
  // Before a token of that name is met as somebody else.
  if (known !== null && named === null) await people.meetWith(known, address, MAIL)
}

/** What vouched, as the entry says. */
const TOKEN = 'token'
const MAIL = 'verified mail'

/** A failure that says how the login is linked. */
export function addLinkCommand(failure: Failure, principal: Principal): Failure {
  if (failure.code !== 'PERSON_UNKNOWN' || principal.kind !== 'person') return failure
  const { login, name, mail } = principal
  if (login?.kind !== 'oidc') return failure
  const { issuer, sub } = login
  const known = principal.shown ?? name
  const link = `rubicon person link PERSON --issuer ${issuer} --sub ${sub}`
  const merge =
    mail === undefined ? '' : `; if \`${mail}\` is another person: \`rubicon person merge\``
  return {
    ...failure,
    fix: `have an operator link \`${known}\` to a person: ${link}${merge}`,
    meta: { ...failure.meta, issuer, sub },
  }
}
