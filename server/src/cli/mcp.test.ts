/** The gateway as an MCP client meets it: a process that it starts, in front of a real server of files. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { isObject, type JsonObject } from 'rubicon-kernel'
import { listAnnouncements } from '../local-socket/announcement.ts'
import { getSocketUser } from '../local-socket/socket-path.ts'
import { run, runJson } from './cli.test-support.ts'
import { LAUNCHER, type McpHome, prepareMcpHome, toClientEnvironment } from './mcp.test-support.ts'
import { startUpHere } from './up.test-support.ts'

async function connect(
  t: TestContext,
  { mcp }: McpHome,
  mode: 'auto' | 'legacy' = 'legacy',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [LAUNCHER, 'mcp', ...mcp],
      env: toClientEnvironment(),
      stderr: 'inherit',
    }),
  )
  t.after(() => client.close())
  return client
}

async function call(client: Client, name: string, args: JsonObject): Promise<JsonObject> {
  const result = await client.callTool({ name, arguments: { ...args } })
  return JSON.parse(JSON.stringify(result))
}

function readMeta({ _meta: meta }: JsonObject, name: string): string {
  const value = isObject(meta) ? meta[name] : undefined
  return typeof value === 'string' ? value : ''
}

test('a client reads through the gateway, and what it writes waits for a person', async (t) => {
  const place = await prepareMcpHome()
  const { said, stop } = await startUpHere(t, place.mcp)
  const client = await connect(t, place)
  const path = join(place.data, 'note.txt')
  const read = await call(client, 'files__read_text_file', { path })
  assert.deepEqual(read.content, [{ type: 'text', text: 'hello' }])

  const written = join(place.data, 'new.txt')
  const asked = await call(client, 'files__write_file', { path: written, content: 'made' })
  assert.equal(readMeta(asked, 'rubicon/code'), 'PENDING_APPROVAL')
  assert.equal(existsSync(written), false)

  const dfid = readMeta(asked, 'rubicon/dfid')
  const link = `${said.url}/inbox/${dfid}:1`
  assert.ok(JSON.stringify(asked.content).includes(link), JSON.stringify(asked.content))
  const words = ['--by', 'ann@example.com', '--justification', 'the desk needs it, as agreed']
  const typed = [`${dfid}:1`, '--decision', 'override', '--yes', ...words]
  const { exit, data } = await runJson(['escalations', 'resolve', ...typed, ...place.at])
  assert.equal(exit, 0, JSON.stringify(data))
  const told = await call(client, 'rubicon_result', { dfid })
  assert.equal(told.isError, undefined, JSON.stringify(told))
  assert.equal(readFileSync(written, 'utf8'), 'made')
  await client.close()
  await stop()
})

test('a tool that answers with an error is no plain success for whoever reads its flow', async (t) => {
  const place = await prepareMcpHome()
  const { stop } = await startUpHere(t, place.mcp)
  const client = await connect(t, place)
  const path = join(place.data, 'absent.txt')
  const read = await call(client, 'files__read_text_file', { path })
  assert.equal(read.isError, true)
  const shown = await run(['flows', 'show', readMeta(read, 'rubicon/dfid'), ...place.at])
  assert.match(shown.stdout, /commit +SUCCESS, but the tool answered with an error /)
  assert.match(shown.stdout, /effect .* SUCCESS after 1 sends, but the tool answered with an error/)
  await client.close()
  await stop()
})

test('a server that describes a tool differently than it was approved is not called', async (t) => {
  const place = await prepareMcpHome()
  const file = join(place.folder, 'mcp.lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  for (const tool of lock.tools) tool.definition.description = 'Reads a file.'
  writeFileSync(file, JSON.stringify(lock))
  const { stop } = await startUpHere(t, place.mcp)
  const client = await connect(t, place, 'auto')
  const path = join(place.data, 'note.txt')
  const answer = await call(client, 'files__read_text_file', { path })
  assert.match(JSON.stringify(answer.content), /TOOL_DRIFT/)
  const { data } = await runJson(['mcp', 'tools', ...place.mcp])
  const states = new Set(data.tools.map(({ state }: { readonly state: string }) => state))
  assert.deepEqual(states, new Set(['changed', 'new']))
  await client.close()
  await stop()
})

test('where no server runs, the first client starts one and the next uses it', async (t) => {
  const place = await prepareMcpHome()
  const path = join(place.data, 'note.txt')
  t.after(() => stopServers(place))
  for (const client of [await connect(t, place), await connect(t, place)]) {
    const read = await call(client, 'files__read_text_file', { path })
    assert.deepEqual(read.content, [{ type: 'text', text: 'hello' }])
    await client.close()
  }
  assert.equal(listServers(place).length, 1)
})

/** Until they have ended: what they write as they do would outlive the folder of this test. */
async function stopServers(place: McpHome): Promise<void> {
  for (const pid of listServers(place)) {
    process.kill(pid, 'SIGTERM')
    while (isRunning(pid)) await new Promise((done) => setTimeout(done, 50))
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function listServers({ folder }: McpHome): readonly number[] {
  const user = getSocketUser()
  assert.ok(user !== null)
  return listAnnouncements(join(folder, 'state'), user).map(({ pid }) => pid)
}
