import { buildHttpProblem } from '../http/problems/problem.ts'
import type { Reply, Route } from '../http/schemas/route.ts'
import { hasRole, type Principal } from './principal.ts'

/** Null: a role of whoever asks is one of the route's. */
export function checkRole(principal: Principal, { roles }: Pick<Route, 'roles'>): Reply | null {
  if (roles === 'anyone' || hasRole(principal, roles)) return null
  // A token is for one audience: at the door of another it is as good as none.
  if (principal.kind === 'mcp' || roles.includes('mcp'))
    return buildHttpProblem('TOKEN_INVALID', 'the token is for another audience')
  return buildHttpProblem('ROLE_MISSING', `it takes one of: ${roles.join(', ')}`)
}
