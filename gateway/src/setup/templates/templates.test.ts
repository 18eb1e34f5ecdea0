/** Contracts of templates against calls, through the gateway and the kernel: what lies outside is refused. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { connectInProcess } from 'rubicon-agents'
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import { createRuntime } from 'rubicon-runtime'
import { sha256 } from 'rubicon-runtime/system'
import { parseMcpConfig } from '../../config/mcp-file.ts'
import { createFront } from '../../front/create-front.ts'
import { openGateway } from '../../open-gateway.ts'
import { type Bounds, buildContract } from '../build-contract.ts'
import { inspectServer } from '../inspect-server.ts'
import { SERVER_TEMPLATES } from './find-template.ts'

/** A server that offers the tools it is given, and answers every call alike. */
const PROGRAM = `
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
const tools = JSON.parse(process.argv[1])
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const serverInfo = { name: 'fake', version: '1' }
  if (method === 'initialize')
    say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo })
  if (method === 'tools/list') say(id, { tools })
  if (method === 'tools/call') say(id, { content: [{ type: 'text', text: 'done' }] })
})`

type ArgumentTypes = Readonly<Record<string, 'array' | 'string'>>

function define(name: string, types: ArgumentTypes): JsonObject {
  const toSchema = (type: string): JsonValue =>
    type === 'array' ? { type, items: { type: 'string' } } : { type }
  const properties = Object.entries(types).map(([one, type]) => [one, toSchema(type)])
  const inputSchema = { type: 'object', properties: Object.fromEntries(properties) }
  return { name, inputSchema: { ...inputSchema, required: Object.keys(types) } }
}

type Tools = Readonly<Record<string, ArgumentTypes>>

type Ask = (tool: string, args: JsonObject) => Promise<string>

/** A gateway in front of a server with these tools, under the contract that is proposed for it. */
async function start(
  t: TestContext,
  tools: Tools,
  bounds: Bounds,
  change = (contract: JsonObject): JsonObject => contract,
): Promise<Ask> {
  const listed = Object.entries(tools).map(([name, types]) => define(name, types))
  const entry = { command: [process.execPath, '-e', PROGRAM, JSON.stringify(listed)] }
  const taken = { was: 's', name: 's', entry, secrets: new Map(), exposed: [] }
  const inspected = await inspectServer(taken, { bounds, withSinks: false, sha256 })
  assert.ok(inspected.ok, JSON.stringify(inspected))
  const contract = buildContract([inspected.value], {
    ...{ agent: 'desk', owner: 'ann', effectiveFrom: '2025-01-01', selfApproval: true },
  })
  const config = parseMcpConfig({ agent: 'desk', servers: { s: entry } })
  assert.ok(config.ok)
  const locked = inspected.value.tools.map((one) => ({ ...one, class: one.class }))
  const gateway = openGateway(config.value, { tools: locked }, sha256)
  assert.ok(gateway.ok, JSON.stringify(gateway))
  const { capabilities, tools: shown } = gateway.value
  const runtime = await createRuntime({ store: 'memory', capabilities, report: () => {} })
  await runtime.deploy(change(contract))
  const client = new Client({ name: 'test', version: '1' })
  const front = createFront({
    agent: connectInProcess(runtime, { agent: 'desk' }),
    ...{ tools: () => shown, waitMs: 50, showFlow: (dfid: string) => dfid },
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await front.connect(ours)
  await client.connect(theirs)
  t.after(async () => {
    await client.close()
    await runtime.close()
    await gateway.value.close()
  })
  return async (tool, args) => {
    const { _meta: meta } = await client.callTool({ name: `s__${tool}`, arguments: { ...args } })
    const code = isObject(meta as JsonObject) ? (meta as JsonObject)['rubicon/code'] : undefined
    return typeof code === 'string' ? code : 'ACCEPTED'
  }
}

test('a path that leaves its folder is refused, however it is written', async (t) => {
  const path = { path: 'string' } as const
  const tools: Tools = {
    read_text_file: path,
    directory_tree: path,
    write_file: { ...path, content: 'string' },
    read_multiple_files: { paths: 'array' },
    move_file: { source: 'string', destination: 'string' },
  } as const
  const ask = await start(t, tools, { folders: ['/srv/notes'] })
  const read = (path: string): Promise<string> => ask('read_text_file', { path })
  assert.equal(await read('/srv/notes/a.txt'), 'ACCEPTED')
  assert.equal(await read('/srv/notes'), 'ACCEPTED')
  assert.equal(await read('/srv/notes/a..b/..c'), 'ACCEPTED')
  for (const path of ['/etc/passwd', '/srv/notes-of-others/a', 'a.txt', '', '/srv', '~/a'])
    assert.equal(await read(path), 'RESOURCE_SCOPE', path)
  for (const path of [
    '/srv/notes/../../etc/passwd',
    '/srv/notes/..',
    '/srv/notes/a/../b',
    '/srv/notes/a\n/../../../etc/passwd',
    '/srv/notes/a\\..\\..\\b',
  ])
    assert.equal(await read(path), 'LIMIT_EXCEEDED', path)
  const all = (paths: readonly string[]): Promise<string> => ask('read_multiple_files', { paths })
  assert.equal(await all(['/srv/notes/a', '/srv/notes/b']), 'ACCEPTED')
  assert.equal(await all(['/srv/notes/a', '/etc/passwd']), 'RESOURCE_SCOPE')
  assert.equal(await all(['/srv/notes/a', '/srv/notes/../b']), 'LIMIT_EXCEEDED')
  assert.equal(await all(Array(65).fill('/srv/notes/a')), 'LIMIT_EXCEEDED')
  const write = { path: '/srv/notes/b', content: 'x' }
  assert.equal(await ask('write_file', write), 'PENDING_APPROVAL')
  assert.equal(await ask('write_file', { ...write, path: '/etc/b' }), 'RESOURCE_SCOPE')
  const moved = { source: '/srv/notes/a', destination: '/srv/notes/b' }
  assert.equal(await ask('move_file', moved), 'KIND_FORBIDDEN')
})

/** As a person does it in the file: one line moves. */
function turnOn(kind: string, contract: JsonObject): JsonObject {
  const { permissions } = contract
  assert.ok(isObject(permissions ?? null))
  const { policy_kinds, forbidden_kinds } = permissions as Record<string, JsonValue[]>
  assert.deepEqual(forbidden_kinds, [kind])
  const moved = { policy_kinds: [...(policy_kinds ?? []), kind], forbidden_kinds: [] }
  return { ...contract, permissions: { ...(permissions as JsonObject), ...moved } }
}

test('a tool that is turned on keeps to the folders and asks, and its neighbours keep to them as before', async (t) => {
  const path = { path: 'string' } as const
  const both = { source: 'string', destination: 'string' } as const
  const tools: Tools = { directory_tree: path, list_directory: path, move_file: both }
  const ask = await start(t, tools, { folders: ['/srv/notes'] }, (contract) =>
    turnOn('mcp.s.move_file', contract),
  )
  const move = (source: string, destination: string): Promise<string> =>
    ask('move_file', { source, destination })
  assert.equal(await move('/srv/notes/a', '/srv/notes/b'), 'PENDING_APPROVAL')
  assert.equal(await move('/srv/notes/a', '/etc/b'), 'RESOURCE_SCOPE')
  assert.equal(await move('/etc/a', '/srv/notes/b'), 'RESOURCE_SCOPE')
  assert.equal(await move('/srv/notes/../a', '/srv/notes/b'), 'LIMIT_EXCEEDED')
  assert.equal(await move('/srv/notes/a', '/srv/notes/../b'), 'LIMIT_EXCEEDED')
  assert.equal(await ask('list_directory', { path: '/srv/notes/a' }), 'ACCEPTED')
  assert.equal(await ask('list_directory', { path: '/etc' }), 'RESOURCE_SCOPE')
})

test('an address at another host is refused', async (t) => {
  const ask = await start(t, { fetch: { url: 'string' } }, { hosts: ['example.com'] })
  const fetch = (url: string): Promise<string> => ask('fetch', { url })
  assert.equal(await fetch('https://example.com/a?b=c'), 'ACCEPTED')
  for (const url of [
    'https://evil.example/',
    'https://example.com.evil.example/',
    'https://example.com@evil.example/',
    'https://example.com:8443/',
    'https://example.com\\@evil.example/',
    'http://example.com/',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
  ])
    assert.equal(await fetch(url), 'RESOURCE_SCOPE', url)
})

test('an address asks where nobody has said which hosts', async (t) => {
  const ask = await start(t, { fetch: { url: 'string' } }, {})
  assert.equal(await ask('fetch', { url: 'https://example.com/' }), 'PENDING_APPROVAL')
})

test('a branch that others build from, another owner and another repository are refused', async (t) => {
  const of = { owner: 'string', repo: 'string' } as const
  const tools = {
    get_issue: { ...of, number: 'string' },
    push_files: { ...of, branch: 'string', files: 'array' },
    merge_pull_request: of,
  } as const
  const bounds = { owners: ['acme'], repositories: ['shop'], branches: ['agent/*', 'main'] }
  const ask = await start(t, tools, bounds)
  const issue = { owner: 'acme', repo: 'shop', number: '1' }
  assert.equal(await ask('get_issue', issue), 'ACCEPTED')
  assert.equal(await ask('get_issue', { ...issue, owner: 'other' }), 'RESOURCE_SCOPE')
  assert.equal(await ask('get_issue', { ...issue, repo: 'payroll' }), 'RESOURCE_SCOPE')
  const push = { owner: 'acme', repo: 'shop', branch: 'agent/a', files: ['a'] }
  assert.equal(await ask('push_files', push), 'PENDING_APPROVAL')
  assert.equal(await ask('push_files', { ...push, branch: 'feature' }), 'RESOURCE_SCOPE')
  assert.equal(await ask('push_files', { ...push, branch: 'main' }), 'LIMIT_EXCEEDED')
  assert.equal(await ask('merge_pull_request', { owner: 'acme', repo: 'shop' }), 'KIND_FORBIDDEN')
})

test('what is read in a repository is not a way into another one', async (t) => {
  const of = { owner: 'string', repo: 'string' } as const
  const tools = {
    get_pull_request: of,
    get_file_contents: { ...of, path: 'string' },
    get_commit: { ...of, sha: 'string' },
    create_or_update_file: { ...of, path: 'string', branch: 'string' },
  } as const
  const bounds = { owners: ['acme'], repositories: ['shop'], branches: ['agent/*'] }
  const ask = await start(t, tools, bounds)
  const shop = { owner: 'acme', repo: 'shop' }
  const read = (path: string): Promise<string> => ask('get_file_contents', { ...shop, path })
  for (const path of ['src/a b.ts', '', 'a.b/.c', 'a%20b'])
    assert.equal(await read(path), 'ACCEPTED', path)
  for (const path of [
    '../../../other/payroll/contents/keys.txt',
    'a/%2e%2E/%2e./.%2e/%2E%2e/other/payroll/contents/keys.txt',
    '..\\..\\..\\other\\payroll\\contents\\keys.txt',
    '.\t./.\n./.\r./other/payroll/contents/keys.txt',
  ]) {
    // As the client of a server makes an address of it.
    const made = new URL(`https://example.com/repos/acme/shop/contents/${path}`)
    assert.ok(!made.pathname.startsWith('/repos/acme/shop/'), made.href)
    assert.equal(await read(path), 'LIMIT_EXCEEDED', path)
    assert.equal(await ask('get_commit', { ...shop, sha: path }), 'LIMIT_EXCEEDED', path)
    const file = { ...shop, path, branch: 'agent/a' }
    assert.equal(await ask('create_or_update_file', file), 'LIMIT_EXCEEDED', path)
  }
})

test('a commit in another repository and a shared branch are refused', async (t) => {
  const repo_path = 'string'
  const tools = {
    git_status: { repo_path },
    git_checkout: { repo_path, branch_name: 'string' },
    git_reset: { repo_path },
  } as const
  const ask = await start(t, tools, { repositories: ['/srv/shop'] })
  assert.equal(await ask('git_status', { repo_path: '/srv/shop' }), 'ACCEPTED')
  assert.equal(await ask('git_status', { repo_path: '/srv/payroll' }), 'RESOURCE_SCOPE')
  const branch = { repo_path: '/srv/shop', branch_name: 'agent' }
  assert.equal(await ask('git_checkout', branch), 'PENDING_APPROVAL')
  for (const branch_name of ['main', 'refs/heads/main', 'release-2'])
    assert.equal(await ask('git_checkout', { ...branch, branch_name }), 'LIMIT_EXCEEDED')
  assert.equal(await ask('git_reset', { repo_path: '/srv/shop' }), 'KIND_FORBIDDEN')
})

test('what a program would take for an option is not what a call names', async (t) => {
  const repo_path = 'string'
  const tools = {
    git_status: { repo_path },
    git_diff: { repo_path, target: 'string' },
    git_show: { repo_path, revision: 'string' },
    git_checkout: { repo_path, branch_name: 'string' },
  } as const
  const ask = await start(t, tools, { repositories: ['/srv/shop'] })
  const at = { repo_path: '/srv/shop' }
  assert.equal(await ask('git_diff', { ...at, target: 'HEAD~1' }), 'ACCEPTED')
  for (const word of ['--output=/srv/shop/.git/hooks/pre-commit', '-O/etc/passwd', '-']) {
    assert.equal(await ask('git_diff', { ...at, target: word }), 'LIMIT_EXCEEDED', word)
    assert.equal(await ask('git_show', { ...at, revision: word }), 'LIMIT_EXCEEDED', word)
    assert.equal(await ask('git_checkout', { ...at, branch_name: word }), 'LIMIT_EXCEEDED', word)
  }
})

test('another table is refused, and a statement that nobody can bound asks', async (t) => {
  const table_name = 'string'
  const tools: Tools = {
    list_tables: {},
    describe_table: { table_name },
    read_query: { query: 'string' },
    write_query: { query: 'string' },
  } as const
  const ask = await start(t, tools, { tables: ['orders'] })
  assert.equal(await ask('list_tables', {}), 'ACCEPTED')
  assert.equal(await ask('describe_table', { table_name: 'orders' }), 'ACCEPTED')
  assert.equal(await ask('describe_table', { table_name: 'salaries' }), 'RESOURCE_SCOPE')
  assert.equal(await ask('read_query', { query: 'SELECT 1' }), 'PENDING_APPROVAL')
  assert.equal(await ask('write_query', { query: 'DROP TABLE orders' }), 'KIND_FORBIDDEN')
})

test('a memory is read freely, written with a yes and never wiped', async (t) => {
  const tools = {
    read_graph: {},
    create_entities: { entities: 'array' },
    delete_entities: { entityNames: 'array' },
  } as const
  const ask = await start(t, tools, {})
  assert.equal(await ask('read_graph', {}), 'ACCEPTED')
  assert.equal(await ask('create_entities', { entities: ['a'] }), 'PENDING_APPROVAL')
  const many = Array(65).fill('a')
  assert.equal(await ask('create_entities', { entities: many }), 'LIMIT_EXCEEDED')
  assert.equal(await ask('delete_entities', { entityNames: ['a'] }), 'KIND_FORBIDDEN')
})

test('every template is known by tools that it has', () => {
  for (const { name, knownBy, tools } of SERVER_TEMPLATES)
    for (const tool of knownBy) assert.ok(Object.hasOwn(tools, tool), `${name} ${tool}`)
})
