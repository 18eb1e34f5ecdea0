import assert from 'node:assert/strict'
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { EXAMPLE, home, run } from './cli.test-support.ts'

const LAUNCHER = fileURLToPath(new URL('../../../server/bin/rubicon.js', import.meta.url))

test('the command ends with the exit codes that scripts rely on', () => {
  const explain = start(process.execPath, ['explain', 'TTL_EXPIRED', '--json'])
  assert.deepEqual([explain.status, explain.stderr], [0, ''])
  assert.equal(JSON.parse(explain.stdout).code, 'TTL_EXPIRED')
  const unknown = start(process.execPath, ['exlpain'])
  assert.deepEqual([unknown.status, unknown.stdout], [2, ''])
})

test('on an old Node the one that npm installed is used', (t) => {
  const old = oldNode()
  if (old === undefined) return t.skip('there is no older Node on this machine')
  const { status, stdout, stderr } = start(old, ['quickstart', '--json'])
  assert.deepEqual([status, stderr], [0, ''])
  assert.equal(JSON.parse(stdout).tampered.detected, true)
  assert.equal(start(old, ['verify', '/nowhere']).status, 2)
})

test('on an old Node with none beside it, it says what to do', (t) => {
  const old = oldNode()
  if (old === undefined) return t.skip('there is no older Node on this machine')
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-launcher-'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const copy = join(folder, 'bin', 'rubicon.js')
  copyFileSync(LAUNCHER, copy)
  const { status, stderr } = spawnSync(old, [copy, 'explain'], { encoding: 'utf8' })
  assert.equal(status, 2)
  assert.match(stderr, /✖ rubicon needs Node 24[\s\S]*fix/)
})

test('signals and their exit codes pass through the old Node', async (t) => {
  const old = oldNode()
  if (old === undefined) return t.skip('there is no older Node on this machine')
  const { at } = home()
  await run(['contract', 'deploy', EXAMPLE, ...at])
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 0],
  ] as const) {
    const watching = [LAUNCHER, 'flows', 'watch', ...at]
    const child: ChildProcess = spawn(old, watching, { stdio: ['ignore', 'ignore', 'pipe'] })
    const exited: Promise<unknown[]> = once(child, 'exit')
    assert.ok(child.stderr !== null)
    await once(child.stderr, 'data')
    child.kill(signal)
    assert.deepEqual(await exited, [code, null])
  }
})

function start(node: string, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(node, [LAUNCHER, ...args], { encoding: 'utf8' })
}

function oldNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
    .find((path) => {
      const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
      return Number.parseInt(stdout.slice(1), 10) < 24
    })
}
