/** The gateway between a client and its servers: what is shown, what is done, done twice, interrupted, and undone. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { isObject, type JsonObject } from 'rubicon-kernel'
import { type Home, home, run, runJson } from './cli.test-support.ts'
import { LAUNCHER, toClientEnvironment } from './mcp.test-support.ts'
import { writeFilesServer } from './mcp-files.test-support.ts'
import { startUpHere } from './up.test-support.ts'

const FILES = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
)
const TOKEN = 'ghp_abcdefghijklmnopqrstuvwxyz012345'

type Settings = Home & {
  /** Of the client. */
  readonly file: string
  readonly before: string
  readonly data: string
  readonly init: readonly string[]
}

/** `program`: the server of files; without it one that starts fast. */
function prepare(more: JsonObject = {}, program?: string): Settings {
  const { folder, at } = home()
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'note.txt'), 'hello')
  const file = join(folder, 'claude_desktop_config.json')
  const env = { GITHUB_TOKEN: TOKEN }
  const args = [program ?? writeFilesServer(folder), data]
  const servers = { 'My Files': { command: process.execPath, args, env }, ...more }
  const before = JSON.stringify({ theme: 'dark', mcpServers: servers })
  writeFileSync(file, before)
  const init = ['--from', file, '--mcp', join(folder, 'mcp.yaml'), ...at]
  return { folder, at, file, before, data, init }
}

/** As a process of its own: what it writes into the client's file is how it was started itself. */
function launch(argv: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...argv], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  assert.equal(status, 0, `${stdout}${stderr}`)
  return stdout
}

/** Every file below the folder, apart from the store. */
function readAll(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^rubicon\.db|^state\/(checkpoints|heads)/.test(name),
  )
  const files = names.sort().filter((name) => statSync(join(folder, name)).isFile())
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

test('nothing is written that nobody has asked for', async () => {
  const { folder, init } = prepare()
  const before = readAll(folder)
  const { exit, stdout } = await run(['mcp', 'init', ...init])
  assert.equal(exit, 0)
  assert.match(stdout, /mcp\.my-files\.read_text_file +read +passes/)
  assert.match(stdout, /mcp\.my-files\.write_file +write +asks/)
  assert.match(stdout, /mcp\.my-files\.move_file +destroy +off/)
  assert.match(stdout, /Nothing was written/)
  assert.doesNotMatch(stdout, /ghp_/)
  assert.deepEqual(readAll(folder), before)
})

async function connect(t: TestContext, file: string): Promise<Client> {
  const { command, args } = JSON.parse(readFileSync(file, 'utf8')).mcpServers.rubicon
  const client = new Client({ name: 'test', version: '1' })
  const env = toClientEnvironment()
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'inherit' }))
  t.after(() => client.close())
  return client
}

async function readCode(client: Client, name: string, args: JsonObject): Promise<unknown> {
  const answer = JSON.parse(JSON.stringify(await client.callTool({ name, arguments: { ...args } })))
  return isObject(answer._meta) ? (answer._meta['rubicon/code'] ?? null) : null
}

test('a client calls through the gateway after it was set up, and directly after it was ejected', async (t) => {
  const { folder, at, file, before, data, init } = prepare({}, FILES)
  const { written } = JSON.parse(launch(['mcp', 'init', '--apply', '--json', ...init]))
  const secret = join(folder, 'state', 'mcp-secrets', 'desk', 'MY_FILES_GITHUB_TOKEN')
  assert.ok(written.includes(secret))
  assert.equal(readFileSync(secret, 'utf8'), TOKEN)
  for (const name of [secret, `${file}.before-rubicon`, join(folder, 'mcp.yaml')])
    assert.equal(statSync(name).mode & 0o777, 0o600, name)
  const rewritten = readFileSync(file, 'utf8')
  assert.doesNotMatch(`${rewritten}${readFileSync(join(folder, 'mcp.yaml'), 'utf8')}`, /ghp_/)
  assert.equal(JSON.parse(rewritten).theme, 'dark')

  const { stop } = await startUpHere(t, ['--mcp', join(folder, 'mcp.yaml'), ...at])
  const client = await connect(t, file)
  const read = (path: string): Promise<unknown> =>
    readCode(client, 'my-files__read_text_file', { path })
  assert.equal(await read(join(data, 'note.txt')), null)
  assert.equal(await read('/etc/passwd'), 'RESOURCE_SCOPE')
  assert.equal(await read(`${data}/../mcp.yaml`), 'LIMIT_EXCEEDED')
  const made = { path: join(data, 'new.txt'), content: 'x' }
  assert.equal(await readCode(client, 'my-files__write_file', made), 'PENDING_APPROVAL')
  await client.close()
  await stop()

  const eject = await runJson(['mcp', 'eject', '--from', file, ...at])
  assert.deepEqual(eject.data, { file, kept: null })
  assert.equal(readFileSync(file, 'utf8'), before)
  assert.equal(existsSync(`${file}.before-rubicon`), false)
})

test('the second time changes nothing', async () => {
  const { folder, init } = prepare()
  const first = await run(['mcp', 'init', '--apply', ...init])
  assert.equal(first.exit, 0)
  assert.match(first.stderr, /in the console; `rubicon token` says where it is/)
  const before = readAll(folder)
  const again = await runJson(['mcp', 'init', '--apply', ...init])
  assert.equal(again.exit, 0)
  assert.deepEqual(again.data.written, [])
  assert.deepEqual(readAll(folder), before)
})

test('what was interrupted is finished by the next run, with the same key and nothing lost', async () => {
  const { folder, file, before, init } = prepare()
  assert.equal((await run(['mcp', 'init', '--apply', ...init])).exit, 0)
  const done = readAll(folder)
  const key = join(folder, 'state', 'agents', 'desk.pem')
  // As it is left by a run that ended at each of its steps, the last of them first.
  const steps: readonly (() => void)[] = [
    () => writeFileSync(file, before),
    () => rmSync(`${file}.before-rubicon`),
    () => renameSync(key, `${key}.unregistered`),
    () => rmSync(join(folder, 'desk.yaml')),
    () => rmSync(join(folder, 'mcp.lock.json')),
    () => rmSync(join(folder, 'mcp.yaml')),
  ]
  for (const at of steps.keys()) {
    for (const undo of steps.slice(0, at + 1)) undo()
    const { exit, stderr } = await run(['mcp', 'init', '--apply', ...init])
    assert.equal(exit, 0, `${at}: ${stderr}`)
    assert.deepEqual(readAll(folder), done)
  }
})

test('what a person has written is not replaced', async () => {
  const { folder, file, before, init } = prepare()
  for (const name of ['mcp.yaml', 'mcp.lock.json', 'desk.yaml']) {
    writeFileSync(join(folder, name), 'mine')
    const { exit, stderr } = await run(['mcp', 'init', '--apply', ...init])
    assert.notEqual(exit, 0)
    assert.match(stderr, /is of another set-up/)
    assert.equal(readFileSync(join(folder, name), 'utf8'), 'mine')
    assert.equal(readFileSync(file, 'utf8'), before)
    assert.deepEqual(Object.keys(readAll(folder)).sort(), [
      ...['claude_desktop_config.json', 'data/note.txt', 'server.cjs', name].sort(),
    ])
    rmSync(join(folder, name))
  }
})

test('a copy of other settings is not replaced', async () => {
  const { file, before, init } = prepare()
  writeFileSync(`${file}.before-rubicon`, 'the only copy')
  const { exit, stderr } = await run(['mcp', 'init', '--apply', ...init])
  assert.notEqual(exit, 0)
  assert.match(stderr, /before-rubicon is there/)
  assert.equal(readFileSync(`${file}.before-rubicon`, 'utf8'), 'the only copy')
  assert.equal(readFileSync(file, 'utf8'), before)
})

test('what somebody changed in the settings since is kept when they are put back', async () => {
  const { at, file, before, init } = prepare()
  assert.equal((await run(['mcp', 'init', '--apply', ...init])).exit, 0)
  const changed = JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), theme: 'light' })
  writeFileSync(file, changed)
  const { data } = await runJson(['mcp', 'eject', '--from', file, ...at])
  assert.equal(data.kept, `${file}.after-rubicon`)
  assert.equal(readFileSync(data.kept, 'utf8'), changed)
  assert.equal(readFileSync(file, 'utf8'), before)
  assert.notEqual((await run(['mcp', 'eject', '--from', file, ...at])).exit, 0)
  assert.equal(readFileSync(file, 'utf8'), before)
})

test('no server is left past the gateway unless somebody says so', async () => {
  const broken = { command: process.execPath, args: ['-e', 'process.exit(1)'] }
  const { file, before, init } = prepare({ broken })
  const { exit, stderr } = await run(['mcp', 'init', '--apply', ...init])
  assert.notEqual(exit, 0)
  assert.match(stderr, /`broken` cannot be taken over: it cannot be started/)
  assert.equal(readFileSync(file, 'utf8'), before)
  const { exit: done, data } = await runJson([
    ...['mcp', 'init', '--apply', '--without', 'broken'],
    ...init,
  ])
  assert.equal(done, 0)
  assert.deepEqual(data.left, [{ was: 'broken', why: 'it was left out', agreed: true }])
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual(Object.keys(mcpServers), ['broken', 'rubicon'])
  assert.deepEqual(mcpServers.broken, broken)
})

test('a server that is typed needs no client, and gets its name from its program', async () => {
  const { folder, at } = home()
  const data = join(folder, 'data')
  mkdirSync(data)
  const client = join(folder, '.mcp.json')
  const options = ['--mcp', join(folder, 'mcp.yaml'), '--client', client, ...at]
  const typed = [...options, '--', process.execPath, FILES, data]
  const { exit, stdout, stderr } = await run(['mcp', 'init', '--apply', ...typed])
  assert.equal(exit, 0, stderr)
  assert.match(stdout, /filesystem: template filesystem/)
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(client, 'utf8')).mcpServers), ['rubicon'])
  assert.match(readFileSync(join(folder, 'desk.yaml'), 'utf8'), /filesystem-folders/)
})

test('no server of files reaches the keys and the rules of the gateway', async () => {
  const { folder, at } = home()
  const typed = ['--mcp', join(folder, 'mcp.yaml'), ...at, '--', process.execPath, FILES, folder]
  const { exit, stderr } = await run(['mcp', 'init', '--apply', ...typed])
  assert.notEqual(exit, 0)
  assert.match(stderr, /which is the gateway's own/)
  assert.deepEqual(readAll(folder), {})
})

test('a set-up that is killed at any time loses nothing, and is finished by the next', async () => {
  const { folder, file, before, init } = prepare()
  for (const ms of [700, 1_100, 1_500, 1_900]) {
    const argv = [LAUNCHER, 'mcp', 'init', '--apply', ...init]
    spawnSync(process.execPath, argv, { timeout: ms, killSignal: 'SIGKILL' })
    const backup = `${file}.before-rubicon`
    const kept = readFileSync(existsSync(backup) ? backup : file, 'utf8')
    assert.equal(kept, before)
  }
  const { exit, stderr } = await run(['mcp', 'init', '--apply', ...init])
  assert.equal(exit, 0, stderr)
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers), ['rubicon'])
  const leftovers = Object.keys(readAll(folder)).filter((name) => name.endsWith('.unregistered'))
  assert.deepEqual(leftovers, [])
})
