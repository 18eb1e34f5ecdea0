import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { fetchBounded } from './fetch-bounded.ts'
import { toJson } from './to-json.ts'
import { Upstream } from './upstream.ts'

const PIECE = 'x'.repeat(1_048_576)

/** Answers with a piece as often as is said. */
async function serve(t: TestContext, type: string, piece: string, times: number): Promise<string> {
  const server = createServer(async (_, response) => {
    response.writeHead(200, { 'content-type': type })
    for (let sent = 0; sent < times && !response.destroyed; sent += 1)
      if (!response.write(piece))
        await Promise.race([once(response, 'drain'), once(response, 'close')])
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

async function read(url: string): Promise<number> {
  return (await (await fetchBounded(url)).text()).length
}

test('an answer without end is not read to its end, as JSON or as one event', async (t) => {
  for (const type of ['application/json', 'text/event-stream'])
    await assert.rejects(read(await serve(t, type, `${PIECE}\n`, 30)), type)
})

test('many events together may be longer than one message', async (t) => {
  const url = await serve(t, 'text/event-stream', `data: ${PIECE}\r\n\r\n`, 15)
  assert.ok((await read(url)) > 15 * PIECE.length)
  assert.equal(await read(await serve(t, 'application/json', PIECE, 2)), 2 * PIECE.length)
})

/** What a server at an address answers, each as JSON. */
function answerMessage({ method, params }: { method?: string; params?: JsonObject }): JsonValue {
  const content = [{ type: 'text', text: 'paid' }]
  if (method === 'tools/list') return { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] }
  if (method === 'tools/call') return { content }
  const protocolVersion = params?.protocolVersion ?? ''
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } }
}

test('a server at an address is connected, listed and called', async (t) => {
  const server = createServer(async (request, response) => {
    const message = request.method === 'POST' ? JSON.parse(await text(request)) : {}
    if (message.id === undefined)
      return void response.writeHead(request.method === 'POST' ? 202 : 405).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answerMessage(message) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const config = { kind: 'address', url, headers: {}, era: 'legacy' } as const
  const upstream = new Upstream('far', config, {
    readTexts: async () => ({ texts: {}, secrets: [] }),
  })
  t.after(async () => {
    await upstream.close()
    server.closeAllConnections()
    server.close()
  })
  assert.deepEqual([...(await upstream.listTools()).definitions.keys()], ['pay'])
  const bounds = { io: new AbortController(), timeoutMs: 5_000, markSent: () => {} }
  const said = await upstream.callTool('pay', {}, bounds)
  assert.deepEqual(toJson(said)?.content, [{ type: 'text', text: 'paid' }].map(toJson))
})
