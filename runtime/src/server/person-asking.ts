/**
 * From a login to a person.
 *
 * Whoever has a token is vouched for by whoever holds the machine, and is a person by the name that
 * stands there. A login through a provider is nobody until an operator has linked it; by mail only where
 * the provider verified the address and is trusted to. What an operator unlinked is met by neither.
 */
import type { Failure } from 'rubicon-kernel'
import type { Engine } from '../engine/engine.ts'
import type { Onlooker } from '../engine/escalate/brief/standing.ts'
import type { Person, Principal } from './principal.ts'

/** Who looks, and decides if they may; with them a person comes into being who has none yet. */
export async function personAsking(
  engine: Pick<Engine, 'people'>,
  principal: Principal,
): Promise<Onlooker> {
  if (principal.kind !== 'person') return { name: '', approver: false }
  const { name, roles, login } = principal
  const approver = roles.includes('approver')
  if (approver) await meet(engine, principal)
  return { name, approver, ...(login === undefined ? {} : { login }) }
}

/** What fails here is told by the decision, which then comes from nobody. */
async function meet({ people }: Pick<Engine, 'people'>, person: Person): Promise<void> {
  const { name, login, mail } = person
  if (login === undefined) {
    await people.meet(name, TOKEN)
    return
  }
  if (mail === undefined || (await people.find(login)) !== null) return
  const known = await people.find({ kind: 'name', name: mail })
  if (known !== null) await people.meetLogin(known, login, MAIL)
}

/** What vouched, as the entry says. */
const TOKEN = 'token'
const MAIL = 'verified mail'

/** A failure that says how the login is linked. */
export function withLinkCommand(failure: Failure, principal: Principal): Failure {
  if (failure.code !== 'PERSON_UNKNOWN' || principal.kind !== 'person') return failure
  const { login, name } = principal
  if (login?.kind !== 'oidc') return failure
  const { issuer, sub } = login
  const known = principal.shown ?? name
  return {
    ...failure,
    fix: `let an operator say who \`${known}\` is: rubicon person link PERSON --issuer ${issuer} --sub ${sub}`,
    meta: { ...failure.meta, issuer, sub },
  }
}
