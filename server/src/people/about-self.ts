/**
 * Whether somebody says who they are themselves. Whoever could would approve as one person after another,
 * or for an agent of their own: what they came by, what is or was theirs, and their person are for others.
 */
import { hashIdentity, type Identity } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { normaliseIdentity } from 'rubicon-runtime/engine/authority'
import { toProblemReply } from '../http/problems/problem.ts'
import type { Reply } from '../http/schemas/route.ts'
import type { Person } from './principal.ts'

export type NamedIdentities = {
  readonly identity?: Identity
  /** Ids of persons. */
  readonly persons?: readonly string[]
}

export async function isAboutSelf(
  { people, context }: Pick<Engine, 'people' | 'context'>,
  asker: Person,
  { identity, persons = [] }: NamedIdentities,
): Promise<boolean> {
  // Whoever holds the operator's key may sign it elsewhere as well.
  if (asker.local !== undefined) return false
  const own = listIdentities(asker)
  const toIdentityKey = (one: Identity): string =>
    hashIdentity(normaliseIdentity(one), context.sha256)
  if (identity !== undefined && own.some((one) => toIdentityKey(one) === toIdentityKey(identity)))
    return true
  const known = await Promise.all(own.map((one) => people.findOwner(one)))
  const about = await Promise.all([
    ...persons.map((id) => people.resolveId(id)),
    ...(identity === undefined ? [] : [people.findOwner(identity)]),
  ])
  return about.some((person) => person !== null && known.includes(person))
}

/** What they came by, and the address by which their provider is trusted to say who they are. */
function listIdentities({ name, login, mail }: Person): readonly Identity[] {
  const came: Identity = login ?? { kind: 'name', name }
  return mail === undefined ? [came] : [came, { kind: 'name', name: mail }]
}

/** How somebody is answered who does. */
export const ownIdentity: Reply = toProblemReply({
  code: 'IDENTITY_OWN',
  summary: 'you cannot change your own identity',
  why: 'otherwise one person could approve under several names, or for an agent of their own',
  fix: 'have another operator do it',
})
