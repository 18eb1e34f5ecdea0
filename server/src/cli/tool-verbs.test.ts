/** `tool check`, `tool list` and `tool add`: what they accept, what they refuse, and that nothing is allowed by them. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { home, run, runJson } from './cli.test-support.ts'

const REFUND = {
  manifest: 'rubicon/tool/1',
  kind: 'REFUND',
  version: '1',
  summary: 'pays an order back',
  params: {
    type: 'object',
    properties: { order: { type: 'string' } },
    required: ['order'],
    additionalProperties: false,
  },
  effect: 'unsafe',
  reversible: false,
  risk: 'medium',
  executor: {
    http: {
      method: 'POST',
      url: 'https://pay.example/orders/{/order}',
      headers: { Authorization: { secret: 'PAY', format: 'Bearer {secret}' } },
      applied: [201],
    },
  },
}

const ALLOWED = `# ours
tools: [refund.json] # the only one
allow:
  http:
    - { scheme: https, host: pay.example, methods: [POST] }
secrets:
  PAY: { from: environment, tools: [REFUND], hosts: [pay.example] }
`

function place(files: Readonly<Record<string, unknown>>): (name: string) => string {
  const { folder } = home()
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
  return (name) => join(folder, name)
}

test('a tools file is checked with all that it lists, and a manifest by itself', async () => {
  const at = place({ 'refund.json': REFUND, 'tools.yaml': ALLOWED })
  const { exit, stdout, stderr } = await run(['tool', 'check', at('tools.yaml'), at('refund.json')])
  assert.deepEqual([exit, stdout.split('\n').length], [0, 3], stderr)
  assert.match(stdout, /✔ refund\.json: REFUND 1/)
  assert.match(stderr, /not checked: whether manifests are allowed/)
})

test('every problem is told with its file and its place, and the command fails', async () => {
  const at = place({
    'refund.json': REFUND,
    'unknown.json': { ...REFUND, kind: 'B', colour: 'red', risk: 'none' },
    'shell.json': {
      ...REFUND,
      kind: 'C',
      executor: { command: { argv: ['/bin/sh'], applied: [0] } },
    },
    'pointer.json': { ...REFUND, kind: 'D', scopes: { orders: '/nothing' } },
    'schema.json': {
      ...REFUND,
      kind: 'E',
      params: { ...REFUND.params, properties: { order: { type: 'txt' } } },
    },
    'large.json': JSON.stringify(REFUND).replace('pays', 'x'.repeat(10_000_000)),
    'twice.json': REFUND,
    'undecided.json': { ...REFUND, kind: 'F', undecided: ['scopes'] },
    'tools.yaml': ALLOWED.replace(
      'refund.json',
      'refund.json, unknown.json, shell.json, pointer.json, schema.json, large.json, twice.json, undecided.json, ../../none.json',
    ),
    'bad.yaml': 'tools: [refund.json]\nallow: {hosts: []}\n',
  })
  const { exit, data } = await runJson(['tool', 'check', at('tools.yaml'), at('bad.yaml')])
  assert.deepEqual([exit, data.ok], [4, false])
  const told = data.refused.flatMap(listTold)
  for (const wanted of [
    /unknown\.json .*`\/colour` is not a known field/,
    /unknown\.json .*`\/risk`/,
    /shell\.json .*runs its arguments as code/,
    /pointer\.json .*`\/nothing` is named/,
    /schema\.json .*CAPABILITY_INVALID|schema\.json .*SCHEMA/,
    /large\.json .*larger than/,
    /twice\.json .*TOOL_NAME_COLLISION/,
    /undecided\.json .*names scopes: decide each/,
    /none\.json .*FILE_UNREADABLE/,
    /bad\.yaml 2 allow\.hosts is not known/,
  ])
    assert.ok(
      told.some((line: string) => wanted.test(line)),
      `${wanted}: ${told.join('\n')}`,
    )
  const one = await run(['tool', 'check', at('undecided.json')])
  assert.equal(one.exit, 4)
  assert.match(one.stdout, /`\/undecided` names scopes: decide each, then take it out/)
})

type Refused = {
  readonly file: string
  readonly error: {
    readonly code: string
    readonly summary: string
    readonly meta?: { readonly problems?: readonly Readonly<Record<string, unknown>>[] }
  }
}

/** Each problem in a line: file, line, place and what is wrong. */
function listTold({ file, error }: Refused): readonly string[] {
  const problems = error.meta?.problems ?? [{ detail: `${error.code} ${error.summary}` }]
  return problems.map((one) =>
    [file, one.line, one.path, one.detail].filter((part) => part !== undefined).join(' '),
  )
}

test('tool check ends as contract check does: 4 where something is wrong, 2 where nothing can be read', async () => {
  const at = place({ 'bad.json': { ...REFUND, risk: 'none' }, 'bad.yaml': 'agent_id: x\n' })
  const exits: number[] = []
  for (const args of [
    ['tool', 'check', at('bad.json')],
    ['contract', 'check', at('bad.yaml')],
    ['tool', 'check', at('none.json')],
    ['contract', 'check', at('none.yaml')],
  ])
    exits.push((await run(args)).exit)
  assert.deepEqual(exits, [4, 4, 2, 2])
})

test('a list says where tools go, which secrets they name and whether they may; never a value', async () => {
  const other = {
    ...REFUND,
    kind: 'OTHER',
    executor: { http: { ...REFUND.executor.http, url: 'https://evil.example/x' } },
  }
  const at = place({
    'refund.json': REFUND,
    'other.json': other,
    'broken.json': '{',
    'tools.yaml': ALLOWED.replace('refund.json', 'refund.json, other.json, broken.json'),
  })
  process.env.RUBICON_SECRET_PAY = 'a-value-of-a-secret'
  try {
    const { exit, data, stderr } = await runJson(['tool', 'list', '--tools', at('tools.yaml')])
    assert.deepEqual([exit, stderr], [0, ''])
    const [refund, denied, broken] = data.tools
    assert.deepEqual(
      [refund.kind, refund.goes_to, refund.secrets, refund.allowed, refund.problems],
      ['REFUND', ['POST https://pay.example:443'], ['PAY'], true, []],
    )
    assert.deepEqual(
      [denied.allowed, denied.problems],
      [false, ['/executor: EGRESS_DENIED: POST https://evil.example:443 is not allowed']],
    )
    assert.deepEqual([broken.kind, broken.allowed], [null, false])
    const shown = await run(['tool', 'list', '--tools', at('tools.yaml')])
    assert.match(
      shown.stdout,
      /REFUND +1 +unsafe +medium +POST https:\/\/pay\.example:443 +PAY +allowed/,
    )
    assert.ok(!`${shown.stdout}${shown.stderr}${JSON.stringify(data)}`.includes('a-value-of'))
  } finally {
    delete process.env.RUBICON_SECRET_PAY
  }
})

test('what is added is listed and allowed nothing, in a new tools file too', async () => {
  const at = place({ 'refund.json': REFUND })
  const added = ['tool', 'add', at('refund.json'), '--tools', at('tools.yaml')]
  const { exit, data } = await runJson(added)
  assert.deepEqual([exit, data.created, data.file, data.allowed], [0, true, 'refund.json', false])
  assert.match(data.to_allow[0].detail, /POST https:\/\/pay\.example:443 is not allowed/)
  const written = readFileSync(at('tools.yaml'), 'utf8')
  assert.match(written, /http: \[\]\n {2}commands: \[\]\nsecrets: \{\}/)
  assert.equal((await run(['tool', 'check', at('tools.yaml')])).exit, 4, 'nothing is allowed')
  const again = await run(added)
  assert.equal(again.exit, 2)
  assert.match(again.stderr, /a tool of the kind `REFUND` is loaded already/)
  assert.equal(readFileSync(at('tools.yaml'), 'utf8'), written)
})

test('what a tools file said before stays, comments included', async () => {
  const at = place({ 'refund.json': REFUND, 'tools.yaml': ALLOWED })
  mkdirSync(at('more'))
  writeFileSync(at('more/b.json'), JSON.stringify({ ...REFUND, kind: 'B' }))
  const { exit, stdout, stderr } = await run([
    'tool',
    'add',
    at('more/b.json'),
    '--tools',
    at('tools.yaml'),
  ])
  assert.equal(exit, 0, stderr)
  assert.match(stdout, /the secret `PAY` is not for the tool `B`/)
  const written = readFileSync(at('tools.yaml'), 'utf8')
  for (const kept of ['# ours', '# the only one', 'more/b.json', 'from: environment'])
    assert.ok(written.includes(kept), written)
  assert.deepEqual(readdirSync(at('.')).sort(), ['more', 'refund.json', 'tools.yaml'])
})

test('what cannot be loaded is not added, and a file that is no tools file is left as it is', async () => {
  const at = place({
    'refund.json': REFUND,
    'half.json': { ...REFUND, undecided: [] },
    'not.yaml': 'colour: red\n',
  })
  const half = await run(['tool', 'add', at('half.json'), '--tools', at('tools.yaml')])
  assert.equal(half.exit, 2)
  assert.ok(!existsSync(at('tools.yaml')))
  assert.equal((await run(['tool', 'add', at('refund.json'), '--tools', at('not.yaml')])).exit, 2)
  assert.equal(readFileSync(at('not.yaml'), 'utf8'), 'colour: red\n')
})
