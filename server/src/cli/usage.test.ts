import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Command } from 'commander'
import { REASON_CODES, REASONS } from 'rubicon-kernel'
import { PROBLEM_CODES } from '../http/problems/problem.ts'
import { home, run, runJson } from './cli.test-support.ts'
import { OTHER_REASONS } from './explain.ts'
import { CliFailure, reportError } from './failure.ts'
import { registerRepositoryVerb } from './repository-verb.ts'

test('an unknown verb, an unknown option and a missing argument could not run', async () => {
  for (const [argv, said] of [
    [['verfy'], 'did you mean `verify`?'],
    [['agents', 'shwo'], 'did you mean `show`?'],
    [['verify', '--truts', 'x'], 'did you mean `--trust`?'],
    [['replay'], 'missing required argument'],
    [['up', '--demo', '--proxy-hops', 'x'], 'correct `--proxy-hops`'],
    [['doctor', 'now'], 'too many arguments'],
    [['agents', 'show', 'a', '--colour'], 'see `rubicon agents show --help`'],
    [['replay', 'main', '--server', 'http://127.0.0.1:1'], '`replay` asks no server'],
  ] as const) {
    const { exit, stdout, stderr } = await run(argv)
    assert.equal(exit, 2, argv.join(' '))
    assert.equal(stdout, '')
    assert.ok(stderr.startsWith('✖ ') && stderr.includes(said), stderr)
  }
})

test('with --json an error is data', async () => {
  const { exit, data } = await runJson(['verfy'])
  assert.equal(exit, 2)
  assert.deepEqual(Object.keys(data), ['error'])
  assert.equal(data.error.fix, 'did you mean `verify`?')
})

test('no verb shows the help on stderr; --help shows it on stdout', async () => {
  const none = await run([])
  assert.deepEqual([none.exit, none.stdout], [2, ''])
  assert.match(none.stderr, /^Usage: rubicon/)
  const help = await run(['--help'])
  assert.equal(help.exit, 0)
  assert.match(help.stdout, /quickstart/)
  assert.match((await run(['agents', 'show', '--help'])).stdout, /--store <address>/)
})

test('--version is that of the package', async () => {
  assert.match((await run(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
})

test('every reason code is explained', async () => {
  for (const code of REASON_CODES) {
    const { exit, stdout } = await run(['explain', code.toLowerCase()])
    assert.equal(exit, 0)
    assert.ok(stdout.includes(REASONS[code].means) && stdout.includes(REASONS[code].fix))
  }
  const { data } = await runJson(['explain', 'LIMIT_EXCEEDED'])
  const { code, gate, gate_code, transient } = data
  assert.deepEqual([code, gate, gate_code, transient], ['LIMIT_EXCEEDED', 2, 'RBAC_DENIED', false])
  assert.equal((await runJson(['explain'])).data.length, REASON_CODES.length)
  for (const other of ['INSTANCE_FOREIGN', 'AGENT_EXISTS', 'source_claimed', 'IDENTITY_TAKEN'])
    assert.match((await run(['explain', other])).stdout, /by the engine, in no verdict/)
  assert.match((await run(['explain', 'TOKEN_INVALID'])).stdout, /http {4}401/)
  const unknown = await run(['explain', 'LIMIT_EXCEDED'])
  assert.equal(unknown.exit, 2)
  assert.match(unknown.stderr, /did you mean `LIMIT_EXCEEDED`/)
})

test('every code of a failure is explained', () => {
  const known = new Set([
    ...REASON_CODES,
    ...OTHER_REASONS.flatMap(([, reasons]) => Object.keys(reasons)),
  ])
  // A code of the disk.
  const apart = ['EEXIST']
  const cwd = join(import.meta.dirname, '../../..')
  const files = globSync(['{agents,runtime,server,verifier}/src/**/*.ts'], { cwd })
    .filter((file) => !/test|conformance|src.demo./.test(file))
    .map((file) => readFileSync(join(cwd, file), 'utf8'))
  const named = files.flatMap((text) =>
    [...text.matchAll(/\bcode(?::| =) '([A-Z_]{3,})'/g)].map(([, code = '']) => code),
  )
  assert.ok(named.length > 100)
  const unknown = [...named, ...PROBLEM_CODES].filter((code) => !known.has(code))
  assert.deepEqual([...new Set(unknown)].sort(), apart, 'explain it in runtime/src/reasons/')
})

test('finding 30g: explain does not know what the command itself says, or takes an id for a code', async () => {
  for (const code of ['STORE_LOCKED', 'STORE_MISSING', 'ID_AMBIGUOUS', ' usage ']) {
    const { exit, stdout } = await run(['explain', code])
    assert.equal(exit, 0, code)
    assert.match(stdout, /said {4}by the command, in no verdict/)
  }
  const near = await run(['explain', 'STORE_LOKED'])
  assert.deepEqual([near.exit, /did you mean `STORE_LOCKED`/.test(near.stderr)], [2, true])
  const dfid = '01a1e591-80c2-7a9b-a04a-7ef423419047'
  const flow = await run(['explain', dfid])
  assert.equal(flow.exit, 2)
  assert.match(flow.stderr, /is not a reason code/)
  assert.ok(flow.stderr.includes(`rubicon flows show ${dfid}`))
  assert.match((await run(['explain', ''])).stderr, /no reason code was given/)
})

test('finding 30g: a folder in the place of a store is an error of the disk', async () => {
  const { folder } = home()
  const { exit, stderr } = await run(['flows', '--store', `sqlite:${folder}`])
  assert.equal(exit, 2)
  assert.match(stderr, /is a folder/)
  assert.match(stderr, /fix {2}name the file/)
})

test('a store that is not there is named, and not made', async () => {
  const { at } = home()
  for (const argv of [['flows'], ['verify'], ['agents', 'retire', 'a', '--reason', 'r', '--yes']]) {
    const { exit, stderr } = await run([...argv, ...at])
    assert.equal(exit, 2)
    assert.match(stderr, /does not exist/)
  }
  const other = await run(['flows', '--store', 'mysql://x'])
  assert.match(other.stderr, /✖ `mysql:\/\/x` is not a store/)
})

test('a repository verb whose workspace is missing says so', async () => {
  await assert.rejects(registerRepositoryVerb(new Command(), 'nowhere'), (error) => {
    assert.ok(error instanceof CliFailure)
    assert.equal(error.failure.code, 'REPOSITORY_ONLY')
    assert.equal(error.exit, 2)
    return true
  })
})

test('what nobody foresaw is a bug, and says so', () => {
  let said = ''
  const streams = {
    stdout: { write: () => true },
    stderr: { write: (text: string) => (said += text) },
    stdin: process.stdin,
    env: {},
  }
  assert.equal(reportError(new TypeError('x is \u001b[31mnot'), streams, false), 1)
  assert.match(said, /^✖ this is a bug in rubicon: x is \\u\{1b\}\[31mnot\n/)
})
