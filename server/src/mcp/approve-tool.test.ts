/** Tools of several servers, of which one does not answer. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { compareTools, type Gateway, openGateway, parseMcpConfig, TOOL_CLASSES } from 'rubicon-mcp'
import { nodeCrypto } from 'rubicon-verifier'
import { approveInLock } from './approve-tool.ts'

const { sha256 } = nodeCrypto

const QUICK = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  const serverInfo = { name: 'quick', version: '1' }
  const { protocolVersion } = params ?? {}
  if (method === 'initialize') say({ protocolVersion, capabilities: { tools: {} }, serverInfo })
  if (method === 'tools/list') say({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] })
})`

/** It reads, and says nothing. */
const SILENT = 'process.stdin.resume()'

function openBoth(t: TestContext): Gateway {
  const toServer = (program: string): { readonly command: readonly string[] } => ({
    command: [process.execPath, '-e', program],
  })
  const servers = { quick: toServer(QUICK), silent: toServer(SILENT) }
  const config = parseMcpConfig({ agent: 'desk', servers })
  assert.ok(config.ok)
  const gateway = openGateway(config.value, { tools: [] }, sha256)
  assert.ok(gateway.ok)
  t.after(() => gateway.value.close())
  return gateway.value
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value | 'too late'> {
  const { promise, resolve } = Promise.withResolvers<'too late'>()
  const timer = setTimeout(() => resolve('too late'), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

test('an approval does not wait for a server that it is not about', async (t) => {
  const gateway = openBoth(t)
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-approve-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const lockFile = join(folder, 'mcp.lock.json')
  const note = { by: 'ann', at: '2026-01-31T12:00:00.000Z', reason: null }
  const asked = { server: 'quick', tools: ['a'], class: TOOL_CLASSES.read, note }
  const done = await within(4_000, approveInLock({ gateway, lockFile, sha256 }, asked))
  assert.ok(done !== 'too late', 'it waits for the other one')
  assert.ok(done.ok, JSON.stringify(done))
  const nobody = await approveInLock({ gateway, lockFile, sha256 }, { ...asked, server: 'none' })
  assert.equal(nobody.ok ? 'approved' : nobody.error.code, 'MCP_TOOL_UNKNOWN')
})

test('whoever looks at tools does not wait for a server that says nothing', async (t) => {
  const { servers } = openBoth(t)
  const definition = { name: 'b', inputSchema: { type: 'object' } }
  const lock = { tools: [{ server: 'silent', definition, class: null }] }
  const shown = await within(4_000, compareTools(servers, lock, sha256, { waitMs: 1_000 }))
  assert.ok(shown !== 'too late', 'it waits for the silent one')
  assert.deepEqual(
    shown.map(({ server, tool, state }) => [server, tool, state]),
    [
      ['quick', 'a', 'new'],
      ['silent', 'b', 'unknown'],
    ],
  )
})
