import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { NotApplied } from '../../ports/capability.ts'
import { isShell } from './executable.ts'
import { callProgram, writeProgram } from './program.test-support.ts'

/** Its arguments, one JSON text each. */
const ECHO = `printf '['
first=1
for arg in "$@"; do
  [ $first = 1 ] || printf ','
  first=0
  printf '"%s"' "$arg"
done
printf ']'`

function isRefused(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof NotApplied, inspect(error))
    assert.equal(error.details.code, code, error.message)
    return !error.transient
  }
}

/** Nobody knows what came of it. */
function isUncertain(pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Error && !(error instanceof NotApplied), inspect(error))
    assert.match(error.message, pattern)
    return true
  }
}

test('no shell reads an argument', async () => {
  const path = writeProgram(ECHO)
  const mark = join(dirname(path), 'mark')
  const words = [
    '$(touch mark)',
    '`touch mark`',
    `; touch ${mark}`,
    `| touch ${mark}`,
    `&& touch ${mark}`,
    `> ${mark}`,
    '*',
    '~',
    '$HOME',
    'a b',
    "'",
    '{/word}',
  ]
  for (const word of words) {
    const { result } = await callProgram(path, { args: [{ param: '/word' }], params: { word } })
    assert.deepEqual(result, [word])
  }
  assert.ok(!existsSync(mark))
})

test('a parameter is no option, unless `--` stands before it', async () => {
  const path = writeProgram(ECHO)
  const args = ['-v', { param: '/name' }]
  for (const name of ['-rf', '--output=x', '-'])
    await assert.rejects(
      callProgram(path, { args, params: { name } }),
      isRefused('TEMPLATE_UNFILLED'),
    )
  const params = { name: '-rf', count: -1 }
  const after = ['-v', '--', { param: '/name' }, { param: '/count' }]
  const { result } = await callProgram(path, { args: after, params })
  assert.deepEqual(result, ['-v', '--', '-rf', '-1'])
  const given = [{ param: '/dashes' }, { param: '/name' }]
  const own = callProgram(path, { args: given, params: { ...params, dashes: '--' } })
  await assert.rejects(own, isRefused('TEMPLATE_UNFILLED'))
  for (const name of ['a\0b', null, ['a'], '\ud800'])
    await assert.rejects(
      callProgram(path, { args, params: { name } }),
      isRefused('TEMPLATE_UNFILLED'),
    )
  await assert.rejects(callProgram(path, { args }), isRefused('TEMPLATE_UNFILLED'))
})

test('it has the variables that are named, and an empty folder', async () => {
  process.env.RUBICON_SECRET_X = 'not for a program'
  const path = writeProgram(`env=$(tr '\\0' ' ' < /proc/$$/environ)
printf '{"env":"%s","cwd":"%s","files":"%s","in":%s}' "$env" "$(pwd)" "$(ls -A)" "$(cat)"`)
  const { result } = await callProgram(path, {
    executor: {
      env: { TENANT: 'acme' },
      idempotency_env: 'IDEMPOTENCY_KEY',
      stdin: { amount: { $: { param: '/amount' } } },
    },
    params: { amount: '20.00' },
  })
  delete process.env.RUBICON_SECRET_X
  const said = result as { env: string; cwd: string; files: string; in: unknown }
  assert.equal(said.env, 'TENANT=acme IDEMPOTENCY_KEY=key-1 ')
  assert.deepEqual([said.files, said.in], ['', { amount: '20.00' }])
  assert.match(said.cwd, /rubicon-tool-/)
  assert.ok(!existsSync(said.cwd), 'the folder goes with the call')
})

test('variables that load other code are refused', async () => {
  const path = writeProgram('exit 0')
  for (const name of [
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'BASH_ENV',
    'PATH',
    'PYTHONPATH',
    'a',
    'A=B',
    '',
  ])
    await assert.rejects(
      callProgram(path, { executor: { env: { [name]: 'x' } } }),
      isRefused('TEMPLATE_UNFILLED'),
    )
})

test('the exit code says what came of it, and nothing else does', async () => {
  assert.deepEqual(await callProgram(writeProgram('exit 0')), { status: 0, result: null })
  await assert.rejects(callProgram(writeProgram('echo no such order >&2; exit 3')), (error) => {
    assert.ok(error instanceof NotApplied && !error.transient)
    assert.deepEqual(error.details, { status: 3, error: 'no such order' })
    return true
  })
  await assert.rejects(
    callProgram(writeProgram('exit 4')),
    (error) => error instanceof NotApplied && error.transient,
  )
  await assert.rejects(
    callProgram(writeProgram('echo odd >&2; exit 1')),
    isUncertain(/with 1: odd/),
  )
  await assert.rejects(callProgram(writeProgram('kill -9 $$')), isUncertain(/a signal/))
  await assert.rejects(callProgram(writeProgram('echo "{]"')), isUncertain(/JSON_SYNTAX/))
  await assert.rejects(callProgram(writeProgram('echo "{} {}"')), isUncertain(/JSON_SYNTAX/))
})

test('only a listed file is started, and only as it was when it was listed', async () => {
  const path = writeProgram('echo 1')
  const other = writeProgram('echo 2')
  await assert.rejects(callProgram(path, { options: { allowed: [] } }), isRefused('COMMAND_DENIED'))
  await assert.rejects(
    callProgram(path, { options: { allowed: [{ path: other }] } }),
    isRefused('COMMAND_DENIED'),
  )
  const sha256 = hash('sha256', readFileSync(path), 'hex')
  const pinned = { options: { allowed: [{ path, sha256 }] } }
  assert.equal((await callProgram(path, pinned)).result, 1)
  writeFileSync(path, '#!/bin/sh\necho 3\n')
  await assert.rejects(callProgram(path, pinned), isRefused('COMMAND_DENIED'))

  const link = `${other}-link`
  symlinkSync(other, link)
  await assert.rejects(callProgram(link), isRefused('COMMAND_DENIED'))
  for (const mode of [0o720, 0o702, 0o4700, 0o600]) {
    chmodSync(other, mode)
    await assert.rejects(callProgram(other), isRefused('COMMAND_DENIED'), mode.toString(8))
  }
  const open = writeProgram('echo 4')
  chmodSync(dirname(open), 0o777)
  await assert.rejects(callProgram(open), isRefused('COMMAND_DENIED'))
  chmodSync(dirname(open), 0o1777)
  assert.equal((await callProgram(open)).result, 4)
  const paths = [
    'program',
    './program',
    `${dirname(path)}/../program`,
    `${path}/`,
    '/nowhere/a',
    '',
  ]
  for (const each of paths)
    await assert.rejects(callProgram(each), isRefused('COMMAND_DENIED'), each)
})

test('a shell is no tool', async () => {
  for (const path of [
    '/bin/sh',
    '/usr/bin/bash',
    '/usr/bin/env',
    '/usr/bin/dash',
    '/bin/busybox',
  ]) {
    assert.ok(isShell(path))
    await assert.rejects(callProgram(path, { args: ['-c', 'true'] }), isRefused('COMMAND_DENIED'))
  }
})

/** Whether somebody still writes into the file. */
async function isGrowing(path: string): Promise<boolean> {
  const before = existsSync(path) ? readFileSync(path).length : 0
  await sleep(300)
  return existsSync(path) && readFileSync(path).length > before
}

/** For five seconds, so that a test that fails leaves nothing behind. */
const WRITE_ON = 'for i in $(seq 100); do echo x >> "$1"; sleep 0.05; done'

test('with the deadline all of its group ends, also what does not want to', async () => {
  const path = writeProgram(`trap '' TERM
(trap '' TERM; ${WRITE_ON}) &
sleep 5`)
  for (const io of [{ signal: AbortSignal.timeout(400) }, {}]) {
    const mark = `${path}-${Object.keys(io).length}`
    const call = callProgram(path, { args: [mark], executor: { timeout_ms: 400 }, io })
    await assert.rejects(call, isUncertain(/in time/))
    assert.ok(readFileSync(mark).length > 0)
    assert.ok(!(await isGrowing(mark)))
  }
})

test('what it left behind ends with it', async () => {
  const path = writeProgram(`(${WRITE_ON}) > /dev/null 2>&1 &
sleep 0.2
echo '"done"'`)
  const mark = `${path}-mark`
  assert.equal((await callProgram(path, { args: [mark] })).result, 'done')
  assert.ok(!(await isGrowing(mark)))
})

test('a flood ends it', async () => {
  for (const to of ['', '>&2']) {
    const path = writeProgram(`while true; do printf '%01000d' 0 ${to}; done`)
    await assert.rejects(
      callProgram(path, { executor: { max_bytes: 10_000 } }),
      isUncertain(/wrote more than/),
    )
  }
})

test('a call that was given up is not started', async () => {
  const path = writeProgram('touch "$1"')
  const mark = `${path}-mark`
  const io = { signal: AbortSignal.abort() }
  await assert.rejects(
    callProgram(path, { args: [mark], io }),
    (error) => error instanceof NotApplied && error.transient,
  )
  assert.ok(!existsSync(mark))
})

test('a program that ignores its input is no failure', async () => {
  const path = writeProgram('exec <&-; echo 1')
  const stdin = { text: 'x'.repeat(200_000) }
  assert.equal((await callProgram(path, { executor: { stdin } })).result, 1)
})

test('a secret goes into its variable, and what is printed loses it', async () => {
  const canary = 'cnry-7f3a9c21'
  const source = { read: async () => canary }
  const env = { TOKEN: { secret: 'KEY', format: 'token={secret}' } }
  const print = 'printf \'{"token":"%s"}\' "$TOKEN"; echo "$TOKEN" >&2'
  for (const code of [0, 1, 3]) {
    const path = writeProgram(`${print}; exit ${code}`)
    const grant = { source, tools: ['acme.run'], hosts: [], commands: [path] }
    const call = { executor: { env }, options: { secrets: new Map([['KEY', grant]]) } }
    const said = await callProgram(path, call).catch((error: unknown) => error)
    const shown = inspect(said, { depth: null, showHidden: true })
    assert.ok(shown.includes('[redacted]') && !shown.includes('cnry'), shown)
    for (const refused of [
      { ...grant, commands: [] },
      { ...grant, tools: [] },
    ]) {
      const options = { secrets: new Map([['KEY', refused]]) }
      await assert.rejects(
        callProgram(path, { executor: { env }, options }),
        isRefused('SECRET_UNAVAILABLE'),
      )
    }
  }
})
