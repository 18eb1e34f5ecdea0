/** What an approval may leave behind: a list that the next start can be made of. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type JsonObject, ok } from 'rubicon-kernel'
import { sha256 } from 'rubicon-runtime/system'
import { startProgram } from '../upstream/program.test-support.ts'
import { approveTools } from './approve-tools.ts'
import { changeLock } from './change-lock.ts'
import { compareTools } from './compare-tools.ts'
import { formatLock, type LockedTool, parseLock, type ToolLock } from './lock-file.ts'
import { TOOL_CLASSES, type ToolClass } from './tool-class.ts'

const INPUT = { type: 'object', properties: {} }

function lock(name: string, said: LockedTool['class'] = null): ToolLock {
  return { tools: [{ server: 'fake', definition: { name, inputSchema: INPUT }, class: said }] }
}

type Listed = { readonly name: string; readonly inputSchema: JsonObject }

/** The server lists those tools now, and a person says yes to them; `names`: none means all that can be governed. */
async function approve(
  t: TestContext,
  before: ToolLock,
  listed: readonly Listed[],
  names: readonly string[] = listed.map(({ name }) => name),
  said?: ToolClass,
): Promise<ReturnType<typeof approveTools>> {
  const server = startProgram(t, { list: `answer({ tools: ${JSON.stringify(listed)} })` })
  const compared = await compareTools(new Map([['fake', server]]), before, sha256)
  const asked = { server: 'fake', tools: names, class: said }
  return approveTools(before, compared, asked, sha256)
}

test('a tool that is approved in another case than before leaves no list that cannot be read', async (t) => {
  const done = await approve(t, lock('Pay', TOOL_CLASSES.read), [
    { name: 'pay', inputSchema: INPUT },
  ])
  assert.ok(done.ok)
  const read = parseLock(JSON.parse(formatLock(done.value.lock)))
  assert.ok(read.ok, read.ok ? '' : read.error)
  assert.deepEqual(
    read.value.tools.map(({ definition, class: said }) => [definition.name, said]),
    [['pay', null]],
    'nobody has said of it what it is',
  )
})

test('a tool that has changed into one that cannot be governed is shown as refused, and the others can be approved', async (t) => {
  const ref = { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } }
  const changed = { name: 'pay', inputSchema: ref }
  const done = await approve(t, lock('pay'), [changed])
  assert.equal(done.ok ? 'approved' : done.error.code, 'MCP_TOOL_UNKNOWN')
  const all = await approve(t, lock('pay'), [changed, { name: 'look', inputSchema: INPUT }], [])
  assert.ok(all.ok, JSON.stringify(all))
  assert.deepEqual(
    all.value.approved.map(({ tool }) => tool),
    ['look'],
  )
})

test('a tool is not approved as what it was where its class speaks of arguments that it has no more', async (t) => {
  const said = { ...TOOL_CLASSES.read, scopes: { paths: '/path' } }
  const done = await approve(t, lock('pay', said), [{ name: 'pay', inputSchema: INPUT }])
  assert.equal(done.ok ? 'approved' : done.error.code, 'MCP_TOOL_UNKNOWN')
})

test('a tool that gets another class keeps the bounds of its arguments', async (t) => {
  const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
  const scopes = { paths: '/path' }
  // What excused it was said of what it was before.
  const excused = {
    reducing: true,
    touches: 'none' as const,
    accepts: { 'news.*': 'external' as const },
  }
  const [before] = lock('move', { ...TOOL_CLASSES.destroy, ...excused, scopes }).tools
  assert.ok(before !== undefined)
  const tools = [{ ...before, definition: { name: 'move', inputSchema: path } }]
  const listed = [{ name: 'move', inputSchema: path }]
  const done = await approve(t, { tools }, listed, ['move'], TOOL_CLASSES.write)
  assert.ok(done.ok, JSON.stringify(done))
  assert.deepEqual(done.value.lock.tools[0]?.class, { ...TOOL_CLASSES.write, scopes })
})

test('a list that could not be read afterwards is not written', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-lock-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'mcp.lock.json')
  const one = lock('pay')
  assert.ok((await changeLock(path, async () => ok({ lock: one, value: null }))).ok)
  const large = { type: 'object', description: 'x'.repeat(65_000) }
  const many = Array.from({ length: 300 }, (_, index) => ({
    ...{ server: 'fake', class: null },
    definition: { name: `t${index}`, inputSchema: large },
  }))
  const done = await changeLock(path, async () => ok({ lock: { tools: many }, value: null }))
  assert.equal(done.ok ? 'written' : done.error.code, 'MCP_LOCK_INVALID')
  assert.equal(readFileSync(path, 'utf8'), formatLock(one))
})
