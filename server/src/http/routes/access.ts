/**
 * Who can ask this server: tokens of people, and browsers that are signed in. An operator ends both and makes neither:
 * with a token of another person and another role, they would approve what they themselves asked for.
 */
import {
  endSessionOf,
  type ListedSession,
  listPersonSessions,
  listSignedInNames,
} from '../../people/person-sessions.ts'
import { PERSON_ROLES, type Principal, SOURCE_ROLE } from '../../people/principal.ts'
import { toProblemReply } from '../problems/problem.ts'
import { type Route, toReply } from '../schemas/route.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildEnum,
  buildWholeObject,
  moment,
  nameSchema,
  string,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

const shownToken = nameSchema(
  'PersonToken',
  buildWholeObject({
    name: string,
    roles: buildArray(buildEnum(...PERSON_ROLES, SOURCE_ROLE)),
    /** It is valid in other tenants too; in which is nobody's business here. */
    elsewhere: boolean,
    /** Whoever asks came with it. */
    own: boolean,
  }),
)

const shownSession = nameSchema(
  'OpenSession',
  buildWholeObject<ListedSession & { readonly own: boolean }>({
    name: string,
    id: string,
    shown: allowNull(string),
    opened_at: moment,
    seen_at: moment,
    expires_at: moment,
    by: buildEnum('token', 'provider'),
    /** Whoever asks is in it. */
    own: boolean,
  }),
)

export function createAccessRoutes(parts: ServerParts): readonly Route[] {
  return [...createTokenRoutes(parts), ...createOpenSessionRoutes(parts)]
}

function createTokenRoutes({ engine, people, tokens }: ServerParts): readonly Route[] {
  const { tenant } = engine.context
  return [
    {
      method: 'GET',
      path: '/v1/tokens',
      operation: 'listTokens',
      summary: 'who has a token for this tenant, and what it may do; never the token',
      roles: ['operator', 'auditor'],
      reply: buildWholeObject({ tokens: buildArray(shownToken) }),
      handle({ principal }) {
        const rows = people.list().map(({ name, roles, tenants = [tenant] }) => {
          const elsewhere = tenants.some((one) => one !== tenant)
          return { name, roles, elsewhere, own: isOwn(principal, name) }
        })
        return toReply({ tokens: rows })
      },
    },
    {
      method: 'DELETE',
      path: '/v1/tokens/:name',
      operation: 'revokeToken',
      summary: 'end the token of a person in this tenant, and the sessions that it opened',
      stops: true,
      roles: ['operator'],
      reply: buildWholeObject({ revoked: string }),
      handle({ params: { name = '' } }) {
        const revoked = tokens?.revoke(name, tenant)
        if (revoked === undefined) return toProblemReply(NO_FILE)
        return revoked.ok ? toReply({ revoked: name }) : toProblemReply(revoked.error)
      },
    },
  ]
}

function createOpenSessionRoutes({ engine, people }: ServerParts): readonly Route[] {
  const { context } = engine
  /** Whoever signed in; and those with a token, where a server of before has not kept who did. */
  const listNames = async (): Promise<readonly string[]> => {
    const signedIn = await listSignedInNames(context)
    return [...new Set([...signedIn, ...people.list().map(({ name }) => name)])]
  }
  return [
    {
      method: 'GET',
      path: '/v1/sessions',
      operation: 'listOpenSessions',
      summary: 'browsers that are signed in to this tenant, the latest used first',
      roles: ['operator', 'auditor'],
      reply: buildWholeObject({ sessions: buildArray(shownSession) }),
      async handle({ principal }) {
        const listed = await listPersonSessions(context, await listNames())
        const own = principal.kind === 'person' ? principal.session?.key : undefined
        const sessions = listed
          .slice(0, MOST_PEOPLE)
          .map((session) => ({ ...session, own: session.id === own }))
        return toReply({ sessions })
      },
    },
    {
      method: 'DELETE',
      path: '/v1/sessions/:name/:id',
      operation: 'endOpenSession',
      summary: 'sign somebody’s browser out; their token stays as it is',
      stops: true,
      roles: ['operator'],
      reply: buildWholeObject({ ended: string }),
      async handle({ params: { name = '', id = '' } }) {
        const isEnded = await endSessionOf(context, name, id)
        return isEnded ? toReply({ ended: name }) : toProblemReply(GONE)
      },
    },
  ]
}

const MOST_PEOPLE = 1_000

const GONE = { code: 'SESSION_UNKNOWN', summary: 'that session is over already' }

const NO_FILE = {
  code: 'TOKEN_UNKNOWN',
  summary: 'this server keeps no tokens',
  fix: 'end them where they are kept',
}

function isOwn(principal: Principal, name: string): boolean {
  return principal.kind === 'person' && principal.login === undefined && principal.name === name
}
