/** The front for requests over HTTP, each with a server of its own, and what it tells clients that listen. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ServersBehind } from '../behind/servers-behind.ts'
import type { NoticeHandler } from '../notices/server-notices.ts'
import { createFront } from './create-front.ts'
import { openFront, waitUntil } from './front.test-support.ts'
import { createHttpFront } from './http-front.ts'

test('a client that listens over HTTP is told of changes, and no request leaves a follower behind', async (t) => {
  const { agent } = await openFront(t, { servers: {}, permissions: { policy_kinds: ['a.b'] } })
  const followers = new Set<NoticeHandler>()
  const behind: ServersBehind = {
    soleResourceServer: undefined,
    list: async (list) => (list === 'resources' ? [{ uri: 'mcp.a+b:c', name: 'c' }] : []),
    follow(handler) {
      followers.add(handler)
      return () => void followers.delete(handler)
    },
  }
  const options = { agent, tools: () => new Map(), behind, showFlow: () => '', isLasting: false }
  const front = createHttpFront(() => createFront(options), assert.ifError)
  t.after(() => front.close())
  const told = new Set<string>()
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      listChanged: {
        tools: { autoRefresh: false, onChanged: () => void told.add('tools') },
        resources: { autoRefresh: false, onChanged: () => void told.add('resources') },
        prompts: { autoRefresh: false, onChanged: () => void told.add('prompts') },
      },
    },
  )
  const answer = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init)
    const body = request.method === 'POST' ? await request.clone().json() : undefined
    return front.answer(request, body)
  }
  const place = new URL('http://localhost/mcp')
  await client.connect(new StreamableHTTPClientTransport(place, { fetch: answer }))
  t.after(() => client.close())
  assert.equal((await client.listResources()).resources[0]?.uri, 'mcp.a+b:c')
  for (const list of ['prompts', 'resources', 'tools'] as const) front.tellChanged(list)
  await waitUntil(() => told.size === 3)
  assert.equal(followers.size, 0)
})
