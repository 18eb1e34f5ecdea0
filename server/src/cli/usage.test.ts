import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Command } from 'commander'
import { REASON_CODES, REASONS } from 'rubicon-kernel'
import { PROBLEM_CODES } from '../http/problems/problem.ts'
import { home, run, runJson } from './cli.test-support.ts'
import { getDevPlace } from './dev/dev-place.ts'
import { OTHER_REASONS } from './explain.ts'
import { CliFailure, reportError } from './failure.ts'
import { registerRepositoryVerb } from './repository-verb.ts'
import { EXAMPLES } from './verb-examples.ts'
import { findSection } from './verb-sections.ts'
import { listOptions } from './verb-spec.ts'
import { VERBS } from './verbs.ts'

test('an unknown verb, an unknown option and a missing argument could not run', async () => {
  for (const [argv, said] of [
    [['verfy'], 'did you mean `verify`?'],
    [['agents', 'shwo'], 'did you mean `show`?'],
    [['verify', '--truts', 'x'], 'did you mean `--trust`?'],
    [['check', 'contract.yaml'], '`policy check`, `contract check` or `tool check`?'],
    [['contract', 'refunds-bot.yaml'], 'see `rubicon contract --help`'],
    [['mcp', 'inti'], 'unknown command `inti`\n  fix  did you mean `init`?'],
    [['mcp', 'nothing'], 'see `rubicon mcp --help`'],
    [['version'], 'did you mean `rubicon --version`?'],
    [['nothing'], 'see `rubicon --help`'],
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

test('the help has every verb once, in a section', async () => {
  const { stdout } = await run(['--help'])
  const words = new Set(VERBS.map(({ verb }) => verb.split(' ')[0] ?? ''))
  for (const word of words) {
    assert.notEqual(findSection(word), undefined, `add \`${word}\` to verb-sections.ts`)
    assert.equal(stdout.match(new RegExp(`^  ${word} `, 'gm'))?.length, 1, word)
  }
  // What stands in no section would stand in this one.
  assert.doesNotMatch(stdout, /^Commands:/m)
  assert.ok(stdout.indexOf('  quickstart ') < stdout.indexOf('  up [options]'))
  assert.match((await run(['agents', '--help'])).stdout, /^ {2}list .*\n?.*\(default\)/m)
})

test('the examples of a verb are of this verb, with options that it takes', async () => {
  const everywhere = (await run(['--help'])).stdout
  for (const [verb, examples] of Object.entries(EXAMPLES)) {
    const spec = VERBS.find((known) => known.verb === verb)
    assert.ok(spec !== undefined, verb)
    const known = `${everywhere} ${listOptions(spec)
      .map(([flags]) => flags)
      .join(' ')} `
    const { stdout } = await run([...verb.split(' '), '--help'])
    for (const example of examples) {
      assert.ok(stdout.includes(`\n  ${example}\n`), stdout)
      const [group = ''] = verb.split(' ')
      assert.ok(`${example} `.startsWith(`rubicon ${verb} `) || example === `rubicon ${group}`)
      for (const [option] of example.split(' -- ')[0]?.matchAll(/ --[a-z-]+/g) ?? [])
        assert.ok(known.includes(`${option} `), `${verb}:${option}`)
    }
  }
})

test('without a store a verb says where there is one', async (t) => {
  const { folder } = home()
  const before = process.cwd()
  t.after(() => process.chdir(before))
  process.chdir(folder)
  for (const argv of [
    ['flows'],
    ['verify'],
    ['agents', 'suspend', 'a', '--reason', 'b', '--yes'],
  ]) {
    const { exit, stderr } = await run(argv)
    assert.equal(exit, 2)
    assert.match(stderr, /fix {2}go to the folder of your project/, argv.join(' '))
  }
  assert.match((await run(['reset', '--yes'])).stderr, /there is nothing to delete/)
  assert.match((await run(['mcp'])).stderr, /fix {2}`rubicon mcp init` makes one/)
  const { store } = getDevPlace('.')
  mkdirSync(join(folder, '.rubicon', 'dev'), { recursive: true })
  writeFileSync(join(folder, store.replace('sqlite:', '')), '')
  for (const argv of [['flows'], ['verify'], ['agents', 'suspend', 'a', '--reason', 'b', '--yes']])
    assert.match((await run(argv)).stderr, /add `--store sqlite:.rubicon\/dev\/rubicon.db --state/)
})

test('--version is that of the package', async () => {
  assert.match((await run(['--version'])).stdout, /^\d+\.\d+\.\d+(-[a-z]+)?\n$/)
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
    assert.match((await run(['explain', other])).stdout, /from {4}the engine; no verdict has it/)
  assert.match((await run(['explain', 'TOKEN_INVALID'])).stdout, /http {4}401/)
  const unknown = await run(['explain', 'LIMIT_EXCEDED'])
  assert.equal(unknown.exit, 2)
  assert.match(unknown.stderr, /did you mean `LIMIT_EXCEEDED`/)
  const part = await run(['explain', 'limit'])
  assert.equal(part.exit, 2)
  assert.match(part.stderr, /fix {2}codes with this word: .*`LIMIT_EXCEEDED`/)
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
    assert.match(stdout, /from {4}the command; no verdict has it/)
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
