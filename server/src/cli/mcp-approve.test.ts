/** Approvals of tools that meet, and what stands in the place of the file that they write. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { home, run, runJson } from './cli.test-support.ts'
import { prepareMcpHome } from './mcp.test-support.ts'
import { writeFilesServer } from './mcp-files.test-support.ts'

const PROGRAM = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  const serverInfo = { name: 'fake', version: '1' }
  const { protocolVersion } = params ?? {}
  if (method === 'initialize') say({ protocolVersion, capabilities: { tools: {} }, serverInfo })
  const tools = ['a', 'b'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  if (method === 'tools/list') say({ tools })
})`

type Place = { readonly mcp: readonly string[]; readonly lock: string }

function prepare(): Place {
  const { folder } = home()
  const file = join(folder, 'mcp.yaml')
  const servers = { fake: { command: [process.execPath, '-e', PROGRAM] } }
  writeFileSync(file, JSON.stringify({ agent: 'desk', servers }))
  return { mcp: ['--mcp', file], lock: join(folder, 'mcp.lock.json') }
}

function readEffects({ lock }: Place): Readonly<Record<string, string>> {
  const { tools } = JSON.parse(readFileSync(lock, 'utf8'))
  return Object.fromEntries(
    tools.map((one: { definition: { name: string }; class: { effect: string } }) => [
      one.definition.name,
      one.class.effect,
    ]),
  )
}

test('of two approvals at once none undoes the other', async () => {
  const place = prepare()
  const approve = (tool: string, name: string): ReturnType<typeof runJson> =>
    runJson(['mcp', 'approve', 'fake', tool, '--class', name, ...place.mcp])
  assert.equal((await approve('a', 'read')).exit, 0)
  const both = await Promise.all([approve('a', 'destroy'), approve('b', 'read')])
  const done = both.map(({ exit }) => exit === 0)
  const effects = readEffects(place)
  assert.equal(effects.a, done[0] ? 'unsafe' : 'read')
  assert.equal(effects.b, done[1] ? 'read' : undefined)
  assert.ok(done.includes(true))
  assert.equal(existsSync(`${place.lock}.new`), false)
})

test('an approval writes through no link that stands in its way', async () => {
  const place = prepare()
  const other = `${place.lock}.other`
  writeFileSync(other, 'precious')
  symlinkSync(other, `${place.lock}.new`)
  const { exit, stderr } = await run(['mcp', 'approve', 'fake', 'a', ...place.mcp])
  assert.notEqual(exit, 0)
  assert.match(stderr, /somebody else approves tools/)
  assert.equal(readFileSync(other, 'utf8'), 'precious')
  rmSync(`${place.lock}.new`)
})

test('an approval that fails leaves nothing in the way of the next', async () => {
  const place = prepare()
  assert.notEqual((await run(['mcp', 'approve', 'fake', 'none', ...place.mcp])).exit, 0)
  assert.equal((await run(['mcp', 'approve', 'fake', 'a', ...place.mcp])).exit, 0)
})

test('an approval says the class that it gave, and what the contract still has to say', async () => {
  const { folder, mcp } = await prepareMcpHome()
  const approve = (tool: string, name: string): ReturnType<typeof run> =>
    run(['mcp', 'approve', 'files', tool, '--class', name, ...mcp])
  const granted = await approve('read_text_file', 'read')
  assert.match(granted.stdout, /mcp\.files\.read_text_file is read: it changes nothing/)
  assert.doesNotMatch(granted.stderr, /the contract/)
  const { stdout, stderr } = await approve('move_file', 'destroy')
  assert.match(stdout, /mcp\.files\.move_file is destroy: its changes cannot be undone/)
  assert.match(
    stderr,
    /the contract of desk does not allow it; add it to `policy_kinds`\n.*`rubicon contract deploy [^`]*desk\.yaml`/,
  )
  assert.ok(stderr.includes(join(folder, 'desk.yaml')))
})

test('an approval says that the contract forbids the tool', async () => {
  const { folder, at } = home()
  const mcp = ['--mcp', join(folder, 'mcp.yaml'), ...at]
  const program = [process.execPath, writeFilesServer(folder)]
  const typed = ['--name', 'files', '--bound', 'folders=/srv/notes', ...mcp, '--', ...program]
  assert.equal((await run(['mcp', 'init', '--apply', ...typed])).exit, 0)
  const { stderr } = await run(['mcp', 'approve', 'files', 'move_file', '--class', 'write', ...mcp])
  assert.match(
    stderr,
    /the contract of desk forbids it; move its line from `forbidden_kinds` to `policy_kinds`/,
  )
})
