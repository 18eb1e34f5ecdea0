/** What a start makes of tools that somebody approved while no server ran, and of a list that somebody else has written. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Data, run, runJson } from './cli.test-support.ts'
import { prepareMcpHome } from './mcp.test-support.ts'
import { startUpHere } from './up.test-support.ts'

test('a tool is used after the next start by whoever approved it, and by nobody who only wrote the list', async (t) => {
  const { mcp, folder } = await prepareMcpHome()
  const approve = async (tool: string): Promise<void> => {
    const { exit, stderr } = await run(['mcp', 'approve', 'files', tool, '--class', 'read', ...mcp])
    assert.equal(exit, 0, stderr)
  }
  const isRefused = (line: string): boolean => line.includes('RULES_NOT_IN_FORCE')
  const first = await startUpHere(t, mcp)
  await approve('list_directory')
  await first.stop()
  await approve('get_file_info')
  const second = await startUpHere(t, mcp)
  const { data } = await runJson(['mcp', 'tools', ...mcp])
  for (const name of ['list_directory', 'get_file_info']) {
    const tool = data.tools.find((one: Data) => one.tool === name)
    assert.deepEqual([tool.state, tool.in_use], ['agreed', true], name)
  }
  assert.equal(second.noted.filter(isRefused).length, 0)
  await second.stop()

  // A server behind that may write here has made its tool harmless.
  const file = join(folder, 'mcp.lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const written = lock.tools.find(({ definition }: Data) => definition.name === 'write_file')
  written.class = { effect: 'read', reversible: true, risk: 'low' }
  writeFileSync(file, JSON.stringify(lock))
  const last = await startUpHere(t, mcp)
  assert.ok(last.noted.some(isRefused))
  await last.stop()
})
