/** What waits for somebody, and what they decide. Whoever decides is who the token says. */
import { type EscalationDecision, type JsonObject, type JsonValue, LIMITS } from 'rubicon-kernel'
import type { EscalationFilter } from '../../engine/escalate/list.ts'
import { ESCALATION_STATES } from '../../engine/escalate/stored.ts'
import { refused } from '../problem.ts'
import { type Asked, done, type Reply, type Route } from '../route.ts'
import type { ServerParts } from '../server.ts'
import { closed, identifier, limit, limitOf, listOf, text, words } from './shape.ts'

/** Members that are missing or not wanted are named by the kernel, which alone reads a decision. */
const decision: JsonObject = {
  type: 'object',
  properties: {
    decision: { type: 'string', description: 'OVERRIDE, MODIFY or ABORT' },
    intent_digest: identifier,
    shown_snapshot: identifier,
    lifts: listOf(text(256), LIMITS.contractLimits),
    valid_until: { type: 'string', description: 'an instant in UTC; an ABORT needs none' },
    justification: text(LIMITS.json.bytes),
    acknowledged_impact: { type: 'string', description: 'LOW_IMPACT or HIGH_IMPACT' },
    modified: { type: 'object', description: '`{params, execution_constraints?}`, with MODIFY' },
    retire: { type: 'boolean', description: 'with ABORT: the agent ends as well' },
    signature: { type: 'object', description: '`{key_id, sig}`, by a key of the approver' },
  },
}

export function escalationRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/escalations',
      summary: 'what waits for somebody, oldest first; or what became of the rest',
      roles: ['operator', 'approver', 'auditor'],
      query: closed({ state: words(...ESCALATION_STATES), agent: identifier, limit }),
      handle: async (asked) =>
        done({ escalations: await engine.oversight.escalations(parseFilter(asked)) }),
    },
    {
      method: 'GET',
      path: '/v1/escalations/:id',
      summary: 'a request with what its agent was shown',
      roles: ['operator', 'approver', 'auditor'],
      async handle({ params }) {
        const found = await engine.oversight.escalation(params.id ?? '')
        return found === null ? unknown(params.id ?? '') : done(found)
      },
    },
    {
      method: 'POST',
      path: '/v1/escalations/:id/decision',
      summary: 'override, modify or abort; bound to the digest that was shown, and single use',
      roles: ['approver'],
      body: decision,
      once: true,
      async handle({ principal, params, body }) {
        if (principal.kind !== 'person') return unknown(params.id ?? '')
        const by = { kind: 'person', principal: principal.name } as const
        const decided = await engine.oversight.decideEscalation(
          params.id ?? '',
          parseDecision(body),
          by,
        )
        return decided.ok ? done(decided.value) : refused(decided.error)
      },
    },
  ]
}

function parseFilter({ query }: Asked): EscalationFilter {
  const state = ESCALATION_STATES.find((known) => known === query.state)
  return {
    limit: limitOf(query),
    ...(state === undefined ? {} : { state }),
    ...(query.agent === undefined ? {} : { agent_id: query.agent }),
  }
}

/** Read strictly by the kernel. */
function parseDecision(body: JsonValue): EscalationDecision {
  return body as unknown as EscalationDecision
}

function unknown(id: string): Reply {
  return refused({ code: 'ESCALATION_UNKNOWN', summary: `there is no request \`${id}\`` })
}
