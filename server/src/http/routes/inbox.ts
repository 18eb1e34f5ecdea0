/** What waits for whoever asks, what they need to decide it, and who says that they look after it. */
import { type JsonValue, LIMITS } from 'rubicon-kernel'
import { INBOX_SORTS, INBOX_TABS, type InboxQuestion } from 'rubicon-runtime/engine/approve'
import { findAssigneeProblem } from '../../people/assignee.ts'
import { addLinkCommand, identifyOnlooker, identifySpeaker } from '../../people/person-asking.ts'
import { toProblemReply } from '../problems/problem.ts'
import {
  askedAgain,
  escalationBrief,
  inbox,
  requestClaim,
  saidComment,
} from '../schemas/escalation-brief.ts'
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

export function createInboxRoutes(parts: ServerParts): readonly Route[] {
  const { engine } = parts
  return [
    {
      method: 'GET',
      path: '/v1/inbox',
      operation: 'listInbox',
      summary:
        'requests by tab: yours, those of low impact, those of others, decided and expired ones',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({
        tab: buildEnum(...INBOX_TABS),
        sort: {
          ...buildEnum(...INBOX_SORTS),
          description: 'of what waits; with - before it the latest or largest first',
        },
        cursor: identifier,
        limit,
      }),
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
    claimRoute(parts),
    createCommentRoute(engine),
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

function claimRoute(parts: ServerParts): Route {
  const { engine } = parts
  return {
    method: 'POST',
    path: '/v1/escalations/:id/claim',
    operation: 'claimEscalation',
    summary: 'claim a request, or give it to somebody; others are told, and can still decide it',
    roles: ['approver'],
    body: buildClosedObject({
      instead_of: { ...name, description: 'who has it, to take it over' },
      for: { ...name, description: 'who is to look after it, if not whoever asks' },
    }),
    reply: requestClaim,
    async handle({ principal, params, body }) {
      const { instead_of: from, for: to } = parseClaim(body)
      const id = params.id ?? ''
      const who = await identifyOnlooker(engine, principal)
      const problem = to === undefined ? null : await findAssigneeProblem(parts, id, to, principal)
      if (problem !== null) return toProblemReply(problem)
      const said =
        to === undefined
          ? await engine.oversight.claimEscalation(id, who, from)
          : await engine.oversight.assignEscalation(id, who, to, from)
      if (said.ok) return toReply(said.value)
      return toProblemReply(to === undefined ? addLinkCommand(said.error, principal) : said.error)
    },
  }
}

function createCommentRoute(engine: ServerParts['engine']): Route {
  return {
    method: 'POST',
    path: '/v1/escalations/:id/comments',
    operation: 'addComment',
    summary: 'comment on a request for other people; it decides nothing, and agents never see it',
    roles: ['operator', 'approver'],
    body: buildClosedObject({ text: text(LIMITS.commentLength) }, ['text']),
    once: true,
    reply: saidComment,
    async handle({ principal, params, body }) {
      const who = await identifyOnlooker(engine, principal)
      // An operator without the role to decide is a person too.
      if (principal.kind === 'person') await identifySpeaker(engine, principal)
      const said = await engine.oversight.addComment(params.id ?? '', who, parseComment(body).text)
      if (!said.ok) return toProblemReply(addLinkCommand(said.error, principal))
      const { at, by, yours } = said.value
      return toReply({ request: params.id ?? '', at, by, yours })
    },
  }
}

/** Of a person, as providers have them. */
const name = text(256)

type ClaimAsked = { readonly instead_of?: string; readonly for?: string }

function parseClaim(body: JsonValue): ClaimAsked {
  return body as ClaimAsked
}

function parseComment(body: JsonValue): { readonly text: string } {
  return body as { readonly text: string }
}

function parseQuestion({ query }: RouteRequest): InboxQuestion {
  const { cursor } = query
  const sort = INBOX_SORTS.find((known) => known === query.sort)
  return {
    tab: INBOX_TABS.find((known) => known === query.tab) ?? 'mine',
    ...(sort === undefined ? {} : { sort }),
    limit: parseLimit(query),
    ...(cursor === undefined ? {} : { cursor }),
  }
}
