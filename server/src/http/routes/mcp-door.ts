/**
 * The door for MCP clients over HTTP. What stands before every route stands before it too: `Host`, `Origin`, the token, how
 * often, and how much. Its tokens are for nothing else, and no other token opens it.
 *
 * 1. The request that the gateway sees has no credentials: none can be passed on to a server.
 * 2. An agent that must sign every proposal cannot act through a token.
 * 3. A batch counts as many requests as it has messages, and is refused whole where that is too much.
 * 4. Whose token was replaced meanwhile is told nothing more, also of a call that is under way: that goes on, and is on the record.
 */
import { findCurrentContract, isObject, type JsonValue, LIMITS, parseJson } from 'rubicon-kernel'
import { ResponseStream } from '../events/response-stream.ts'
import { buildHttpProblem, toProblemReply } from '../problems/problem.ts'
import type { McpDoor } from '../schemas/mcp-door.ts'
import type { Reply, Route, RouteRequest } from '../schemas/route.ts'
import { anything } from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { type RequestSlot, UnderWay } from '../turns/under-way.ts'

/** What the protocol says in headers. */
const PASSED_ON: readonly string[] = [
  'accept',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]
const ANSWERED: readonly string[] = ['content-type', 'mcp-protocol-version', 'mcp-session-id']
const LISTEN = 'subscriptions/listen'

export function createMcpDoorRoutes(parts: ServerParts): readonly Route[] {
  const underWay = new UnderWay(LIMITS.requestsUnderWay)
  return [
    {
      method: 'POST',
      path: '/mcp',
      operation: 'askMcp',
      summary: 'messages of the Model Context Protocol, as streamable HTTP',
      roles: ['mcp'],
      undescribed: true,
      body: 'bytes',
      reply: anything,
      streams: true,
      async handle(asked) {
        const { principal } = asked
        const { mcp } = parts
        if (mcp === undefined || principal.kind !== 'mcp') return buildHttpProblem('ROUTE_UNKNOWN')
        const refused = await findSignatureProblem(parts, principal.agent_id)
        if (refused !== null) return refused
        const parsed = parseJson(asked.bytes)
        if (!parsed.ok) return refuseUnreadable(parsed.error.code)
        const messages = Array.isArray(parsed.value) ? Math.max(1, parsed.value.length) : 1
        if (messages > LIMITS.requestsUnderWay) return refuseLongBatch()
        if (messages > 1 && !asked.charge(messages - 1)) return buildHttpProblem('RATE_LIMITED')
        const slot = underWay.enter(principal.agent_id, messages)
        if (slot === null) return buildHttpProblem('TOO_MANY_UNDER_WAY')
        return answer(parts, mcp, principal.agent_id, asked, parsed.value, slot)
      },
    },
  ]
}

async function findSignatureProblem(
  { engine }: Pick<ServerParts, 'engine'>,
  agent: string,
): Promise<Reply | null> {
  const { authorities, clock } = engine.context
  const authority = await authorities.loadLatest()
  const now = new Date(clock.now()).toISOString()
  const contract = findCurrentContract(authority, agent, now)?.contract
  if (contract?.safety_rules.requires_signature !== true) return null
  return toProblemReply({
    code: 'SIGNATURE_REQUIRED',
    summary: `the contract of \`${agent}\` asks for a signature with every proposal`,
    why: 'a token signs nothing',
    fix: 'use `rubicon mcp`, or a contract without `requires_signature`',
  })
}

/** The JSON-RPC answer to what is no message: it names no id, as none was read. */
function refuseUnreadable(code: string): Reply {
  const error = { code: -32700, message: `the message is not valid JSON: ${code}` }
  return { status: 400, body: { jsonrpc: '2.0', id: null, error } }
}

function refuseLongBatch(): Reply {
  const message = `a batch has at most ${LIMITS.requestsUnderWay} messages`
  return { status: 400, body: { jsonrpc: '2.0', id: null, error: { code: -32600, message } } }
}

async function answer(
  { publicUrl, report }: ServerParts,
  mcp: McpDoor,
  agent: string,
  asked: RouteRequest,
  body: JsonValue,
  slot: RequestSlot,
): Promise<Reply> {
  let isStreaming = false
  try {
    const origin = publicUrl?.origin ?? `http://${asked.browser.host}`
    const response = await mcp.answer(agent, buildRequest(`${origin}/mcp`, asked), body)
    const headers = pickHeaders(response.headers)
    const { status } = response
    const type = response.headers.get('content-type') ?? ''
    const { ended } = asked
    if (response.body === null || !type.startsWith('text/event-stream')) {
      const said = new Uint8Array(await response.arrayBuffer())
      return (await ended()) ?? { status, headers, body: said }
    }
    const endless = listMethods(body).includes(LISTEN)
    isStreaming = true
    const stream = new ResponseStream(response.body, { endless, ended, onOver: () => slot.leave() })
    return { status, headers, body: {}, stream }
  } catch (error) {
    report(`rubicon: a request of an MCP client failed: ${String(error)}`)
    return buildHttpProblem('BUG')
  } finally {
    if (!isStreaming) slot.leave()
  }
}

function buildRequest(url: string, { header, bytes }: RouteRequest): Request {
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const name of PASSED_ON) {
    const value = header(name)
    if (value !== undefined) headers.set(name, value)
  }
  return new Request(url, { method: 'POST', headers, body: Buffer.from(bytes) })
}

function pickHeaders(given: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ANSWERED.flatMap((name) => {
      const value = given.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

function listMethods(body: JsonValue): readonly JsonValue[] {
  const messages: readonly JsonValue[] = Array.isArray(body) ? body : [body]
  return messages.flatMap((one) => (isObject(one) && one.method !== undefined ? [one.method] : []))
}
