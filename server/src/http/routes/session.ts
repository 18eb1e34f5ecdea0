/** People in their browsers: who signs in with a token, who one is, and the end of it. */
import { hashText, type Identity, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { OF_PROVIDER } from 'rubicon-runtime/engine/authority'
import { identifyOnlooker, toCameBy } from '../../people/person-asking.ts'
import { endPersonSession, openPersonSession } from '../../people/person-sessions.ts'
import { isSource, PERSON_ROLES, type Person, type Principal } from '../../people/principal.ts'
import { buildSessionCookie } from '../../people/session-cookie.ts'
import { buildHttpProblem } from '../problems/problem.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildClosedObject,
  buildEnum,
  buildWholeObject,
  nameSchema,
  string,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

export const session: JsonObject = nameSchema(
  'Session',
  buildWholeObject({
    name: string,
    shown: string,
    /** Who that is; null: nobody whom anybody knows, and who decides nothing. */
    person: allowNull(string),
    /** Of a provider; null: they came with a token. */
    login: allowNull(buildWholeObject({ issuer: string, sub: string })),
    roles: buildArray(buildEnum(...PERSON_ROLES)),
    tenant: string,
    /** Empty: whoever comes with a token needs none. */
    csrf: string,
    expires_at: allowNull(string),
  }),
)

const NO_BROWSER = 'a source of facts observes, and has no session in a browser'

export function createSessionRoutes(parts: ServerParts): readonly Route[] {
  const { people, publicUrl } = parts
  const { context } = parts.engine
  return [
    {
      method: 'POST',
      path: '/v1/session',
      operation: 'startSession',
      summary: 'sign in with a token: a cookie for the browser',
      roles: 'anyone',
      body: buildClosedObject({ token: text(128) }, ['token']),
      reply: session,
      status: 201,
      async handle({ body, browser }) {
        const { token } = parseSignIn(body)
        const person = people.find(token)
        if (person === null) return buildHttpProblem('TOKEN_INVALID')
        if (isSource(person.roles)) return buildHttpProblem('ROLE_MISSING', NO_BROWSER)
        const vouched = { token_hash: hashText(token, context.sha256) }
        const opened = await openPersonSession(context, { ...person, shown: null, vouched })
        const set = buildSessionCookie({ ...browser, publicUrl }, opened.cookie)
        return { ...(await showSession(parts.engine, opened.person, 201)), cookies: [set] }
      },
    },
    {
      method: 'GET',
      path: '/v1/session',
      operation: 'getSession',
      summary: 'who is signed in, and the CSRF token to send with requests that change something',
      roles: PERSON_ROLES,
      reply: session,
      handle: ({ principal }) => showSession(parts.engine, principal),
    },
    {
      method: 'DELETE',
      path: '/v1/session',
      operation: 'endSession',
      summary: 'sign out; the cookie becomes invalid',
      unlinked: true,
      roles: PERSON_ROLES,
      reply: buildWholeObject({ signed_out: boolean, provider: allowNull(string) }),
      async handle({ principal, browser }: RouteRequest) {
        if (principal.kind === 'person') await endPersonSession(context, principal)
        const set = buildSessionCookie({ ...browser, publicUrl }, null)
        const provider = await findSignOutUrl(parts, principal)
        return { ...toReply({ signed_out: true, provider }), cookies: [set] }
      },
    },
  ]
}

/** Where whoever came through a provider may sign out as well; null too when it cannot be asked. */
async function findSignOutUrl({ oidc }: ServerParts, principal: Principal): Promise<string | null> {
  if (oidc === undefined || principal.kind !== 'person') return null
  if (!principal.name.startsWith(OF_PROVIDER)) return null
  return oidc.signOutUrl().catch(() => null)
}

function parseSignIn(body: JsonValue): { readonly token: string } {
  return body as { readonly token: string }
}

async function showSession(engine: Engine, principal: Principal, status = 200): Promise<Reply> {
  if (principal.kind !== 'person') return buildHttpProblem('ROLE_MISSING')
  return toReply(await readSessionView(engine, principal), status)
}

export async function readSessionView(engine: Engine, principal: Person): Promise<object> {
  const { name, shown = name, roles, session, login } = principal
  const { csrf = '', expires_at = null } = session ?? {}
  const person = await findPersonBehind(engine, principal)
  const { tenant } = engine.context
  return { name, shown, person, login: toLoginView(login), roles, tenant, csrf, expires_at }
}

/** On a damaged ledger nobody: there nobody decides anything, and whoever is to find out why gets in all the same. */
async function findPersonBehind(engine: Engine, principal: Person): Promise<string | null> {
  try {
    await identifyOnlooker(engine, principal)
    return await engine.people.identify(toCameBy(principal))
  } catch (error) {
    if (engine.status.damaged) return null
    throw error
  }
}

function toLoginView(login: Identity | undefined): object | null {
  return login?.kind === 'oidc' ? { issuer: login.issuer, sub: login.sub } : null
}
