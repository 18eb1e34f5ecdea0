/** What calls of a client would have needed: shown, taken by name, and never more than that. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { JsonObject } from 'rubicon-kernel'
import { type Home, home, run, runJson } from './cli.test-support.ts'
import { LAUNCHER, toClientEnvironment } from './mcp.test-support.ts'
import { writeFilesServer } from './mcp-files.test-support.ts'
import { startUpHere } from './up.test-support.ts'

type Learnt = Home & { readonly mcp: readonly string[]; readonly contract: string }

type Call = (tool: string, args: JsonObject) => Promise<string>

async function prepare(t: TestContext): Promise<Learnt & { readonly call: Call }> {
  const { folder, at } = home()
  const mcp = ['--mcp', join(folder, 'mcp.yaml'), ...at]
  const program = writeFilesServer(folder)
  const typed = ['--name', 'files', '--bound', 'folders=/srv/notes', ...mcp]
  const init = ['mcp', 'init', '--apply', ...typed, '--', process.execPath, program]
  const { exit, stderr } = await run(init)
  assert.equal(exit, 0, stderr)
  const { stop } = await startUpHere(t, mcp)
  const client = new Client({ name: 'test', version: '1' })
  const env = toClientEnvironment()
  const args = [LAUNCHER, 'mcp', ...mcp]
  const started = { command: process.execPath, args, env, stderr: 'inherit' } as const
  await client.connect(new StdioClientTransport(started))
  // In this order: a server waits for those who are connected.
  t.after(async () => {
    await client.close()
    await stop()
  })
  const call: Call = async (tool, given) => {
    const answer = await client.callTool({ name: `files__${tool}`, arguments: { ...given } })
    const meta = JSON.parse(JSON.stringify(answer))._meta ?? {}
    const code: string = meta['rubicon/code'] ?? 'ACCEPTED'
    if (code === 'PENDING_APPROVAL') await approve(at, meta['rubicon/dfid'])
    return code
  }
  return { folder, at, mcp, contract: join(folder, 'desk.yaml'), call }
}

async function approve(at: readonly string[], dfid: string): Promise<void> {
  const words = ['--by', 'ann@example.com', '--justification', 'looked at it, and it is harmless']
  const typed = [`${dfid}:1`, '--decision', 'override', '--yes', ...words, ...at]
  const { exit, data } = await runJson(['escalations', 'resolve', ...typed])
  assert.equal(exit, 0, JSON.stringify(data))
}

test('what was refused or always approved is proposed, and taken only by name', async (t) => {
  const { mcp, contract, call } = await prepare(t)
  assert.equal(await call('read_text_file', { path: '/srv/docs/a' }), 'RESOURCE_SCOPE')
  assert.equal(await call('read_text_file', { path: '/srv/docs/b' }), 'RESOURCE_SCOPE')
  assert.equal(await call('read_text_file', { path: '/etc/passwd' }), 'RESOURCE_SCOPE')
  assert.equal(await call('read_text_file', { path: '/srv/notes/../x' }), 'LIMIT_EXCEEDED')
  assert.equal(await call('move_file', { source: 'a', destination: 'b' }), 'KIND_FORBIDDEN')
  for (const _ of [1, 2, 3]) assert.equal(await call('frobnicate', {}), 'PENDING_APPROVAL')

  const before = readFileSync(contract, 'utf8')
  const { data, exit } = await runJson(['mcp', 'learn', ...mcp])
  assert.equal(exit, 0, JSON.stringify(data))
  const ids = data.needs.map(({ id }: { readonly id: string }) => id)
  const docs = 'files-folders=/srv/docs/*'
  const passes = 'mcp.files.frobnicate=passes'
  assert.deepEqual(ids.toSorted(), ['files-folders=/etc/passwd', docs, passes])
  assert.deepEqual(data.kept.map(({ code }: { readonly code: string }) => code).toSorted(), [
    'KIND_FORBIDDEN',
    'LIMIT_EXCEEDED',
  ])
  assert.equal(readFileSync(contract, 'utf8'), before)
  assert.notEqual((await run(['mcp', 'learn', '--apply', ...mcp])).exit, 0)
  assert.notEqual((await run(['mcp', 'learn', 'nothing', '--apply', ...mcp])).exit, 0)
  assert.equal(readFileSync(contract, 'utf8'), before)

  const taken = await run(['mcp', 'learn', docs, passes, '--apply', ...mcp])
  assert.equal(taken.exit, 0, taken.stderr)
  const after = readFileSync(contract, 'utf8')
  assert.match(after, /^# What the client may do/)
  assert.match(after, /version: 1\.0\.1/)
  assert.match(after, /\/srv\/docs\/\*/)
  assert.doesNotMatch(after, /passwd/)
  assert.equal(await call('read_text_file', { path: '/srv/docs/c' }), 'ACCEPTED')
  assert.equal(await call('read_text_file', { path: '/etc/passwd' }), 'RESOURCE_SCOPE')
  assert.equal(await call('frobnicate', {}), 'ACCEPTED')
  assert.equal(await call('move_file', { source: 'a', destination: 'b' }), 'KIND_FORBIDDEN')
})
