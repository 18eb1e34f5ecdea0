/** What waits for whoever asks, what they need to decide it, and who says that they look after it. */
import type { JsonValue } from 'rubicon-kernel'
import { INBOX_TABS, type InboxQuestion } from 'rubicon-runtime/engine/approve'
import { addLinkCommand, identifyOnlooker } from '../../people/person-asking.ts'
import { toProblemReply } from '../problems/problem.ts'
import { askedAgain, escalationBrief, inbox, requestClaim } from '../schemas/escalation-brief.ts'
import { type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import {
  allowNull,
  buildClosedObject,
  buildEnum,
  buildWholeObject,
  identifier,
  limit,
  parseLimit,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

export function createInboxRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/inbox',
      operation: 'listInbox',
      summary:
        'requests by tab: yours, those of low impact, those of others, decided and expired ones',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({ tab: buildEnum(...INBOX_TABS), cursor: identifier, limit }),
      reply: inbox,
      async handle(asked) {
        const question = parseQuestion(asked)
        const who = await identifyOnlooker(engine, asked.principal)
        return toReply(await engine.oversight.inbox(question, who))
      },
    },
    {
      method: 'GET',
      path: '/v1/escalations/:id/brief',
      operation: 'getEscalationBrief',
      summary: 'a request with everything needed to decide it, on the current facts',
      roles: ['operator', 'approver', 'auditor'],
      reply: escalationBrief,
      async handle({ principal, params }) {
        const id = params.id ?? ''
        const brief = await engine.oversight.brief(id, await identifyOnlooker(engine, principal))
        if (brief !== null) return toReply(brief)
        return toProblemReply({
          code: 'ESCALATION_UNKNOWN',
          summary: `there is no request \`${id}\``,
        })
      },
    },
    askAgainRoute(engine),
    {
      method: 'POST',
      path: '/v1/escalations/:id/claim',
      operation: 'claimEscalation',
      summary: 'claim a request; others are told, and can still decide it',
      roles: ['approver'],
      body: buildClosedObject({
        instead_of: { ...name, description: 'who has it, to take it over' },
      }),
      reply: requestClaim,
      async handle({ principal, params, body }) {
        const from = parseClaim(body).instead_of
        const who = await identifyOnlooker(engine, principal)
        const said = await engine.oversight.claimEscalation(params.id ?? '', who, from)
        return said.ok ? toReply(said.value) : toProblemReply(addLinkCommand(said.error, principal))
      },
    },
    {
      method: 'DELETE',
      path: '/v1/escalations/:id/claim',
      operation: 'releaseEscalation',
      summary:
        'look after a request no longer; `of` names whose claim it is, where it is another\u2019s',
      roles: ['approver'],
      query: buildClosedObject({ of: name }),
      reply: buildWholeObject({ released: allowNull(requestClaim) }),
      async handle({ principal, params, query }) {
        const who = await identifyOnlooker(engine, principal)
        const said = await engine.oversight.releaseClaim(params.id ?? '', who, query.of)
        return said.ok ? toReply({ released: said.value }) : toProblemReply(said.error)
      },
    },
  ]
}

function askAgainRoute(engine: ServerParts['engine']): Route {
  return {
    method: 'POST',
    path: '/v1/escalations/:id/ask-again',
    operation: 'askAgain',
    summary: 'ask again under the current rules, where an approval would be refused',
    roles: ['approver'],
    body: buildClosedObject({}),
    once: true,
    reply: askedAgain,
    async handle({ principal, params }) {
      const who = await identifyOnlooker(engine, principal)
      const said = await engine.oversight.askAgain(params.id ?? '', who)
      return said.ok ? toReply(said.value) : toProblemReply(said.error)
    },
  }
}

/** Of a person, as providers have them. */
const name = text(256)

function parseClaim(body: JsonValue): { readonly instead_of?: string } {
  return body as { readonly instead_of?: string }
}

function parseQuestion({ query }: RouteRequest): InboxQuestion {
  const { cursor } = query
  return {
    tab: INBOX_TABS.find((known) => known === query.tab) ?? 'mine',
    limit: parseLimit(query),
    ...(cursor === undefined ? {} : { cursor }),
  }
}
