/**
 * From headers to whoever asks, or to the reason why it is nobody. A token counts before a cookie: who
 * sends one means it, and a cookie goes along with everything.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { err, type Failure, ok, type Result } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { parseOperatorHeader } from '../../people/local-operator.ts'
import { MCP_TOKEN_PREFIX } from '../../people/mcp-tokens.ts'
import { readPersonSession, type Use } from '../../people/person-sessions.ts'
import type { Principal } from '../../people/principal.ts'
import {
  buildCookieName,
  parseSessionCookie,
  readCookie,
  SESSION,
} from '../../people/session-cookie.ts'
import { buildHttpProblem, toProblemReply } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'
import type { ServerParts } from '../server-parts.ts'

export type AuthenticationParts = Pick<
  ServerParts,
  'engine' | 'people' | 'publicUrl' | 'oidc' | 'local' | 'mcp'
>

const BEARER = /^Bearer ([A-Za-z0-9._:@-]{1,128})$/
/** What tokens of handshakes begin with. */
const OF_AGENT = 'rbs_'

export async function authenticate(
  parts: AuthenticationParts,
  headers: IncomingHttpHeaders,
  use: Use = 'asks',
): Promise<Result<Principal, Reply>> {
  const { authorization } = headers
  const operator = parts.local === undefined ? null : parseOperatorHeader(headers)
  if (authorization === undefined && operator !== null) return ok(operator)
  if (authorization === undefined) return authenticateBrowser(parts, headers, use)
  const token = BEARER.exec(authorization)?.[1]
  if (token === undefined) return err(buildHttpProblem('TOKEN_INVALID'))
  if (token.startsWith(OF_AGENT)) return authenticateAgent(parts.engine, token)
  if (token.startsWith(MCP_TOKEN_PREFIX)) return authenticateMcpClient(parts, token)
  const person = parts.people.find(token)
  return person === null ? err(buildHttpProblem('TOKEN_INVALID')) : ok(person)
}

function authenticateMcpClient(
  { mcp }: Pick<AuthenticationParts, 'mcp'>,
  token: string,
): Result<Principal, Reply> {
  const agent_id = mcp?.tokens.findAgent(token) ?? null
  return agent_id === null ? err(buildHttpProblem('TOKEN_INVALID')) : ok({ kind: 'mcp', agent_id })
}

/** Whether what is presented says that it is an agent's session. */
export function isOfAgent(shown: string): boolean {
  return shown.startsWith(toCredential(OF_AGENT))
}

/** As a token is presented. */
export function toCredential(token: string): string {
  return `Bearer ${token}`
}

/** What is presented, as it came: the name under which whoever presents it is remembered. */
export function getCredential(
  { publicUrl }: Pick<AuthenticationParts, 'publicUrl'>,
  { authorization, cookie, host }: IncomingHttpHeaders,
): string | null {
  return authorization ?? readCookie(cookie, buildCookieName(SESSION, { host, publicUrl }))
}

async function authenticateBrowser(
  parts: AuthenticationParts,
  headers: IncomingHttpHeaders,
  use: Use,
): Promise<Result<Principal, Reply>> {
  const text = getCredential(parts, headers)
  if (text === null) return err(buildHttpProblem('TOKEN_MISSING'))
  const value = parseSessionCookie(text)
  if (value === null) return err(buildHttpProblem('SIGNED_OUT'))
  const { engine, people, oidc } = parts
  const issuer = oidc?.options.issuer ?? null
  return readPersonSession(engine.context, { people, issuer }, value, use)
}

async function authenticateAgent(
  engine: Engine,
  session: string,
): Promise<Result<Principal, Reply>> {
  const read = await engine.session(session)
  if (!read.ok) return err(toProblemReply(redactFailure(read.error)))
  // Whoever holds such a token shares the process; on the wire it proves nothing.
  const { agent_id, key_id, public_key } = read.value
  if (key_id === null || public_key === null) return err(toProblemReply(keyless))
  return ok({ kind: 'agent', agent_id, session, key: { key_id, public_key } })
}

/** Nothing is proven yet: whoever found a token is not told what became of its agent. */
function redactFailure({ code, summary, fix }: Failure): Failure {
  return { code, summary, ...(fix === undefined ? {} : { fix }) }
}

const keyless: Failure = {
  code: 'SESSION_INVALID',
  summary: 'the session is bound to no key',
  why: 'sessions without a key exist in process only',
  fix: 'repeat the handshake with a registered key of the agent',
}
