/**
 * From a request that was let in to its handler: identifiers, query, body, key; each read strictly. Whoever
 * changes something is judged again first: its body may have come late, or have waited for its turn.
 */
import type { FastifyRequest } from 'fastify'
import {
  encodeHex,
  err,
  hashText,
  isDfid,
  isIdentifier,
  type JsonValue,
  ok,
  parseJson,
  type Result,
} from 'rubicon-kernel'
import { isUnsafe } from '../../people/csrf.ts'
import { createUnknownSpeakerFailure, isNobodys } from '../../people/person-asking.ts'
import { getPrincipalName, type Principal } from '../../people/principal.ts'
import { computeContentDigest } from '../agent-auth/agent-proof.ts'
import { buildHttpProblem, toProblemReply } from '../problems/problem.ts'
import { refuseSchemaMismatch } from '../problems/schema-problem.ts'
import type { PreparedRoute } from '../schemas/prepare-route.ts'
import type { ClaimUnits, Reply, Route, RouteRequest } from '../schemas/route.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Handle } from '../turns/handle-request.ts'
import { performUnderClaim, replyOnce } from './idempotency.ts'
import type { AdmittedRequest } from './incoming-request.ts'
import { judgeAgain } from './still-asking.ts'

const NOTHING = new Uint8Array(0)

export async function readRequest(
  parts: ServerParts,
  prepared: PreparedRoute,
  { principal: admitted, digest, charge, came }: AdmittedRequest & Pick<RouteRequest, 'came'>,
  request: FastifyRequest,
  isGone: () => boolean,
): Promise<Result<Handle, Reply>> {
  const { route } = prepared
  const judge = (): Promise<Result<Principal, Reply>> =>
    judgeAgain(parts, route, admitted, request.headers)
  const judged = isUnsafe(route.method) ? await judge() : ok(admitted)
  if (!judged.ok) return judged
  const principal = judged.value
  const bytes = getBodyBytes(request)
  if (digest !== undefined && digest !== computeContentDigest(bytes)) return err(refuseOtherBody())
  const params = parseTexts(request.params)
  const strange = Object.values(params).find((value) => !isNamed(value))
  if (strange !== undefined) return err(refuseIdentifier(strange))
  const query = parseTexts(request.query)
  const oddities = prepared.checkQuery(query)
  if (oddities.length > 0) return err(refuseSchemaMismatch('query', oddities))
  const body = parseBody(prepared, bytes)
  if (!body.ok) return body
  const asked: RouteRequest = {
    principal,
    params,
    query,
    body: body.value,
    bytes,
    browser: { host: request.headers.host, cookie: request.headers.cookie },
    came,
    header: (name) => getText(request.headers[name]),
    wantsEvents: isForEvents(request),
    ...parseLastEventId(request),
    ended: async () => getProblem(await judge()),
    charge,
    isGone,
  }
  if (await isNobodys(parts.engine, route, principal))
    return err(toProblemReply(createUnknownSpeakerFailure(principal)))
  const handle = async (): Promise<Reply> => route.handle(asked)
  // Whoever asks in the process that does the work hears the answer: there is none to keep.
  if (route.once === undefined || parts.local === 'process') return ok(handle)
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !isIdentifier(key))
    return err(buildHttpProblem('IDEMPOTENCY_KEY_MISSING'))
  const { store, sha256 } = parts.engine.context
  const reply = {
    group: getPrincipalName(principal),
    key: hashText(`${route.method} ${formatRoutePath(route, params)} ${key}`, sha256),
    body_hash: encodeHex(sha256(bytes)),
    ...(route.once === 'erases' ? { erases: true } : findNamedFlow(params)),
  }
  if (route.once !== 'claims') return ok(() => replyOnce(store, reply, handle))
  const act = async (claim: ClaimUnits): Promise<Reply> => route.handle({ ...asked, claim })
  const replay = async (dfid: string): Promise<Reply> =>
    route.replay?.(asked, dfid) ?? buildHttpProblem('IDEMPOTENCY_IN_FLIGHT')
  return ok(() => performUnderClaim(store, reply, act, replay))
}

/** Without the query, and in one spelling: how long somebody waits, or how it is escaped, makes no other request. */
function formatRoutePath({ path }: Pick<Route, 'path'>, params: RouteRequest['params']): string {
  const parts = path.split('/')
  return parts.map((part) => (part.startsWith(':') ? params[part.slice(1)] : part)).join('/')
}

/** Of a request or an effect the name begins with that of its flow. */
function findNamedFlow({ dfid, id = '' }: RouteRequest['params']): { readonly about?: string } {
  const [named = ''] = (dfid ?? id).split(':')
  return isDfid(named) ? { about: named } : {}
}

function getProblem(judged: Result<Principal, Reply>): Reply | null {
  return judged.ok ? null : judged.error
}

export function getBodyBytes({ body }: Pick<FastifyRequest, 'body'>): Uint8Array {
  return body instanceof Uint8Array ? body : NOTHING
}

/** Names in a path: identifiers, or two of them joined by a colon. */
function isNamed(value: string): boolean {
  const colon = value.indexOf(':')
  if (isIdentifier(value)) return true
  return colon > 0 && isIdentifier(value.slice(0, colon)) && isIdentifier(value.slice(colon + 1))
}

function parseBody(
  { route, checkBody }: PreparedRoute,
  bytes: Uint8Array,
): Result<JsonValue, Reply> {
  if (route.body === undefined || route.body === 'bytes') return ok({})
  const parsed = parseJson(bytes)
  if (!parsed.ok) {
    const { code, at, detail } = parsed.error
    return err(toProblemReply({ code, summary: detail, meta: { at } }))
  }
  const problems = checkBody(parsed.value)
  return problems.length === 0 ? ok(parsed.value) : err(refuseSchemaMismatch('body', problems))
}

function refuseOtherBody(): Reply {
  return buildHttpProblem('PROOF_INVALID', 'the body is not the one that was signed')
}

function refuseIdentifier(value: string): Reply {
  return toProblemReply({ code: 'ID_CHARSET', summary: `\`${value}\` is not a valid identifier` })
}

/** The first that they name; a list of weights is none that we read. */
function isForEvents({ headers }: FastifyRequest): boolean {
  return /^text\/event-stream\b/i.test(headers.accept ?? '')
}

function getText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function parseLastEventId({ headers }: FastifyRequest): { readonly lastEventId?: string } {
  const id = headers['last-event-id']
  return typeof id === 'string' ? { lastEventId: id } : {}
}

/** What the router found in an address: texts by name. One that stands twice is a list, and no text. */
function parseTexts(found: unknown): Readonly<Record<string, string>> {
  return { ...(found as Readonly<Record<string, string>>) }
}
