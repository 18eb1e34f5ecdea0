/** What is settled about a decision before its agent thinks it out. */
import type { JsonValue } from 'rubicon-kernel'
import type { AtomRequest } from 'rubicon-runtime/engine/atoms'
import { pickSession } from '../agent-auth/session-of.ts'
import { toProblemReply } from '../problems/problem.ts'
import { atomRequest, decisionAtom } from '../schemas/atom.ts'
import { type Route, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'

export function createAtomRoutes({ engine }: RouteParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/flows/:dfid/atoms',
      operation: 'issueAtom',
      summary: 'settle what is known of the next decision of a flow, for a minute and one dispatch',
      roles: ['agent'],
      body: atomRequest,
      reply: decisionAtom,
      status: 201,
      async handle({ principal, params, body }) {
        const session = pickSession(principal)
        const issued = await engine.atoms.issue(params.dfid ?? '', parseAtomRequest(body), session)
        return issued.ok ? toReply({ ...issued.value }, 201) : toProblemReply(issued.error)
      },
    },
  ]
}

/** As its schema says. */
function parseAtomRequest(body: JsonValue): AtomRequest {
  return body as AtomRequest
}
