import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Data, EXAMPLE, home, run, runJson } from './cli.test-support.ts'

const LAUNCHER = fileURLToPath(new URL('../../bin/rubicon.js', import.meta.url))
/** Of no process: the kernel gives none so high. */
const GONE_PID = 2 ** 22 - 3

function findCheck(data: Data, name: string): Data {
  return data.checks.find((one: Data) => one.name === name)
}

test('the doctor says what it would repair, repairs it when asked, and says so', async (t) => {
  const { folder } = home()
  const [store, state] = [join(folder, '.rubicon', 'rubicon.db'), join(folder, 'state')]
  const files = join(folder, 'files')
  const at = ['--store', `sqlite:${store}`, '--state', state, '--artifacts', files]
  assert.equal(spawnSync('git', ['init', '-q', folder]).status, 0)
  writeFileSync(join(folder, '.gitignore'), 'node_modules/')
  mkdirSync(join(folder, '.rubicon'))
  assert.equal((await run(['contract', 'deploy', EXAMPLE, ...at.slice(0, 4)])).exit, 0)
  const key = join(state, 'keys', 'operator.pem')
  chmodSync(key, 0o644)
  const [old, fresh] = ['old', 'fresh'].map((name) =>
    join(folder, '.rubicon', `${name}.archive.1.rubicon-partial`),
  )
  assert.ok(old !== undefined && fresh !== undefined)
  writeFileSync(old, 'half')
  utimesSync(old, 1_700_000_000, 1_700_000_000)
  writeFileSync(fresh, 'half')
  const live = await leaveAnnouncements(state, store)
  t.after(() => live.close())

  const before = await runJson(['doctor', ...at])
  assert.equal(before.exit, 4)
  assert.deepEqual(before.data.fixed, [])
  for (const name of ['rights', 'artifacts', 'sockets', 'drafts', 'gitignore'])
    assert.match(findCheck(before.data, name).repair, /\w/, name)
  assert.match((await run(['doctor', ...at])).stdout, /--fix would take the rights of others from/)
  assert.equal(statSync(key).mode & 0o777, 0o644, 'nothing is done unasked')

  // Elsewhere than in the repository, whose console would be built.
  const fixed = spawnSync(process.execPath, [LAUNCHER, 'doctor', '--fix', '--json', ...at], {
    cwd: folder,
    encoding: 'utf8',
  })
  const data: Data = JSON.parse(fixed.stdout)
  assert.deepEqual(
    data.fixed.map(({ name, done }: Data) => [name, done]),
    [
      ['rights', true],
      ['artifacts', true],
      ['sockets', true],
      ['drafts', true],
      ['gitignore', true],
    ],
  )
  assert.equal(statSync(key).mode & 0o777, 0o600)
  assert.equal(existsSync(files), true)
  assert.deepEqual(readdirSync(join(state, 'run')).sort(), ['live.json', 'live.sock'])
  assert.deepEqual([existsSync(old), existsSync(fresh)], [false, true])
  assert.equal(readFileSync(join(folder, '.gitignore'), 'utf8'), 'node_modules/\n.rubicon/\n')
  assert.equal(findCheck(data, 'rights').status, 'ok')
  for (const name of ['sockets', 'drafts', 'gitignore'])
    assert.equal(findCheck(data, name), undefined, name)
  assert.equal((await run(['verify', ...at.slice(0, 4)])).exit, 0)
})

/** One of a process that is gone, and one at which somebody listens. */
async function leaveAnnouncements(
  state: string,
  store: string,
): Promise<ReturnType<typeof createServer>> {
  const folder = join(state, 'run')
  mkdirSync(folder, { mode: 0o700 })
  const said = { store, tenant: 'default', url: '', host: hostname(), started_at: '2026-01-01' }
  for (const name of ['gone', 'live']) {
    const socket = join(folder, `${name}.sock`)
    const text = JSON.stringify({ ...said, socket, pid: GONE_PID })
    writeFileSync(join(folder, `${name}.json`), text, { mode: 0o600 })
  }
  const server = createServer()
  await new Promise<void>((done) => server.listen(join(folder, 'live.sock'), done))
  return server
}
