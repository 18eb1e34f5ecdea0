/** Several tenants of a server share the servers behind its gateway, and agents of each may have the same names. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connectInProcess } from 'rubicon-agents'
import { createRuntime } from 'rubicon-runtime'
import type { Capability } from 'rubicon-runtime/ports'
import { sha256 } from 'rubicon-runtime/system'
import { openGateway, parseMcpConfig } from '../index.ts'
import type { ServerNotice } from '../notices/server-notice.ts'
import { READ } from './front.test-support.ts'

const PROGRAM = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
setTimeout(() => process.exit(1), 20000).unref()
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize')
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'a', version: '1' } } })
  if (method === 'tools/list') say({ id, result: { tools: [{ name: 'look', inputSchema: { type: 'object' } }] } })
  if (method !== 'tools/call') return
  say({ method: 'notifications/message', params: { level: 'error', data: 'about this call' } })
  const { progressToken } = params._meta
  say({ method: 'notifications/progress', params: { progressToken, progress: 1, message: 'half of it' } })
  setTimeout(() => say({ id, result: { content: [] } }), 50)
})`

const LOOK = { name: 'look', inputSchema: { type: 'object' } }

async function callIn(
  t: TestContext,
  tenant: string,
  capabilities: readonly Capability[],
): Promise<void> {
  const runtime = await createRuntime({ store: 'memory', tenant, capabilities, report: () => {} })
  t.after(() => runtime.close())
  await runtime.deploy({
    ...{ api_version: 'rubicon/v1', kind: 'ResponsibilityContract' },
    ...{ agent_id: 'desk', version: '1.0.0', owner: 'jane.doe@example.com' },
    ...{ effective_from: '2025-01-01', role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' },
    mission: 'Answer customers.',
    permissions: { policy_kinds: ['mcp.files.look'] },
  })
  const agent = connectInProcess(runtime, { agent: 'desk' })
  const act = { trigger: 'mcp', policy_kind: 'mcp.files.look', params: {} }
  const answer = await agent.act(act)
  assert.ok('execution' in answer)
  assert.equal(answer.execution?.status, 'SUCCESS')
}

test('what a server says of a call is not told to the agent of the same name in another tenant', async (t) => {
  const command = [process.execPath, '-e', PROGRAM]
  const config = parseMcpConfig({ agent: 'desk', servers: { files: { command } } })
  assert.ok(config.ok)
  const lock = { tools: [{ server: 'files', definition: LOOK, class: READ }] }
  const opened = openGateway(config.value, lock, sha256)
  assert.ok(opened.ok)
  const gateway = opened.value
  t.after(() => gateway.close())
  const { capabilities } = gateway
  const told: ServerNotice[] = []
  gateway.behind.follow((notice) => told.push(notice))
  const listKinds = (): readonly string[] =>
    told.flatMap((one) => ('agent' in one && one.agent === 'desk' ? [one.kind] : [])).toSorted()
  await callIn(t, 'globex', gateway.toBeside(capabilities))
  assert.deepEqual(listKinds(), [])
  await callIn(t, 'acme', capabilities)
  assert.deepEqual(listKinds(), ['log', 'progress'])
  const asked = { agent: 'desk', after: 0, waitMs: 0, isGone: () => false }
  const { notices } = await gateway.awaitNotices(asked)
  assert.equal(notices.filter(({ kind }) => kind !== 'changed').length, 2)
})
