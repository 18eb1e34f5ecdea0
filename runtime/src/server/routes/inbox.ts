/** What waits for whoever asks, and what they need to decide it. */
import type { Onlooker } from '../../engine/escalate/brief/standing.ts'
import { INBOX_TABS, type InboxQuestion } from '../../engine/escalate/inbox.ts'
import type { Principal } from '../principal.ts'
import { refused } from '../problem.ts'
import { type Asked, done, type Route } from '../route.ts'
import { escalationBrief, inbox } from '../schemas/escalation-brief.ts'
import type { ServerParts } from '../server.ts'
import { closed, identifier, limit, limitOf, words } from './shape.ts'

export function inboxRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/inbox',
      operation: 'listInbox',
      summary: 'requests as whoever asks finds them: theirs, fast ones, others\u2019, and the rest',
      roles: ['operator', 'approver', 'auditor'],
      query: closed({ tab: words(...INBOX_TABS), cursor: identifier, limit }),
      reply: inbox,
      async handle(asked) {
        const question = parseQuestion(asked)
        return done(await engine.oversight.inbox(question, onlookerOf(asked.principal)))
      },
    },
    {
      method: 'GET',
      path: '/v1/escalations/:id/brief',
      operation: 'getEscalationBrief',
      summary: 'a request with everything that somebody needs to decide it, on the facts of now',
      roles: ['operator', 'approver', 'auditor'],
      reply: escalationBrief,
      async handle({ principal, params }) {
        const id = params.id ?? ''
        const brief = await engine.oversight.brief(id, onlookerOf(principal))
        if (brief !== null) return done(brief)
        return refused({ code: 'ESCALATION_UNKNOWN', summary: `there is no request \`${id}\`` })
      },
    },
  ]
}

function onlookerOf(principal: Principal): Onlooker {
  if (principal.kind !== 'person') return { name: '', approver: false }
  return { name: principal.name, approver: principal.roles.includes('approver') }
}

function parseQuestion({ query }: Asked): InboxQuestion {
  const { cursor } = query
  return {
    tab: INBOX_TABS.find((known) => known === query.tab) ?? 'mine',
    limit: limitOf(query),
    ...(cursor === undefined ? {} : { cursor }),
  }
}
