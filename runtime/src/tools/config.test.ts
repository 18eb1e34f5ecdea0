import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject, JsonValue, ManifestExecutor } from 'rubicon-kernel'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import { findExecutorProblems } from './check-executors.ts'
import { writeProgram } from './command/program.test-support.ts'
import { loadToolsConfig, parseToolsConfig } from './config.ts'
import { openAllowances } from './open-secrets.ts'

const PROGRAM = writeProgram('exit 0')

const CONFIG = {
  tools: ['./refund.json'],
  allow: {
    http: [{ scheme: 'https', host: 'api.example.com', methods: ['POST'] }],
    commands: [{ path: PROGRAM }],
  },
  secrets: {
    ACME_KEY: { from: 'environment', tools: ['acme.pay'], hosts: ['api.example.com'] },
    RUN_KEY: { from: { file: '/run/secrets/key' }, tools: ['acme.run'], commands: [PROGRAM] },
    OTHER: { from: { command: ['/usr/bin/pass', 'show', 'x'] }, tools: ['acme.pay'] },
  },
} satisfies JsonObject

test('a tools file is read with its defaults: port of the scheme, public addresses', async () => {
  const path = join(temporaryFolder(), 'tools.yaml')
  writeFileSync(path, JSON.stringify(CONFIG))
  const read = await loadToolsConfig(path)
  assert.ok(read.ok)
  assert.deepEqual(read.value.http, [
    { scheme: 'https', host: 'api.example.com', port: 443, methods: ['POST'], addresses: 'public' },
  ])
  assert.deepEqual(read.value.secrets.get('OTHER'), {
    from: { kind: 'command', argv: ['/usr/bin/pass', 'show', 'x'] },
    tools: ['acme.pay'],
    hosts: [],
    commands: [],
  })
  const nothing = parseToolsConfig({})
  assert.ok(nothing.ok)
  assert.deepEqual([nothing.value.http, nothing.value.commands], [[], []])
})

function change(path: readonly (string | number)[], value: JsonValue): JsonValue {
  const copy = structuredClone(CONFIG) as JsonValue
  let at = copy as Record<string | number, JsonValue>
  for (const name of path.slice(0, -1)) at = at[name] as Record<string | number, JsonValue>
  at[path.at(-1) ?? ''] = value
  return copy
}

test('whatever else stands in it is refused, with its place', () => {
  const http = ['allow', 'http', 0]
  const cases: readonly (readonly [readonly (string | number)[], JsonValue])[] = [
    [['tool'], []],
    [['tools'], 'x'],
    [['tools', 0], 7],
    [['allow', 'https'], []],
    [[...http, 'hosts'], []],
    [[...http, 'scheme'], 'ftp'],
    [[...http, 'host'], '*.example.com'],
    [[...http, 'host'], 'API.example.com'],
    [[...http, 'host'], 'api.example.com.'],
    [[...http, 'host'], '2130706433'],
    [[...http, 'port'], 0],
    [[...http, 'port'], '443'],
    [[...http, 'port'], 65_536],
    [[...http, 'methods'], []],
    [[...http, 'methods', 0], 'CONNECT'],
    [[...http, 'addresses'], 'any'],
    [['allow', 'commands', 0, 'path'], 'program'],
    [['allow', 'commands', 0, 'path'], '/usr/bin/../bin/x'],
    [['allow', 'commands', 0, 'path'], '/bin/sh'],
    [['allow', 'commands', 0, 'sha256'], 'ABC'],
    [['allow', 'commands', 0, 'args'], []],
    [['secrets', 'acme-key'], CONFIG.secrets.ACME_KEY],
    [['secrets', 'a key'], CONFIG.secrets.OTHER],
    [['secrets', 'ACME_KEY', 'from'], 'PATH'],
    [['secrets', 'ACME_KEY', 'from'], {}],
    [['secrets', 'ACME_KEY', 'from'], { value: 'the secret itself' }],
    [['secrets', 'ACME_KEY', 'from'], { file: '/a', command: ['/b'] }],
    [['secrets', 'ACME_KEY', 'from'], { command: [] }],
    [['secrets', 'ACME_KEY', 'from'], { command: ['pass'] }],
    [['secrets', 'ACME_KEY', 'from'], { command: '/usr/bin/pass' }],
    [['secrets', 'ACME_KEY', 'tools'], []],
    [['secrets', 'ACME_KEY', 'hosts'], ['*']],
    [['secrets', 'ACME_KEY', 'hosts'], ['https://api.example.com']],
    [['secrets', 'ACME_KEY', 'hosts'], ['api.example.com:99999']],
    [['secrets', 'ACME_KEY', 'url'], 'x'],
  ]
  for (const [path, value] of cases) {
    const parsed = parseToolsConfig(change(path, value))
    assert.ok(!parsed.ok, JSON.stringify([path, value]))
    const [problem] = parsed.error
    assert.ok(
      path.every((name, index) => problem?.path[index] === name),
      JSON.stringify(problem),
    )
  }
})

const post = (url: string, secret: string): ManifestExecutor => ({
  http: { method: 'POST', url, headers: { 'x-key': { secret } }, applied: [200] },
})
const run = (path: string, secret: string): ManifestExecutor => ({
  command: { argv: [path], env: { KEY: { secret } }, applied: [0] },
})

test('what a manifest would do and the operator does not allow is found before it is loaded', async () => {
  const parsed = parseToolsConfig(CONFIG)
  assert.ok(parsed.ok)
  const allowances = openAllowances(parsed.value)
  const find = async (kind: string, executor: ManifestExecutor): Promise<readonly string[]> => {
    const found = await findExecutorProblems(allowances, { kind, executor })
    return found.map(({ pointer, code }) => `${pointer} ${code}`)
  }
  const good = post('https://api.example.com/v1', 'ACME_KEY')
  assert.deepEqual(await find('acme.pay', good), [])
  assert.deepEqual(await find('acme.run', run(PROGRAM, 'RUN_KEY')), [])
  assert.deepEqual(await find('a', { world: true }), [])
  const elsewhere = post('https://evil.example/v1', 'ACME_KEY')
  assert.deepEqual(await find('acme.pay', elsewhere), ['/executor EGRESS_DENIED'])
  assert.deepEqual(await find('acme.other', good), ['/executor SECRET_DENIED'])
  const other = post('https://api.example.com/v1', 'OTHER')
  assert.deepEqual(await find('acme.pay', other), ['/executor SECRET_DENIED'])
  assert.deepEqual(await find('acme.pay', post('https://a@b/', 'X')), [
    '/executor MANIFEST_INVALID',
  ])
  assert.deepEqual(await find('acme.run', run('/bin/sh', 'RUN_KEY')), ['/executor COMMAND_DENIED'])
  assert.deepEqual(await find('acme.run', run(PROGRAM, 'ACME_KEY')), ['/executor SECRET_DENIED'])
  const whole = await findExecutorProblems(allowances, {
    kind: 'acme.pay',
    executor: good,
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 1,
      executor: elsewhere,
      applied: { and: [] },
      absent: { and: [] },
    },
    compensations: { REVERT: elsewhere },
  })
  assert.deepEqual(
    whole.map(({ pointer }) => pointer),
    ['/probe/executor', '/compensations/REVERT'],
  )
})
