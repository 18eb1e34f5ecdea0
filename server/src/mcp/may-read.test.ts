import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectAgent } from 'rubicon-agents'
import type { McpLists } from '../http/schemas/mcp-lists.ts'
import { AGENT, served } from '../http/served.test-support.ts'
import { loadMayRead } from './may-read.ts'

test('an agent may read what its contract names, and one that nobody knows nothing', async (t) => {
  const { runtime } = await served(t)
  const mayRead = await loadMayRead(runtime.engine, AGENT)
  assert.deepEqual([mayRead('REFUND'), mayRead('mcp.files.resources.read')], [true, false])
  assert.equal((await loadMayRead(runtime.engine, 'nobody'))('REFUND'), false)
})

test('lists are asked for in the name of the agent whose session it is', async (t) => {
  const asked: string[] = []
  const mcpLists: McpLists = {
    async list(list, agent) {
      asked.push(`${agent} ${list}`)
      return []
    },
    awaitNotices: async () => ({ last: 0, notices: [] }),
  }
  const it = await served(t, { parts: { mcpLists } })
  const options = { url: it.server.url, agent: AGENT, key: await it.key(AGENT) }
  const agent = await connectAgent(options)
  t.after(() => agent.close())
  assert.deepEqual(await agent.mcp.list('resources'), [])
  assert.deepEqual(asked, [`${AGENT} resources`])
})
