/** Whether somebody who is given a request has the role to decide it, as far as this server knows. */
import type { Failure } from 'rubicon-kernel'
import type { ServerParts } from '../http/server-parts.ts'
import type { KnownPerson } from './people.ts'
import { listProviderSessions } from './person-sessions.ts'
import { isLocalOperator, type PersonRole, type Principal } from './principal.ts'

type Parts = Pick<ServerParts, 'engine' | 'people' | 'oidc'>

/**
 * Why they could not decide it; null: they could, or nobody can say. Somebody without any token is known only once they
 * come: through a provider, or by the name that a local operator gives.
 */
export async function findAssigneeProblem(
  parts: Parts,
  id: string,
  to: string,
  asker: Principal,
): Promise<Failure | null> {
  const { engine, people, oidc } = parts
  const person = await engine.people.identify({ principal: to })
  if (person === null) return null
  const known = await listKnownRoles(parts, person)
  if (known.flat().includes('approver')) return null
  const mayStillCome = oidc !== undefined || isLocalOperator(asker)
  if (known.length === 0 && mayStillCome) return null
  const can = await engine.oversight.listDeciders(id, listApprovers(people.list()))
  return buildRoleFailure(to, [...new Set(known.flat())], can)
}

/** Of each way in that they have. */
async function listKnownRoles(
  { engine, people, oidc }: Parts,
  person: string,
): Promise<readonly (readonly PersonRole[])[]> {
  const known: (readonly PersonRole[])[] = []
  for (const { name, roles } of people.list())
    if ((await engine.people.identify({ principal: name })) === person) known.push(roles)
  if (oidc === undefined) return known
  for (const { login, roles } of await listProviderSessions(engine.context))
    if ((await engine.people.find(login)) === person) known.push(roles)
  return known
}

function listApprovers(known: readonly KnownPerson[]): readonly string[] {
  return known.flatMap(({ name, roles }) => (roles.includes('approver') ? [name] : []))
}

function buildRoleFailure(
  to: string,
  roles: readonly PersonRole[],
  can: readonly string[],
): Failure {
  const named = can.map((name) => `\`${name}\``).join(', ')
  return {
    code: 'ROLE_MISSING',
    summary: `\`${to}\` could not decide it: deciding needs the role approver`,
    why:
      roles.length === 0
        ? 'they have no token of this server'
        : `they have the role ${roles.join(', ')}`,
    fix:
      can.length === 0
        ? 'have an operator give somebody the role approver'
        : `give it to somebody who can decide it: ${named}`,
    meta: { can },
  }
}
