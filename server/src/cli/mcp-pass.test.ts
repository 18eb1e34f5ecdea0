/** What passes between a client's process and a server behind, in both eras of the protocol. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { home, run } from './cli.test-support.ts'
import { LAUNCHER, toClientEnvironment } from './mcp.test-support.ts'
import { startUpHere } from './up.test-support.ts'

/** Says how far it is, waits until it is let go, and describes its tool differently when it is told to. */
const PROGRAM = `
const fs = require('node:fs')
const folder = process.cwd()
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const at = (name) => folder + '/' + name
let isChanged = false
setInterval(() => {
  if (isChanged !== fs.existsSync(at('changed'))) {
    isChanged = !isChanged
    say({ method: 'notifications/tools/list_changed' })
  }
}, 50).unref()
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = (result) => say({ id, result })
  if (method === 'initialize')
    return answer({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: { listChanged: true }, resources: {} },
      serverInfo: { name: 'fake', version: '1' },
    })
  const description = isChanged ? 'Pays everybody.' : 'Pays.'
  if (method === 'tools/list')
    return answer({ tools: [{ name: 'pay', description, inputSchema: { type: 'object' } }] })
  if (method === 'resources/list') return answer({ resources: [{ uri: 'note:a', name: 'a' }] })
  if (method === 'resources/read')
    return answer({ contents: [{ uri: params.uri, text: 'hello' }] })
  if (method === 'tools/call') {
    const { progressToken } = params._meta
    const tell = (progress) => say({ method: 'notifications/progress', params: { progressToken, progress } })
    tell(1)
    setTimeout(() => tell(2), 150)
    return setTimeout(() => answer({ content: [{ type: 'text', text: 'paid' }] }), 400)
  }
})`

const CONTRACT = {
  ...{ api_version: 'rubicon/v1', kind: 'ResponsibilityContract' },
  ...{ agent_id: 'desk', version: '1.0.0', owner: 'jane.doe@example.com' },
  ...{ effective_from: '2025-01-01', role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' },
  mission: 'Keep the notes of a desk.',
  permissions: {
    policy_kinds: ['mcp.fake.pay', 'mcp.fake.resources.read'],
    resources: { uris: { allow: ['note:*'], applies_to: ['mcp.fake.resources.read'] } },
  },
}

async function succeed(argv: readonly string[]): Promise<void> {
  const { exit, stdout, stderr } = await run(argv)
  assert.equal(exit, 0, `${argv.join(' ')}: ${stdout}${stderr}`)
}

test('resources, progress and changes of lists reach clients of both eras, also after the runtime was started anew', async (t) => {
  const { folder, at } = home()
  const mcp = ['--mcp', join(folder, 'mcp.yaml'), ...at]
  const command = [process.execPath, '-e', PROGRAM]
  const servers = { fake: { command, cwd: folder, resources: true } }
  writeFileSync(join(folder, 'mcp.yaml'), JSON.stringify({ agent: 'desk', servers }))
  await succeed(['mcp', 'approve', 'fake', 'pay', '--class', 'read', ...mcp])
  writeFileSync(join(folder, 'desk.yaml'), JSON.stringify(CONTRACT))
  await succeed(['contract', 'deploy', join(folder, 'desk.yaml'), ...at])
  mkdirSync(join(folder, 'state', 'agents'), { recursive: true })
  const key = join(folder, 'state', 'agents', 'desk.pem')
  await succeed([
    'keys',
    'register',
    '--purpose',
    'agent',
    '--subject',
    'desk',
    '--out',
    key,
    ...at,
  ])
  const first = await startUpHere(t, mcp)

  const told = new Set<Client>()
  const connect = async (mode: 'legacy' | { readonly pin: string }): Promise<Client> => {
    const onChanged = (): void => void told.add(client)
    const listChanged = { tools: { autoRefresh: false, onChanged } }
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode }, listChanged },
    )
    const env = toClientEnvironment()
    const args = [LAUNCHER, 'mcp', ...mcp]
    const transport = { command: process.execPath, args, env, stderr: 'inherit' } as const
    await client.connect(new StdioClientTransport(transport))
    t.after(() => client.close())
    return client
  }
  const clients = await Promise.all([connect('legacy'), connect({ pin: '2026-07-28' })])
  for (const client of clients) {
    assert.equal((await client.listTools()).tools.length, 2)
    assert.equal((await client.listResources()).resources[0]?.uri, 'mcp.fake+note:a')
    const { contents } = await client.readResource({ uri: 'mcp.fake+note:a' })
    assert.match(JSON.stringify(contents), /hello/)
    const reached: number[] = []
    const onprogress = ({ progress }: { readonly progress: number }): void =>
      void reached.push(progress)
    const paid = await client.callTool({ name: 'fake__pay' }, { onprogress })
    assert.equal(paid.isError, undefined, JSON.stringify(paid))
    assert.deepEqual(reached, [1, 2])
  }
  await first.stop()
  const { stop } = await startUpHere(t, mcp)
  for (const client of clients) {
    const paid = await client.callTool({ name: 'fake__pay' })
    assert.equal(paid.isError, undefined, JSON.stringify(paid))
  }
  told.clear()
  writeFileSync(join(folder, 'changed'), '')
  for (let waited = 0; told.size < 2; waited += 50) {
    assert.ok(waited < 10_000, `${told.size} of two clients were told`)
    await new Promise((done) => setTimeout(done, 50))
  }
  for (const client of clients) {
    const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' })
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['rubicon_result'],
    )
    await client.close()
  }
  assert.ok(existsSync(join(folder, 'changed')))
  await stop()
})
