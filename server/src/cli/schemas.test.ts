/** Every verb's `--json` against its schema. What ran is noted, and the last test counts it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, mock, test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonValue } from 'rubicon-kernel'
import { addMethod, openStage } from '../../../runtime/src/artifacts/artifact-stage.test-support.ts'
import { createRuntime } from '../../../runtime/src/compose.ts'
import { handClock } from '../../../runtime/src/engine/flow/hand-clock.test-support.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { prepareAdoption } from './adoption.test-support.ts'
import { archiveGround, SOON } from './archive-place.test-support.ts'
import { type Data, EXAMPLE, home, run } from './cli.test-support.ts'
import { listEverydayValues, listLeaves } from './everyday.test-support.ts'
import { leaveFlagged } from './flagged.test-support.ts'
import { leaveHalfDone } from './half-done.test-support.ts'
import { askMcp, INITIALIZE, prepareMcpHome } from './mcp.test-support.ts'
import { saveCase } from './saved-case.test-support.ts'
import { findVerbSchema, PRINTED } from './schemas/by-verb.ts'
import { pipeInto, rowsOf } from './shell/shell.test-support.ts'
import { startUpHere } from './up.test-support.ts'
import { VERBS } from './verbs.ts'

const ajv = new Ajv2020({ strict: true, allErrors: true })
const ran = new Set<string>()

const judges = new Map<string, ValidateFunction>()

function judgeOf(verb: string): ValidateFunction {
  const known = judges.get(verb)
  if (known !== undefined) return known
  const schema = findVerbSchema(verb)
  assert.ok(schema, `\`${verb}\` has a schema`)
  const judge = ajv.compile(schema)
  judges.set(verb, judge)
  return judge
}

function fits(verb: string, value: JsonValue): void {
  const judge = judgeOf(verb)
  const problems = judge(value) ? [] : judge.errors
  assert.deepEqual(problems, [], `${verb}: ${JSON.stringify([problems, value], null, 2)}`)
}

type Wanted = { readonly exit?: number; readonly perLine?: boolean }

/** Runs a verb and holds what it prints to its schema. */
async function held(verb: string, rest: readonly string[], wanted: Wanted = {}): Promise<Data> {
  const { exit, stdout, stderr } = await run([...verb.split(' '), ...rest, '--json'])
  assert.deepEqual([exit, stderr], [wanted.exit ?? 0, ''], `${verb}: ${stdout}`)
  const values: Data[] = (wanted.perLine === true ? stdout.trim().split('\n') : [stdout]).map(
    (text) => JSON.parse(text),
  )
  assert.ok(values.length > 0)
  for (const value of values) {
    fits(verb, value)
    if (verb !== 'schema' && !Array.isArray(value))
      assert.ok(!judgeOf(verb)({ ...value, more: 1 }), `${verb} is closed`)
  }
  ran.add(verb)
  return values[0]
}

async function refused(argv: readonly string[], exit = 2): Promise<void> {
  const done = await run([...argv, '--json'])
  assert.equal(done.exit, exit, done.stdout)
  fits('error', JSON.parse(done.stdout))
}

let folder = ''
let at: readonly string[] = []
let dfids: readonly string[] = []

before(async () => {
  const data = await held('quickstart', [])
  folder = dirname(data.store.slice('sqlite:'.length))
  at = ['--store', data.store, '--state', join(folder, 'state')]
  dfids = data.decisions.map(({ dfid }: { dfid: string }) => dfid)
})

test('scenarios, explanations, the doctor and the schemas fit', async () => {
  await held('demo', [])
  await held('demo', ['comma-catastrophe'])
  await held('explain', [])
  await held('explain', ['LIMIT_EXCEEDED'])
  await held('explain', ['AGENT_EXISTS'])
  await held('init', [join(home().folder, 'project')])
  await held('doctor', [...at])
  await held('schema', [])
  await held('schema', ['flows', 'list'])
})

test('what up says before it goes on fits, and what a shell is told by it', async (t) => {
  const { at: there } = home()
  const { said, token, stop } = await startUpHere(t, ['--demo', ...there])
  await held('token', ['ann@example.com', '--role', 'auditor', '--in', 'default', ...there])
  await held('token', ['exchange', '--role', 'source', ...there])
  const hook = ['ops', '--kind', 'webhook', '--url', 'https://nobody.invalid/', ...there]
  await held('channels add', hook)
  await held('channels list', there)
  await held('channels test', ['ops', ...there], { exit: 4 })
  await held('channels remove', ['ops', '--yes', ...there])
  fits('up', said)
  ran.add('up')
  const place = { url: said.url, token, state: home().folder }
  for (const [commands, exit] of [
    [['who', 'inbox', 'tail --after 0 --count 2'], 0],
    [['nonsense'], 2],
  ] as const) {
    const shell = await pipeInto(place, commands, ['--json'])
    assert.equal(shell.exit, exit)
    for (const row of rowsOf(shell.stdout)) fits('shell', row)
  }
  ran.add('shell')
  await stop()
  await held('reset', ['--yes', ...there])
  await held('open', [])
  for (const [verb, value] of await listEverydayValues(t)) {
    fits(verb, value)
    ran.add(verb)
  }
})

test('evidence fits, findings included', async () => {
  const ledger = join(folder, 'ledger.ndjson')
  const trusted = await held('keys list', at)
  await held('verify', [ledger, '--trust', trusted.keys[0].public_key])
  await held('verify', at.slice(0, 2))
  await held('verify', [ledger, '--law'])
  await held('verify', [...at.slice(0, 2), '--law'])
  await held('verify', [join(folder, 'tampered.ndjson')], { exit: 4 })
  writeFileSync(join(folder, 'cut.ndjson'), readFileSync(ledger).subarray(0, -2_000))
  await held('verify', [join(folder, 'cut.ndjson')], { exit: 4 })
  await held('replay', ['main', ...at])
  await held('replay', ['main', '--require-compiler', 'other/9', ...at], { exit: 4 })
  const source = new URL('../demo/refunds.ts', import.meta.url).href
  const rules = join(folder, 'denying.mjs')
  writeFileSync(
    rules,
    `import { refundCapability } from '${source}'
     export const capabilities = [{ ...refundCapability([]), precondition: () => 'closed today' }]`,
  )
  await held('recompile', ['main', '--rules', rules, ...at], { exit: 4 })
  const kept = join(folder, 'case.json')
  await saveCase(at[1] ?? '', kept)
  const [read, unread] = [join(folder, 'read.cedar'), join(folder, 'unread.cedar')]
  writeFileSync(read, 'permit(principal, action, resource);')
  writeFileSync(unread, 'permit(')
  await held('policy check', [read, unread], { exit: 4 })
  await held('policy save', ['--out', join(folder, 'cases'), ...at])
  await held('policy test', [kept, '--rules', rules], { exit: 4 })
  await held('policy test', [kept, '--rules', rules, '--update'])
  const [dfid = '', rejected = ''] = dfids
  for (const one of [dfid, rejected]) await held('export', [one, ...at])
  const bundle = join(folder, 'bundle.json')
  await held('export', [dfid, bundle, ...at])
  await held('verify', [bundle])
})

test('flows, effects and the ledger fit', async () => {
  const [dfid = '', rejected = ''] = dfids
  await held('flows list', at)
  for (const one of dfids) await held('flows show', [one, ...at])
  await held('flows watch', ['--from', '0', '--until-idle', ...at], { perLine: true })
  await held('executions list', at)
  await held('executions reconcile', at)
  await held('escalations list', at)
  const waiting = `${dfids[2]}:1`
  await held('escalations comment', [waiting, '--text', 'who knows it?', '--by', 'ann', ...at])
  await held('escalations show', [waiting, ...at])
  const word = ['--decision', 'ABORT', '--by', 'ann', '--justification', 'no', '--yes']
  await held('escalations resolve', [waiting, ...word, ...at])
  await held('escalations list', ['--in', 'closed', ...at])
  await held('ledger show', at)
  await held('ledger show', ['main', ...at])
  await held('flows cancel', [rejected, '--reason', 'not needed', '--yes', ...at])
  await held('flows show', [dfid, ...at])
  await held('erase', [rejected, '--dry-run', ...at])
  await held('erase', [rejected, '--reason', 'asked for', '--yes', ...at])
  await held('flows show', [rejected, ...at])
  await held('branch', ['main', '--at', '2', '--name', 'other', ...at])
  await held('flows open', ['refunds_bot', '--branch', 'other', '--trigger', 'try it', ...at])
  await held('ledger export', [join(folder, 'all.ndjson'), ...at])
  await held('ledger export', ['-', ...at], { perLine: true })
})

test('archives fit', async () => {
  const { file, at: there } = (await archiveGround()).place()
  await held('archive create', [file, '--before', '2000-01-01', ...there])
  await held('archive create', [file, ...SOON, ...there])
  await held('archive create', [file, ...SOON, '--apply', ...there])
  await held('archive list', there)
  await held('verify', there, { exit: 4 })
  await held('verify', ['--archive', file, ...there])
  await held('archive restore', [file, ...there])
  await held('archive restore', [file, '--apply', ...there])
})

test('what a person settles fits', async () => {
  const place = home()
  const { lost, half } = await leaveHalfDone(place.folder)
  const word = ['--evidence', 'e', '--reason', 'r', '--by', 'jane', '--yes', ...place.at]
  await held('executions list', place.at)
  await held('executions resolve', [lost, 'odd', '--outcome', 'not_applied', ...word])
  await held('executions resolve', [half, '--outcome', 'abandon', ...word])
  const other = home()
  const flagged = await leaveFlagged(other.folder)
  await held('flows show', [flagged, ...other.at])
  await held('flows review', [flagged, '--reason', 'r', '--by', 'jane', '--yes', ...other.at])
  await held('flows show', [flagged, ...other.at])
})

test('contracts, agents and keys fit, and so does a loss that was accepted', async () => {
  const place = home()
  const bad = join(place.folder, 'bad.yaml')
  const changed = join(place.folder, 'changed.yaml')
  const contract = readFileSync(EXAMPLE, 'utf8')
  writeFileSync(bad, contract.replace('max: "500.00"', 'max: five hundred'))
  writeFileSync(changed, contract.replace('"500.00"', '"600.00"'))
  await held('contract check', [EXAMPLE, bad], { exit: 4 })
  await held('contract deploy', [EXAMPLE, ...place.at])
  await held('contract diff', [changed, ...place.at])
  await held('agents list', place.at)
  await held('agents show', ['refunds_bot', ...place.at])
  await held('agents show', ['refunds_bot', ...at])
  await held('agents spawn', ['refunds_bot', 'refunds_bot-1', ...place.at])
  await held('agents show', ['refunds_bot', ...place.at])

  const pem = join(place.folder, 'agent.pem')
  const made = await held('keys register', [
    ...['--purpose', 'agent', '--subject', 'refunds_bot', '--out', pem],
    ...place.at,
  ])
  await held('keys retire', [made.key_id, '--yes', ...place.at])
  await held('keys compromise', [made.key_id, '--since', '0', '--yes', ...place.at])
  const passphrase = join(place.folder, 'passphrase')
  writeFileSync(passphrase, 'correct horse battery')
  const sealed = [...place.at, '--passphrase-file', passphrase]
  await held('keys seal', sealed)
  await held('keys unseal', ['--yes', ...sealed])
  await held('keys show', [made.key_id, ...place.at])

  const ann = await held('person register', ['ann@example.com', ...place.at])
  const login = ['--issuer', 'https://login.example.com', '--sub', '7']
  await held('person link', [ann.person_id, ...login, ...place.at])
  await held('person list', place.at)
  await held('person unlink', [ann.person_id, ...login, '--yes', ...place.at])
  const other = await held('person register', ['ann.lee@example.com', ...place.at])
  await held('person merge', [other.person_id, ann.person_id, '--yes', ...place.at])

  const database = join(place.folder, 'rubicon.db')
  copyFileSync(database, `${database}.old`)
  const why = ['--reason', 'because', ...place.at]
  await held('agents suspend', ['refunds_bot', '--yes', ...why])
  await held('agents reactivate', ['refunds_bot', ...why])
  await held('contract revoke', ['refunds_bot', '--yes', ...why])
  await held('agents show', ['refunds_bot', ...place.at])
  await held('agents kill', ['refunds_bot', '--yes', ...why])
  await held('agents retire', ['refunds_bot', '--yes', ...why])
  for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true })
  copyFileSync(`${database}.old`, database)
  await held('doctor', place.at, { exit: 4 })
  await refused(['agents', 'suspend', 'refunds_bot', '--yes', ...why])
  await held('ledger accept-restore', why)
})

test('a clock that is confirmed fits', async () => {
  const store = `sqlite:${join(temporaryFolder(), 'rubicon.db')}`
  const state = temporaryFolder()
  const monthAgo = handClock(Date.now() - 30 * 86_400_000)
  const options = { store, stateDirectory: state, clock: monthAgo, report: () => {} }
  const runtime = await createRuntime(options)
  await runtime.start()
  await runtime.close()
  const at = ['--reason', 'it stood in a drawer', '--store', store, '--state', state]
  await held('clock confirm', at)
  await refused(['clock', 'confirm', ...at])
})

test('sources fit', async () => {
  const feed = ['feed', '--label', 'external', '--paths', 'news.*, market.price']
  await held('source add', [...feed, '--max-paths', '10', ...at])
  await held('source add', [...feed, '--max-paths', '10', ...at])
  await held('source list', at)
  await held('source retire', ['feed', '--yes', ...at])
  await refused(['source', 'retire', 'feed', '--yes', ...at])
})

test('artifacts fit', async () => {
  const { folder: there } = home()
  const [file, at] = [join(there, 'a.ts'), ['--root', there]]
  writeFileSync(file, 'class A {\n}\n')
  await held('artifact show', [file, ...at])
  await held('artifact show', [file, 'class:A', ...at])
  await held('artifact symbols', [there, ...at])
  const delta = '{"op": "addMember", "target": "class:A", "fragment": "m() {}"}'
  await held('artifact apply', [file, '--delta', delta, '--dry-run', ...at])
  await held('artifact apply', [file, '--delta', delta, ...at])
  await held('artifact diff', [file, ...at])
  await held('artifact undo', at)
  await held('artifact undo', ['--list', ...at])
  await refused(['artifact', 'undo', ...at])
  writeFileSync(join(there, 'broken.ts'), '{')
  await held('artifact symbols', [there, ...at], { exit: 4 })
})

test('tools fit', async () => {
  const { folder: there } = home()
  const [manifest, tools] = [join(there, 'note.json'), join(there, 'tools.yaml')]
  const note = {
    manifest: 'rubicon/tool/1',
    kind: 'NOTE',
    version: '1',
    summary: 'notes something',
    params: { type: 'object', properties: {}, additionalProperties: false },
    effect: 'unsafe',
    reversible: false,
    risk: 'low',
    executor: { http: { method: 'POST', url: 'https://notes.example/', applied: [200] } },
  }
  writeFileSync(manifest, JSON.stringify(note))
  await held('tool check', [manifest])
  await held('tool add', [manifest, '--tools', tools])
  await held('tool list', ['--tools', tools])
  await held('tool check', [tools], { exit: 4 })

  const document = join(there, 'openapi.json')
  const get = { operationId: 'readNote', responses: { 200: { description: 'a note' } } }
  const servers = [{ url: 'https://notes.example' }]
  writeFileSync(document, JSON.stringify({ openapi: '3.1.0', servers, paths: { '/n': { get } } }))
  await held('tool import', [document])
  await held('tool import', [document, '--operations', 'readNote', '--out', there])
  await refused(['tool', 'import', document, '--operations', 'readNote', '--out', there])
})

test('what setting up the gateway prints fits', async () => {
  const { folder: own, at: there } = home()
  const client = join(own, 'client.json')
  const program = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line)
    const serverInfo = { name: 'fake', version: '1' }
    const initialized = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
    const tools = [{ name: 'get_note', inputSchema: { type: 'object' } }]
    const result = { initialize: initialized, 'tools/list': { tools } }[method]
    if (result) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  })`
  const notes = { command: process.execPath, args: ['-e', program] }
  writeFileSync(client, JSON.stringify({ mcpServers: { notes } }))
  const typed = ['--from', client, '--mcp', join(own, 'mcp.yaml'), ...there]
  await held('mcp init', typed)
  await held('mcp init', ['--apply', ...typed])
  await held('mcp init', ['--apply', ...typed])
  await held('mcp eject', ['--from', client, ...there])
})

test('what the gateway prints fits', async (t) => {
  const { mcp } = await prepareMcpHome()
  await held('mcp tools', mcp)
  await held('mcp approve', ['files', 'get_file_info', '--class', 'read', ...mcp])
  await held('mcp learn', mcp)
  await held('mcp token', mcp)
  const { stop } = await startUpHere(t, mcp)
  for (const line of await askMcp(mcp, [INITIALIZE])) fits('mcp', JSON.parse(line))
  ran.add('mcp')
  await stop()
})

test('monitors fit, trips included', async () => {
  const file = join(folder, 'monitor.yaml')
  writeFileSync(
    file,
    `api_version: rubicon/v1
kind: Monitor
name: refunds
agents: [refunds_bot]
statistic: {kind: mean, value: "measure:refund_usd", max: "1"}
window: {executions: 1}
`,
  )
  await held('monitors dry-run', [file, ...at], { exit: 4 })
  await held('monitors deploy', [file, ...at])
  await held('monitors list', at)
  await held('rules', at)
  await held('monitors withdraw', ['refunds', '--reason', 'noise', '--yes', ...at])
})

test('dead letters fit', async () => {
  const place = home()
  await run(['contract', 'deploy', EXAMPLE, ...place.at])
  const [, store = '', , stateDirectory = ''] = place.at
  const runtime = await createRuntime({ store, stateDirectory, background: false })
  const { store: opened } = runtime
  const letter = {
    ...{ id: 'letter-1', topic: 'market.price', message: { event_id: 'e' }, dfid: 'flow-1' },
    ...{ snapshot_id: 's', attempts: 8, next_at: '2026-06-01T12:00:00.000Z', problem: 'Error' },
  }
  const row = { record: 'bus_letter', group: 'dead', key: letter.id } as const
  await opened.commit({ guards: [], writes: [{ kind: 'put_record', ...row, body: letter }] })
  await runtime.close()
  const { letters } = await held('bus dead-letters', place.at)
  assert.equal(letters?.length, 1)
  await held('bus replay', ['letter-1', ...place.at])
  assert.deepEqual((await held('bus dead-letters', place.at)).letters, [])
})

test('writs fit', async () => {
  const place = home()
  await run(['contract', 'deploy', EXAMPLE, ...place.at])
  const writ = await held('writ issue', ['refunds_bot', ...place.at])
  const narrow = ['--subject', 'helper', '--budget', 'calls=5', '--hours', '1']
  await held('writ attenuate', [writ.id, ...narrow, ...place.at])
  await held('writ revoke', [writ.id, '--reason', 'r', '--yes', ...place.at])
  await held('writ inspect', place.at)
  await held('writ inspect', [writ.id, ...place.at])
  await held('writ inspect', [dfids[0] ?? '', ...at])
  const file = join(place.folder, 'writ.json')
  writeFileSync(file, JSON.stringify(writ))
  await held('writ inspect', [file])
})

test('a verb that fails prints an error, and nothing else', async () => {
  const nowhere = home()
  await refused(['verfy'])
  await refused([])
  await refused(['replay'])
  await refused(['flows', ...nowhere.at])
  await refused(['explain', 'LIMIT_EXCEDED'])
  await refused(['contract', 'check', join(nowhere.folder, 'none.yaml')])
  await refused(['contract', 'deploy', '/', ...nowhere.at])
  await refused(['keys', 'register', join(nowhere.folder, 'none.json'), ...nowhere.at])
  await refused(['agents', 'retire', 'refunds_bot', '--reason', 'r', ...at])
  await refused(['sim', '--sedes', '1'])
})

test('schema names the verb that was meant', async () => {
  const { exit, stdout, stderr } = await run(['schema', 'flows', 'lsit'])
  assert.deepEqual([exit, stdout], [2, ''])
  assert.match(stderr, /^✖ no verb `flows lsit` has a schema\n {2}fix {2}did you mean `flows list`/)
  for (const word of ['nonsense', 'constructor', '__proto__']) await refused(['schema', word])
  const whole = await run(['schema', 'agents', 'list'])
  assert.equal((await run(['schema', 'agents'])).stdout, whole.stdout, 'a group means its list')
  assert.equal((await run(['schema', 'agents', '--json'])).stdout, whole.stdout)
})

test('what the repository’s own verbs print fits', async () => {
  const said: string[] = []
  const log = mock.method(console, 'log', (text: string) => void said.push(text))
  try {
    for (const [verb, ...rest] of [
      ['sim', '--seed', '7'],
      ['sim authority', '--chains', '5'],
      ['sim differential', '--cases', '50', '--events', '5'],
      ['sim inject', '--cases', '3'],
      ['sim mcp', '--cases', '2'],
      ['sim artifacts', '--cases', '1', '--permutations', '1', '--violations', '5'],
    ] as const) {
      assert.equal((await run([...verb.split(' '), ...rest, '--json'])).exit, 0)
      fits(verb, JSON.parse(said.pop() ?? ''))
    }
  } finally {
    log.mock.restore()
  }
})

test('artifacts that a ledger knows fit', async (t) => {
  const store = `sqlite:${join(home().folder, 'rubicon.db')}`
  const stage = await openStage({ runtime: { store } })
  await stage.apply('ann', await stage.plan('ann', [addMethod('x')], ['src/a.ts class:A/method:x']))
  await stage.plan('bob', [addMethod('y')], ['src/a.ts class:A/method:y'])
  await stage.close()
  const at = ['--store', store, '--state', join(stage.folder, 'state')]
  for (const verb of ['list', 'plans', 'changes']) await held(`artifact ${verb}`, at)
  await held('artifact changes', ['src/a.ts', '--limit', '1', ...at])
  await refused(['artifact', 'list', '--at', '999', ...at])
  await held('artifact adopt', await prepareAdoption(t, stage.folder, at))
})

test('merge-driver: in a repository, and on three files', async () => {
  const there = home().folder
  assert.equal(spawnSync('git', ['init', '-q', there]).status, 0)
  await held('merge-driver install', ['--folder', there])
  await held('merge-driver uninstall', ['--folder', there])
  const texts = ['{"a": 1}', '{"a": 1, "b": 2}', '{"a": 1, "c": 3}']
  const sides = texts.map((_, index) => join(there, `side-${index}`))
  for (const [index, side] of sides.entries()) writeFileSync(side, texts[index] ?? '')
  await held('merge-driver run', [...sides, 'a.json'])
  await held('merge-driver run', [...sides, 'a.txt'], { exit: 4 })
})

test('every verb has a schema, compiles it, and was held to it', async () => {
  const own = VERBS.map(({ verb }) => verb)
  const others = [...(await listLeaves('sim')), ...(await listLeaves('bench'))]
  assert.deepEqual(Object.keys(PRINTED).toSorted(), [...own, ...others, 'error'].toSorted())
  for (const verb of Object.keys(PRINTED)) judgeOf(verb)
  assert.deepEqual([...ran].toSorted(), own.toSorted())
})

test('the page of the reference has a line for every schema', () => {
  const page = new URL('../../../docs/reference/cli-json.md', import.meta.url)
  const rows = readFileSync(page, 'utf8').match(/^\| `.*\|$/gm)
  const wanted = Object.entries(PRINTED).map(([verb, { prints }]) => `| \`${verb}\` | ${prints} |`)
  assert.deepEqual(rows, wanted)
})
