import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { type ProcessRequest, runProcess } from './run-process.ts'

const REQUEST: ProcessRequest = {
  path: '/bin/sh',
  args: [],
  env: {},
  cwd: '/',
  stdin: '',
  deadlineMs: 5_000,
  outputBytes: 10_000,
  errorBytes: 10_000,
  signal: null,
}

test('what is no program was not started', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'text'), 'no program', { mode: 0o600 })
  const ends = await Promise.all([
    runProcess({ ...REQUEST, path: '/nowhere' }),
    runProcess({ ...REQUEST, path: join(folder, 'text') }),
    runProcess({ ...REQUEST, cwd: join(folder, 'none') }),
    runProcess({ ...REQUEST, signal: AbortSignal.abort() }),
  ])
  assert.deepEqual(
    ends.map((end) => (end.kind === 'not-started' ? end.problem : end.kind)),
    ['ENOENT', 'EACCES', 'ENOENT', 'ABORTED'],
  )
})

test('output that somebody outside of the group holds open is not taken for whole', async (t) => {
  const args = ['-c', 'echo begun; setsid sleep 3 & sleep 0.2; exit 0']
  const began = performance.now()
  const ended = await runProcess({ ...REQUEST, args, env: { PATH: '/usr/bin:/bin' } })
  t.diagnostic(`${performance.now() - began} ms`)
  assert.deepEqual(ended, { kind: 'ended', why: 'its output was held open after it ended' })
})

test('a descriptor that this process was given does not go on to a program', () => {
  const path = join(temporaryFolder(), 'private')
  writeFileSync(path, 'canary')
  const descriptor = openSync(path, 'r')
  const module = JSON.stringify(join(import.meta.dirname, 'run-process.ts'))
  const request = JSON.stringify({ ...REQUEST, args: ['-c', '/bin/cat /proc/self/fd/40'] })
  const code = `import(${module}).then(async ({ runProcess }) => {
    console.log(JSON.stringify(await runProcess(${request})))
  })`
  // More than sixteen above the last one that is open: there Node no longer looks.
  const stdio = Array.from({ length: 41 }, (_, index) => {
    if (index < 3) return 'pipe' as const
    return index === 40 ? descriptor : ('ignore' as const)
  })
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', code], { stdio })
  assert.ok(!stdout.toString().includes('canary'.slice(1)), String(stdout))
  const { output } = JSON.parse(stdout.toString()) as { output: { data: readonly number[] } }
  assert.equal(Buffer.from(output.data).toString(), '', String(stderr))
})
