/** The routes of the gateway, over a gateway that says what it was asked. What is behind it has tests of its own. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { hashText, LIMITS, ok } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { createPeople, type KnownPerson } from '../../people/people.ts'
import type { McpApproval, McpDoor } from '../schemas/mcp-door.ts'
import { AGENT, freshKey, post, problemOf, type Served, served } from '../served.test-support.ts'

const TOKEN = 'rbm_of-the-test'

type Answer = McpDoor['answer']

function createDoor(given: Partial<McpDoor>): McpDoor {
  const approved = { kind: 'mcp.desk.echo', was: 'changed', effect: 'read', lock: 'lock' } as const
  return {
    tokens: { findAgent: (token) => (token === TOKEN ? AGENT : null), listAgents: () => [AGENT] },
    file: 'mcp.yaml',
    agent: AGENT,
    listServers: () => [],
    listTools: async () => ok([]),
    approve: async ({ mayWrite }) => {
      await mayWrite()
      return ok({ ...approved, in_use: 'after the next start' })
    },
    answer: async () => Response.json({}),
    ...given,
  }
}

function serveDoor(t: TestContext, answer: Answer): Promise<Served> {
  return served(t, { parts: { mcp: createDoor({ answer }) } })
}

function ask({ server }: Served, method = 'ping', signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      cookie: 'rubicon-session-1=secret',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      'x-api-key': 'secret',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** One that ends when it is told to. */
function createStream(): {
  readonly response: () => Response
  readonly write: (text: string) => void
  readonly end: () => void
  readonly cancelled: Promise<void>
} {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>()
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
    cancel: () => resolve(),
  })
  const headers = { 'content-type': 'text/event-stream' }
  return {
    response: () => new Response(body, { headers }),
    write: (text) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => {
      controller?.close()
      controller = null
    },
    cancelled,
  }
}

test('credentials of an MCP client reach the gateway, and could be passed on', async (t) => {
  const seen: Request[] = []
  const it = await serveDoor(t, async (agent, request, body) => {
    seen.push(request)
    return Response.json({ agent, body })
  })
  const answer = await ask(it)
  assert.deepEqual(await answer.json(), {
    agent: AGENT,
    body: { jsonrpc: '2.0', id: 1, method: 'ping' },
  })
  const [request] = seen
  assert.deepEqual([...(request?.headers.keys() ?? [])].sort(), [
    'accept',
    'content-type',
    'mcp-protocol-version',
  ])
})

test('an answer that is on its way is cut off by a server that stops', async (t) => {
  const stream = createStream()
  const it = await serveDoor(t, async () => stream.response())
  const answer = await ask(it, 'tools/call')
  stream.write('data: 1\n\n')
  const closed = it.close()
  stream.write('data: 2\n\n')
  stream.end()
  assert.equal(await answer.text(), 'data: 1\n\ndata: 2\n\n')
  await closed
})

test('a client that listens keeps a server from stopping', async (t) => {
  const stream = createStream()
  const it = await serveDoor(t, async () => stream.response())
  const answer = await ask(it, 'subscriptions/listen')
  stream.write('data: 1\n\n')
  await it.close()
  assert.ok((await answer.text()).length <= 'data: 1\n\n'.length)
  await stream.cancelled
})

test('an answer is told to whom, by then, no token lets in', async (t) => {
  let isValid = true
  const findAgent = (token: string): string | null => (isValid && token === TOKEN ? AGENT : null)
  const tokens = { findAgent, listAgents: () => [AGENT] }
  const stream = createStream()
  const answer: Answer = async (_, __, body) => {
    if (JSON.stringify(body).includes('tools/call')) return stream.response()
    isValid = false
    return Response.json({ told: 'secret' })
  }
  const it = await served(t, { parts: { mcp: createDoor({ answer, tokens }) } })
  const streamed = await ask(it, 'tools/call')
  assert.equal(streamed.status, 200)
  const plain = await ask(it, 'tools/list')
  assert.equal(plain.status, 401)
  assert.doesNotMatch(await plain.text(), /secret/)
  stream.write('data: secret\n\n')
  stream.end()
  assert.doesNotMatch(await streamed.text(), /secret/)
})

test('a client that has hung up leaves its answer being made, or its place taken', async (t) => {
  const streams: ReturnType<typeof createStream>[] = []
  const it = await serveDoor(t, async () => {
    const stream = createStream()
    streams.push(stream)
    return stream.response()
  })
  const gone = new AbortController()
  const asked = Array.from({ length: LIMITS.requestsUnderWay }, () =>
    ask(it, 'tools/call', gone.signal),
  )
  for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200)
  const more = await ask(it, 'tools/call')
  assert.equal(more.status, 429)
  assert.equal(((await more.json()) as { code: string }).code, 'TOO_MANY_UNDER_WAY')
  gone.abort()
  await Promise.all(streams.map(({ cancelled }) => cancelled))
  const next = await ask(it, 'tools/call')
  assert.equal(next.status, 200)
  streams.at(-1)?.end()
  await next.text()
})

type BatchSent = { readonly status: number; readonly text: string }

async function sendBatch({ server }: Served, count: number): Promise<BatchSent> {
  const messages = Array.from({ length: count }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'ping',
  }))
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(messages),
    signal: AbortSignal.timeout(5_000),
  })
  return { status: answer.status, text: await answer.text() }
}

test('a batch is one request where it is counted, whatever number of messages it has', async (t) => {
  let heard = 0
  const answer: Answer = async (_, __, body) => {
    heard += Array.isArray(body) ? body.length : 1
    return Response.json({})
  }
  const rate = { perSecond: 0, atOnce: 12 }
  const it = await served(t, { parts: { mcp: createDoor({ answer }), rate } })
  assert.equal((await sendBatch(it, 10)).status, 200)
  const more = await sendBatch(it, 3)
  assert.deepEqual([more.status, JSON.parse(more.text).code], [429, 'RATE_LIMITED'])
  assert.equal(heard, 10, 'what is too much is not begun')
})

test('a batch takes one place among the requests under way, or is of any length', async (t) => {
  const streams: ReturnType<typeof createStream>[] = []
  // Before the server is closed, which waits for them.
  t.after(() => {
    for (const stream of streams) stream.end()
  })
  const it = await serveDoor(t, async () => {
    const stream = createStream()
    streams.push(stream)
    return stream.response()
  })
  const long = await sendBatch(it, LIMITS.requestsUnderWay + 1)
  assert.equal(long.status, 400)
  assert.match(long.text, /at most 64 messages/)
  assert.equal(streams.length, 0)
  const held = sendBatch(it, LIMITS.requestsUnderWay - 1)
  while (streams.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const refused = await sendBatch(it, 2)
  assert.deepEqual([refused.status, JSON.parse(refused.text).code], [429, 'TOO_MANY_UNDER_WAY'])
  streams[0]?.end()
  assert.equal((await held).status, 200)
  const next = sendBatch(it, LIMITS.requestsUnderWay)
  while (streams.length === 1) await new Promise((resolve) => setTimeout(resolve, 5))
  streams[1]?.end()
  assert.equal((await next).status, 200)
})

test('a large call waits behind another one that a server behind takes long for', async (t) => {
  const slow = Promise.withResolvers<Response>()
  t.after(() => slow.resolve(Response.json({})))
  const begun: string[] = []
  const it = await serveDoor(t, async (_, __, body) => {
    const { method } = body as { readonly method: string }
    begun.push(method)
    return method === 'slow' ? slow.promise : Response.json({})
  })
  const params = { text: 'x'.repeat(LIMITS.largeRequestBytes) }
  const first = askLarge(it, 'slow', params)
  while (begun.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal((await askLarge(it, 'quick', params)).status, 200)
  slow.resolve(Response.json({}))
  assert.equal((await first).status, 200)
})

function askLarge({ server }: Served, method: string, params: object): Promise<Response> {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(3_000),
  })
}

const PATH = '/v1/mcp/tools/desk/echo/approve'
const YES = { pin: `sha256:${'0'.repeat(64)}`, reason: 'it was read' }

test('a tool is approved by whoever may not, without a reason, or after the role was taken away', async (t) => {
  const known = new Map<string, KnownPerson>()
  const add = (name: string, role: KnownPerson['roles'][number]): string => {
    const token = `token-of-${name}-${'x'.repeat(32)}`
    known.set(name, { name, roles: [role], token_hash: hashText(token, nodeCrypto.sha256) })
    return token
  }
  const written: string[] = []
  const approve = async (asked: McpApproval): ReturnType<McpDoor['approve']> => {
    if (asked.reason === 'slow') add('ann', 'auditor')
    if (await asked.mayWrite()) written.push(asked.by)
    return createDoor({}).approve({ ...asked, mayWrite: async () => true })
  }
  const people = createPeople(() => [...known.values()], nodeCrypto.sha256)
  const it = await served(t, { parts: { people, mcp: createDoor({ approve }) } })
  const { url } = it.server
  const ann = { url, token: add('ann', 'operator') }
  const joe = { url, token: add('joe', 'auditor') }
  const send = async (place: typeof ann, body: object): ReturnType<typeof post> =>
    post(place, PATH, { body, headers: freshKey() })
  assert.deepEqual(problemOf(await send(joe, YES)), [403, 'ROLE_MISSING'])
  const blank = await send(ann, { ...YES, reason: '\u200b ' })
  assert.deepEqual(problemOf(blank), [422, 'JUSTIFICATION_REQUIRED'])
  assert.equal((await send(ann, YES)).status, 200)
  assert.deepEqual(problemOf(await send(ann, { ...YES, reason: 'slow' })), [403, 'ROLE_MISSING'])
  assert.deepEqual(written, ['ann'])
})
