/** Servers at an address: where calls go, and what is known when they do not. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { NotApplied } from 'rubicon-runtime/ports'
import { callPay, PAY, readNote } from './program.test-support.ts'
import { createPinnedSend } from './send-pinned.ts'
import { type FilledTexts, Upstream } from './upstream.ts'

type Answer = (response: ServerResponse, id: number) => void

type Served = {
  readonly url: string
  /** Methods of what it was sent, and the headers of the last. */
  readonly asked: string[]
  readonly heads: IncomingMessage['headers'][]
  /** From now on it does not know whom it has greeted. */
  forget(): void
  close(): void
}

const GIVEN: Readonly<Record<string, object>> = {
  'tools/list': { tools: [PAY] },
  'resources/list': { resources: [] },
  'resources/read': { contents: [{ uri: 'a:b', text: 'c' }] },
}

/** An MCP server that answers calls as it is told. */
async function serve(t: TestContext, answerCall: Answer): Promise<Served> {
  const [asked, heads]: [string[], IncomingMessage['headers'][]] = [[], []]
  let isForgotten = false
  const forget = (): void => {
    isForgotten = true
  }
  const server = createServer(async (request, response) => {
    heads.push(request.headers)
    const { id, method, params } =
      request.method === 'POST' ? JSON.parse(await text(request)) : { method: request.method }
    asked.push(method)
    if (method === 'initialize') isForgotten = false
    if (isForgotten) return void response.writeHead(404).end()
    if (id === undefined) return void response.writeHead(method === 'GET' ? 405 : 202).end()
    if (method === 'tools/call') return answerCall(response, id)
    response.writeHead(200, { 'content-type': 'application/json' })
    const greeting = {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'a', version: '1' },
    }
    const result = GIVEN[String(method)] ?? greeting
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  t.after(close)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return { url, asked, heads, forget, close }
}

function connect(t: TestContext, url: string): Upstream {
  const texts = { Authorization: 'Bearer hunter2-hunter2' }
  const config = { kind: 'address', url, headers: texts, era: 'legacy' } as const
  const readTexts = async (): Promise<FilledTexts> => ({ texts, secrets: ['hunter2-hunter2'] })
  const upstream = new Upstream('fake', config, { readTexts })
  t.after(() => upstream.close())
  return upstream
}

async function catchError(work: Promise<unknown>): Promise<Error> {
  const cause = await work.then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(cause instanceof Error, 'it was refused')
  return cause
}

test('a call that is answered with a redirect or a demand goes nowhere else, and not again', async (t) => {
  const other = await serve(t, (response) => response.end())
  const heads: readonly (readonly [number, Record<string, string>])[] = [
    [307, { location: '/other' }],
    [308, { location: other.url }],
    [302, { location: other.url }],
    [401, { 'www-authenticate': 'Bearer resource_metadata="/x"' }],
    [403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="all"' }],
    [503, { 'retry-after': '0' }],
  ]
  for (const [status, head] of heads) {
    const served = await serve(t, (response) => void response.writeHead(status, head).end())
    const cause = await catchError(callPay(connect(t, served.url)))
    assert.ok(!(cause instanceof NotApplied), `${status}: ${cause.message}`)
    assert.equal(served.asked.filter((method) => method === 'tools/call').length, 1)
  }
  assert.deepEqual(other.asked, [])
})

test('a server that cannot be connected to was not sent the call', async (t) => {
  const served = await serve(t, (response) => response.end())
  const upstream = connect(t, served.url)
  await upstream.listTools()
  served.close()
  const cause = await catchError(callPay(upstream))
  assert.ok(cause instanceof NotApplied && cause.transient, cause.message)
})

test('a server that cannot be connected to was not asked to read, and that is not called unknown', async (t) => {
  const served = await serve(t, (response) => response.end())
  const upstream = connect(t, served.url)
  assert.equal((await readNote(upstream)).status, 0)
  served.close()
  const cause = await catchError(readNote(upstream))
  assert.ok(cause instanceof NotApplied && cause.transient, cause.message)
})

test('a connection that ends in the middle of a call leaves open what became of it', async (t) => {
  const served = await serve(t, (response) => void response.destroy())
  const cause = await catchError(callPay(connect(t, served.url)))
  assert.ok(!(cause instanceof NotApplied), cause.message)
})

test('a server that says again and again that it is going to answer is not waited for', async (t) => {
  for (const [more, isWaitedFor] of [
    [0, true],
    [1, false],
  ] as const) {
    const served = await serve(t, (response, id) => {
      for (let n = 0; n < LIMITS.provisionalAnswers + more; n++) response.writeProcessing()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }))
    })
    const call = callPay(connect(t, served.url))
    if (isWaitedFor) await call
    else assert.ok(!((await catchError(call)) instanceof NotApplied), 'what became of it is open')
  }
})

test('its headers go to the server, and nothing of them comes back', async (t) => {
  const served = await serve(t, (response, id) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const result = { content: [{ type: 'text', text: 'you said hunter2-hunter2' }] }
    response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
  })
  const { result } = await callPay(connect(t, served.url))
  assert.doesNotMatch(JSON.stringify(result), /hunter2/)
  assert.match(JSON.stringify(result), /you said/)
  assert.equal(served.heads.at(-1)?.authorization, 'Bearer hunter2-hunter2')
})

test('a server at an address that was started again is greeted again', async (t) => {
  const done: Answer = (response, id) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }))
  }
  const served = await serve(t, done)
  let now = 0
  const config = { kind: 'address', url: served.url, headers: {}, era: 'legacy' } as const
  const readTexts = async (): Promise<FilledTexts> => ({ texts: {}, secrets: [] })
  const upstream = new Upstream('fake', config, { readTexts, now: () => now })
  t.after(() => upstream.close())
  assert.equal((await callPay(upstream)).status, 0)
  served.forget()
  now += 2_000
  assert.ok((await catchError(callPay(upstream))) instanceof NotApplied)
  now += 2_000
  assert.equal((await callPay(upstream)).status, 0)
  assert.equal(served.asked.filter((method) => method === 'tools/call').length, 2)
})

test('a server at an address that was started again is greeted again by whoever only reads there', async (t) => {
  const served = await serve(t, (response) => response.end())
  let now = 0
  const config = { kind: 'address', url: served.url, headers: {}, era: 'legacy' } as const
  const readTexts = async (): Promise<FilledTexts> => ({ texts: {}, secrets: [] })
  const upstream = new Upstream('fake', config, { readTexts, now: () => now })
  t.after(() => upstream.close())
  const bounds = { io: new AbortController(), timeoutMs: 5_000, markSent: () => {} }
  const read = (): Promise<object> => upstream.read('resources/read', { uri: 'a:b' }, bounds)
  const list = (): Promise<object> => upstream.listThings('resources')
  for (const ask of [read, list]) {
    await ask()
    served.forget()
    await catchError(ask())
    now += 60_000
    await ask()
  }
  assert.equal(served.asked.filter((method) => method === 'initialize').length, 3)
})

test('nothing is sent to another origin', async (t) => {
  const served = await serve(t, (response) => response.end())
  const send = createPinnedSend({ url: 'http://127.0.0.1:9/mcp' })
  assert.match((await catchError(send(served.url))).message, /not the address of this server/)
  assert.deepEqual(served.asked, [])
})

test('a name that leads to another network than it may is not connected to', async (t) => {
  const served = await serve(t, (response) => response.end())
  const { port } = new URL(served.url)
  const resolve = async (): Promise<readonly string[]> => ['127.0.0.1']
  const url = `http://mcp.example:${port}/mcp`
  const post = { method: 'POST', body: '{"method":"ping"}' }
  const refused = createPinnedSend({ url }, { resolve })
  const cause = await catchError(refused(url, post))
  assert.ok(cause instanceof NotApplied)
  assert.match(cause.message, /EGRESS_DENIED/)
  assert.deepEqual(served.asked, [])
  const allowed = createPinnedSend({ url, addresses: 'loopback' }, { resolve })
  assert.equal((await allowed(url, post)).status, 202)
})
