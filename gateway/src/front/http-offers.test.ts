import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/client'
import { connectInProcess } from 'rubicon-agents'
import type { JsonObject } from 'rubicon-kernel'
import { createRuntime } from 'rubicon-runtime'
import type { ServersBehind } from '../behind/servers-behind.ts'
import { createFront } from './create-front.ts'
import { createHttpFront } from './http-front.ts'

const LEGACY: readonly JsonObject[] = [
  {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]

test('a request that is over still follows the servers behind', async (t) => {
  let following = 0
  let followed = 0
  const behind: ServersBehind = {
    list: async () => [],
    soleResourceServer: undefined,
    follow() {
      following += 1
      followed += 1
      return () => {
        following -= 1
      }
    },
  }
  const runtime = await createRuntime({ store: 'memory', report: () => {} })
  t.after(() => runtime.close())
  const agent = connectInProcess(runtime, { agent: 'desk' })
  const options = { agent, behind, tools: () => new Map(), showFlow: (dfid: string) => dfid }
  const front = createHttpFront(
    () => createFront(options),
    () => {},
  )
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  for (const message of LEGACY) {
    const init = { method: 'POST', headers, body: JSON.stringify(message) }
    const answer = await front.answer(new Request('http://127.0.0.1/mcp', init), message)
    assert.ok(answer.status === 200 || answer.status === 202, String(answer.status))
    await answer.text()
  }
  const modern: JsonObject = {
    ...{ jsonrpc: '2.0', id: 3, method: 'tools/list' },
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': LATEST_PROTOCOL_VERSION,
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      },
    },
  }
  const init = { method: 'POST', headers, body: JSON.stringify(modern) }
  await (await front.answer(new Request('http://127.0.0.1/mcp', init), modern)).text()
  for (let turn = 0; following > 0 && turn < 100; turn += 1)
    await new Promise((done) => setTimeout(done, 10))
  assert.ok(followed >= LEGACY.length, String(followed))
  assert.equal(following, 0)
  await front.close()
})
