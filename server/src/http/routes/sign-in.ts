/** Ways to sign in, and the one through a provider: there, and back with its word. */
import { err, ok, type Result } from 'rubicon-kernel'
import { OIDC_PATH, type OpenId } from '../../people/oidc.ts'
import { parseVouchedPerson } from '../../people/oidc-claims.ts'
import { openPersonSession } from '../../people/person-sessions.ts'
import { buildSessionCookie, type CookiePlace } from '../../people/session-cookie.ts'
import {
  buildSignInCookie,
  parseReturnPath,
  readSignInCookie,
} from '../../people/sign-in-cookie.ts'
import { authenticate } from '../gate/authenticate.ts'
import { buildHttpProblem, type HttpCode } from '../problems/problem.ts'
import {
  type Browser,
  type Reply,
  type Route,
  type RouteRequest,
  toReply,
} from '../schemas/route.ts'
import {
  allowNull,
  boolean,
  buildClosedObject,
  buildMap,
  buildWholeObject,
  identifier,
  nameSchema,
  string,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { readSessionView, session } from './session.ts'

const ways = nameSchema(
  'SignInWays',
  buildWholeObject({
    token: boolean,
    oidc: allowNull(buildWholeObject({ start: string, issuer: string })),
    /** Of whoever asks; null: nobody is signed in. To ask is no fault, so it is no refusal. */
    session: allowNull(session),
  }),
)

export function createSignInRoutes(parts: ServerParts): readonly Route[] {
  const { oidc } = parts
  return [
    {
      method: 'GET',
      path: '/v1/sign-in',
      operation: 'signInWays',
      summary: 'how people sign in here, and who is signed in',
      roles: 'anyone',
      readsCookie: true,
      reply: ways,
      async handle({ browser }) {
        const known = await authenticate(parts, browser)
        const person = known.ok && known.value.kind === 'person' ? known.value : null
        return toReply({
          token: true,
          oidc: oidc === undefined ? null : { start: OIDC_PATH, issuer: oidc.options.issuer },
          session: person === null ? null : await readSessionView(parts.engine, person),
        })
      },
    },
    {
      method: 'GET',
      path: OIDC_PATH,
      operation: 'startProviderSignIn',
      summary: 'send the browser to the provider',
      roles: 'anyone',
      costly: true,
      query: buildClosedObject({ tenant: identifier, return_to: text(1_001) }),
      reply: 'text',
      status: 303,
      handle: (asked) => (oidc === undefined ? refuseMissingProvider() : begin(parts, oidc, asked)),
    },
    {
      method: 'GET',
      path: `${OIDC_PATH}/callback`,
      operation: 'finishProviderSignIn',
      summary: 'where the provider sends the browser back to',
      roles: 'anyone',
      costly: true,
      query: buildMap(text(4_096)),
      reply: 'text',
      status: 303,
      handle: (asked) =>
        oidc === undefined ? refuseMissingProvider() : finish(parts, oidc, asked),
    },
  ]
}

async function begin(
  parts: ServerParts,
  oidc: OpenId,
  { query, browser }: RouteRequest,
): Promise<Reply> {
  const tenant = query.tenant ?? parts.engine.context.tenant
  const returnTo = parseReturnPath(query.return_to)
  try {
    const { url, kept } = await oidc.begin(getBaseUrl(parts, browser))
    const cookie = buildSignInCookie(toCookiePlace(parts, browser), OIDC_PATH, {
      ...kept,
      tenant,
      returnTo,
    })
    return sendTo(url.href, cookie)
  } catch (error) {
    parts.report(`rubicon: the provider cannot be asked: ${describeError(error)}`)
    return sendToSignIn('SIGN_IN_UNAVAILABLE')
  }
}

async function finish(parts: ServerParts, oidc: OpenId, asked: RouteRequest): Promise<Reply> {
  const place = toCookiePlace(parts, asked.browser)
  const forget = buildSignInCookie(place, OIDC_PATH, null)
  const kept = readSignInCookie(asked.browser.cookie, place)
  const opened = await finishSignIn(parts, oidc, asked, kept)
  if (!opened.ok) return sendToSignIn(opened.error, forget)
  return sendTo(kept?.returnTo ?? '/', forget, buildSessionCookie(place, opened.value))
}

/** The cookie of the new session. */
async function finishSignIn(
  parts: ServerParts,
  oidc: OpenId,
  { browser, query }: RouteRequest,
  kept: ReturnType<typeof readSignInCookie>,
): Promise<Result<string, HttpCode>> {
  const { context } = parts.engine
  const { tenant, sha256, clock } = context
  if (kept === null || kept.tenant !== tenant) return err('SIGN_IN_REFUSED')
  try {
    const claims = await oidc.finish(getBaseUrl(parts, browser), query, kept)
    const person = parseVouchedPerson(claims, oidc.options, { tenant, sha256, now: clock.now() })
    if (!person.ok) return person
    const { sub, mail, ...known } = person.value
    const by = mail === undefined ? { sub } : { sub, mail }
    const vouched = { issuer: oidc.options.issuer, ...by }
    return ok((await openPersonSession(context, { ...known, vouched })).cookie)
  } catch (error) {
    parts.report(`rubicon: a sign-in was refused: ${describeError(error)}`)
    return err('SIGN_IN_REFUSED')
  }
}

/** The console shows the problem, on the page where one signs in. */
function sendToSignIn(code: HttpCode, ...cookies: readonly string[]): Reply {
  return { ...sendTo(`/?sign_in_problem=${code}`, ...cookies), problem: code }
}

function sendTo(location: string, ...cookies: readonly string[]): Reply {
  return {
    status: 303,
    body: 'go on at the address in `Location`\n',
    headers: { location },
    cookies,
  }
}

function refuseMissingProvider(): Reply {
  return buildHttpProblem('ROUTE_UNKNOWN', 'nobody signs in with a provider here')
}

/** Where the browser finds us. */
function getBaseUrl({ publicUrl }: ServerParts, { host }: Browser): string {
  return publicUrl?.origin ?? `http://${host}`
}

function toCookiePlace({ publicUrl }: ServerParts, { host }: Browser): CookiePlace {
  return { host, publicUrl }
}

/** What went wrong, in the library's words. Never what was said: a provider's answer holds tokens. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'for no reason given'
  const { message, cause } = error
  return cause instanceof Error ? `${message}: ${describeError(cause)}` : message
}
