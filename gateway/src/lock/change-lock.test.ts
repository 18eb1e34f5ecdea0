import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { err, ok } from 'rubicon-kernel'
import { changeLock } from './change-lock.ts'
import { formatLock, loadLock, type ToolLock } from './lock-file.ts'

const ONE: ToolLock = {
  tools: [
    {
      server: 'desk',
      definition: { name: 'echo', inputSchema: { type: 'object' } },
      class: null,
      approved: { by: 'ann', at: '2026-01-31T12:00:00.000Z', reason: null },
    },
  ],
}

function prepare(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-lock-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'mcp.lock.json')
}

test('who agreed to a tool and why is read as it was written', async (t) => {
  const path = prepare(t)
  const done = await changeLock(path, async () => ok({ lock: ONE, value: 'done' }))
  assert.deepEqual(done, ok('done'))
  const read = await loadLock(path)
  assert.ok(read.ok)
  assert.equal(formatLock(read.value), formatLock(ONE))
})

test('a change that is refused, or a list that cannot be read, leaves everything as it is', async (t) => {
  const path = prepare(t)
  const failure = { code: 'MCP_TOOL_CHANGED', summary: 'another one' }
  assert.deepEqual(await changeLock(path, async () => err(failure)), err(failure))
  assert.deepEqual([existsSync(path), existsSync(`${path}.new`)], [false, false])
  writeFileSync(path, '{')
  const unread = await changeLock(path, async () => ok({ lock: ONE, value: null }))
  assert.equal(unread.ok ? '' : unread.error.code, 'MCP_LOCK_INVALID')
  assert.equal(existsSync(`${path}.new`), false)
})

test('a list that cannot be written is told as such', async (t) => {
  const path = join(prepare(t), 'none', 'mcp.lock.json')
  const done = await changeLock(path, async () => ok({ lock: ONE, value: null }))
  assert.equal(done.ok ? '' : done.error.code, 'MCP_LOCK_UNWRITABLE')
})
