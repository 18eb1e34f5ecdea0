/**
 * Whoever was let in, judged again: for what begins some time after its head was read, or goes on. A body
 * may come a minute late, and a stream stay open for days; whoever ends a token, a session, a role or an
 * agent means what is under way too.
 *
 * S1 they are as they are now: roles that were taken meanwhile are gone.
 * S2 a proof is not asked for again: it counts once, and was for the body that came.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { err, ok, type Result } from 'rubicon-kernel'
import { getPrincipalName, type Principal } from '../../people/principal.ts'
import { checkRole } from '../../people/role-problem.ts'
import { buildHttpProblem } from '../problems/problem.ts'
import type { Reply, Route } from '../schemas/route.ts'
import { type AuthenticationParts, authenticate } from './authenticate.ts'

export async function judgeAgain(
  parts: AuthenticationParts,
  route: Pick<Route, 'roles'>,
  admitted: Principal,
  headers: IncomingHttpHeaders,
): Promise<Result<Principal, Reply>> {
  if (admitted.kind === 'stranger') return ok(admitted)
  // To be looked at again is not to use a session.
  const known = await authenticate(parts, headers, 'listens')
  if (!known.ok) return known
  const isSame = getPrincipalName(known.value) === getPrincipalName(admitted)
  const problem = isSame ? checkRole(known.value, route) : buildHttpProblem('TOKEN_INVALID')
  return problem === null ? known : err(problem)
}
