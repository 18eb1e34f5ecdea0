import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { openStore } from '../../../runtime/src/compose.ts'
import { buildQueueWrite } from '../../../runtime/src/engine/notices/queue.ts'
import type { Notice } from '../../../runtime/src/ports/notifier.ts'
import { type Data, EXAMPLE, home, run, runJson } from './cli.test-support.ts'
import { saveCase } from './saved-case.test-support.ts'

let folder = ''
let at: readonly string[] = []
let dfids: readonly string[] = []

before(async () => {
  const { data } = await runJson(['quickstart'])
  folder = dirname(data.store.slice('sqlite:'.length))
  at = ['--store', data.store, '--state', join(folder, 'state')]
  dfids = data.decisions.map(({ dfid }: { dfid: string }) => dfid)
})

test('verify takes an exported file, a store and a database file', async () => {
  const file = join(folder, 'ledger.ndjson')
  for (const target of [[file], at.slice(0, 2), [join(folder, 'rubicon.db')]]) {
    const { exit, data } = await runJson(['verify', ...target])
    assert.deepEqual([exit, data.ok, data.entries, data.findings], [0, true, 19, []])
  }
  assert.equal((await run(['verify', join(folder, 'none')])).exit, 2)
  assert.equal((await run(['verify', file, '--signatures', 'some'])).exit, 2)
  assert.equal((await runJson(['verify', file, '--signatures', 'none'])).data.ok, true)
  assert.equal((await runJson(['verify', file])).data.depth, 'fold')
  assert.equal((await runJson(['verify', file, '--depth', 'structure'])).data.depth, 'structure')
  assert.equal((await run(['verify', file, '--depth', 'deep'])).exit, 2)
})

test('verify names the place of what was changed, and ends with findings', async () => {
  const { exit, data } = await runJson(['verify', join(folder, 'tampered.ndjson')])
  assert.equal(exit, 4)
  const [{ trajectory, seq, code, detail }] = data.findings
  assert.deepEqual([trajectory, seq, code, typeof detail], ['main', 2, 'PAYLOAD_HASH', 'string'])
  const told = await run(['verify', join(folder, 'tampered.ndjson')])
  assert.match(told.stdout, /main\/2 {2}PAYLOAD_HASH/)
  assert.equal(data.strength, null)
  assert.doesNotMatch(told.stderr, /consistent|trust/)
})

test('verify says of what is no ledger that it is none, and finds nothing in it', async () => {
  const program = join(folder, 'agent.ts')
  writeFileSync(program, "import { createRuntime } from 'rubicon-runtime'\n")
  const { exit, data } = await runJson(['verify', program])
  assert.deepEqual([exit, data.error.code], [2, 'NOT_A_LEDGER'])
  const [header = '', ...entries] = readFileSync(join(folder, 'ledger.ndjson'), 'utf8').split('\n')
  const damaged = join(folder, 'damaged.ndjson')
  for (const first of [header.slice(1), entries[0] ?? '']) {
    writeFileSync(damaged, [first, ...entries].join('\n'))
    assert.equal((await run(['verify', damaged])).exit, 4)
  }
})

test('verify --trust takes a key that was got elsewhere, and refuses a stranger’s', async () => {
  const file = join(folder, 'ledger.ndjson')
  const { data } = await runJson(['keys', ...at])
  const [operator, issuer] = data.keys
  const trusted = await runJson(['verify', file, '--trust', operator.public_key])
  assert.deepEqual([trusted.exit, trusted.data.strength], [0, 'trusted'])
  const signer = data.keys.find(({ purpose }: { purpose: string }) => purpose === 'checkpoint')
  const shown = await runJson(['keys', 'show', signer.key_id, ...at])
  const named = await runJson(['verify', file, '--trust', shown.data.verifier_key])
  assert.deepEqual([named.exit, named.data.strength], [0, 'trusted'])
  const stranger = await runJson(['verify', file, '--trust', issuer.public_key])
  assert.deepEqual([stranger.exit, stranger.data.findings[0].code], [4, 'TRUST_MISMATCH'])
  const tampered = join(folder, 'tampered.ndjson')
  const changed = await runJson(['verify', tampered, '--trust', operator.public_key])
  assert.deepEqual([changed.exit, changed.data.strength], [4, null])
  assert.equal((await run(['verify', file, '--trust', 'nonsense'])).exit, 2)
})

test('what came with a forged ledger never stands in for the verifier key that was typed', async (t) => {
  const verifierKey = async (place: readonly string[]): Promise<string> => {
    const { data } = await runJson(['keys', ...place])
    const signer = data.keys.find(({ purpose }: { purpose: string }) => purpose === 'checkpoint')
    return (await runJson(['keys', 'show', signer.key_id, ...place])).data.verifier_key
  }
  const genuine = await verifierKey(at)
  const { data } = await runJson(['quickstart'])
  const forger = dirname(data.store.slice('sqlite:'.length))
  const forged = await verifierKey(['--store', data.store, '--state', join(forger, 'state')])
  const before = process.cwd()
  process.chdir(forger)
  t.after(() => process.chdir(before))
  const cut = genuine.slice(0, -1)
  for (const key of [genuine, cut]) {
    // Base64 has slashes, and what ends in one names no file.
    if (key.endsWith('/')) continue
    mkdirSync(dirname(key), { recursive: true })
    writeFileSync(key, forged)
  }
  const said = await runJson(['verify', 'ledger.ndjson', '--trust', genuine])
  assert.deepEqual([said.exit, said.data.findings?.[0].code], [4, 'TRUST_MISMATCH'])
  const mistyped = await runJson(['verify', 'ledger.ndjson', '--trust', cut])
  assert.deepEqual([mistyped.exit, mistyped.data.error.code], [2, 'TRUST_UNREADABLE'])
  const absent = await runJson(['verify', 'ledger.ndjson', '--trust', 'their-key.txt'])
  assert.deepEqual(
    [absent.data.error.code, absent.data.error.why],
    ['TRUST_UNREADABLE', 'there is no file `their-key.txt` either'],
  )
  writeFileSync('their-key.txt', forged)
  const file = await runJson(['verify', 'ledger.ndjson', '--trust', 'their-key.txt'])
  assert.deepEqual([file.exit, file.data.strength], [0, 'trusted'])
})

test('a file called like a writ or a flow is never shown in its place', async (t) => {
  const { data: quick } = await runJson(['quickstart'])
  const place = dirname(quick.store.slice('sqlite:'.length))
  const there = ['--store', quick.store, '--state', join(place, 'state')]
  const { data: writ } = await runJson(['writ', 'issue', 'refunds_bot', ...there])
  const before = process.cwd()
  process.chdir(place)
  t.after(() => process.chdir(before))
  const stranger = { ...writ, body: { ...writ.body, subject: 'mallory' } }
  for (const id of [writ.id, quick.decisions[0].dfid]) {
    writeFileSync(id, JSON.stringify(stranger))
    const { data } = await runJson(['writ', 'inspect', id, ...there])
    assert.equal(data.body.subject, 'refunds_bot')
  }
})

test('replay folds a trajectory, and demands a compiler if asked to', async () => {
  const { exit, data } = await runJson(['replay', 'main', '--full', ...at])
  assert.equal(exit, 0)
  for (const name of ['ok', 'entries', 'world_hash', 'compiler_versions', 'findings'])
    assert.ok(name in data, name)
  const drift = await runJson(['replay', 'main', '--require-compiler', 'other/9', ...at])
  assert.deepEqual([drift.exit, drift.data.findings[0].code], [4, 'COMPILER_DRIFT'])
  assert.equal((await run(['replay', 'nowhere', ...at])).exit, 2)
})

test('finding 30d: replay compares with no World, and --full is what it is without', async () => {
  const { data: plain } = await runJson(['replay', 'main', ...at])
  assert.deepEqual([plain.resources, plain.signatures], [null, null])
  const { exit, data: full } = await runJson(['replay', 'main', '--full', ...at])
  assert.deepEqual([exit, full.ok, typeof full.resources], [0, true, 'number'])
  assert.ok(full.signatures > 0)
  const held = (hash: string): Promise<{ exit: number; data: Data }> =>
    runJson(['replay', 'main', '--world-hash', hash, ...at])
  for (const hash of [plain.world_hash, `sha256:${plain.world_hash.toUpperCase()}`])
    assert.equal((await held(hash)).exit, 0)
  const other = await held('0'.repeat(64))
  assert.deepEqual([other.exit, other.data.findings[0].code], [4, 'WORLD_MISMATCH'])
  const wrong = await held('0')
  assert.deepEqual([wrong.exit, wrong.data.error.code], [2, 'USAGE'])
})

test('policy check reads each file, names its rules, and says where one cannot be read', async () => {
  const [good, bad] = [join(folder, 'good.cedar'), join(folder, 'bad.cedar')]
  writeFileSync(good, '\n@id("closed") forbid(principal, action, resource);')
  writeFileSync(bad, 'permit(principal, action, resource)\nwhen { };')
  const { exit, stdout } = await run(['policy', 'check', bad, good])
  assert.equal(exit, 4)
  assert.match(
    stdout,
    /✖ .*line 2, column 1: .*\n {2}fix .*\n✔ .*good\.cedar: good 1\n {2}line 2 {2}closed\n/,
  )
  const named = await run(['policy', 'check', good])
  assert.equal(named.exit, 0)
  assert.doesNotMatch(named.stderr, /@id/)
  writeFileSync(bad, '// the first\npermit(principal, action, resource);')
  const unnamed = await run(['policy', 'check', bad])
  assert.match(unnamed.stdout, / {2}line 2 {2}rule-1\n/)
  assert.match(unnamed.stderr, /no `@id\("…"\)` stands at line 2 of .*bad\.cedar/)
  assert.equal((await run(['policy', 'check', join(folder, 'none.cedar')])).exit, 2)
  assert.equal((await run(['policy', 'check'])).exit, 2)
})

test('policy test holds rules against decisions that were kept', async () => {
  const source = new URL('../demo/refunds.ts', import.meta.url).href
  const head = `import { refundCapability as refund } from '${source}'\n`
  const [same, closed] = [join(folder, 'kept.mjs'), join(folder, 'closed.mjs')]
  writeFileSync(same, `${head}export const capabilities = [refund([])]`)
  writeFileSync(
    closed,
    `${head}export const capabilities = [{ ...refund([]), precondition: () => 'closed' }]`,
  )
  const file = join(folder, 'case.json')
  await saveCase(at[1] ?? '', file)
  const passed = await run(['policy', 'test', file, '--rules', same])
  assert.equal(passed.exit, 0)
  assert.match(passed.stdout, /case\.json: a small refund passes: ACCEPTED\n$/)
  const failed = await runJson(['policy', 'test', file, '--rules', closed])
  const [one] = failed.data.cases
  assert.deepEqual([failed.exit, one.found.code], [4, 'PRECONDITION_FAILED'])
  // A log of CI has no ledger beside it: the line has to say what was proposed.
  const told = await run(['policy', 'test', file, '--rules', closed])
  assert.match(
    told.stdout,
    /PRECONDITION_FAILED, expected ACCEPTED\n {2}proposed {2}REFUND .*20\.00.*\n$/,
  )
  assert.doesNotMatch(passed.stdout, /proposed/)
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, '{}')
  assert.equal((await run(['policy', 'test', broken, '--rules', same])).exit, 2)
  assert.equal((await run(['policy', 'test', file])).exit, 2)
  // A folder is all of its cases; one without any is no answer.
  const cases = join(dirname(file), 'cases')
  mkdirSync(cases)
  assert.equal((await run(['policy', 'test', cases, '--rules', same])).exit, 2)
  copyFileSync(file, join(cases, 'one.json'))
  const whole = await runJson(['policy', 'test', cases, '--rules', same])
  assert.deepEqual([whole.exit, whole.data.cases.length], [0, 1])
  const missing = await run(['policy', 'test', 'none.json', '--rules', same])
  assert.deepEqual([missing.exit, missing.stdout], [2, ''])
  assert.match(missing.stderr, /^✖ no such file or folder: `none\.json`$/m)
})

test('policy save keeps decisions as they were recorded, and --update what other rules say', async () => {
  const source = new URL('../demo/refunds.ts', import.meta.url).href
  const head = `import { refundCapability as refund } from '${source}'\n`
  const [same, closed] = [join(folder, 'same-cases.mjs'), join(folder, 'closed-cases.mjs')]
  writeFileSync(same, `${head}export const capabilities = [refund([])]`)
  writeFileSync(
    closed,
    `${head}export const capabilities = [{ ...refund([]), precondition: () => 'closed' }]`,
  )
  const out = join(folder, 'cases')
  const { exit, data } = await runJson(['policy', 'save', '--out', out, ...at])
  assert.deepEqual([exit, data.kept, data.skipped], [0, [], 0])
  assert.ok(data.saved.length > 1)
  assert.match(data.saved[0], /REFUND-main-\d+\.json$/)
  const test = ['policy', 'test', ...data.saved, '--rules']
  assert.equal((await run([...test, same])).exit, 0)
  const failed = await run([...test, closed])
  assert.equal(failed.exit, 4)
  assert.match(failed.stderr, /--update/)
  const updated = await runJson([...test, closed, '--update'])
  assert.equal(updated.exit, 0)
  assert.ok(updated.data.updated.length > 0)
  assert.equal((await run([...test, closed])).exit, 0)
  // What was changed on purpose is not undone by saving again.
  const again = await runJson(['policy', 'save', '--out', out, ...at])
  assert.deepEqual([again.data.saved, again.data.kept.length], [[], data.saved.length])
  assert.equal((await run([...test, closed])).exit, 0)
  const one = join(folder, 'one-case')
  const last = await runJson(['policy', 'save', '--out', one, '--last', '1', ...at])
  assert.equal(last.data.saved.length, 1)
  for (const wrong of [['--out', one, '--last', '0'], ['--out', one, '--last', '100000'], []])
    assert.equal((await run(['policy', 'save', ...wrong, ...at])).exit, 2)
})

test('recompile lists verdicts that other rules would change', async () => {
  const source = new URL('../demo/refunds.ts', import.meta.url).href
  const same = join(folder, 'same.mjs')
  writeFileSync(
    same,
    `import { refundCapability as refund } from '${source}'\nexport const capabilities = [refund([])]`,
  )
  const unchanged = await runJson(['recompile', 'main', '--rules', same, ...at])
  assert.deepEqual([unchanged.exit, unchanged.data.ok, unchanged.data.decisions], [0, true, 3])

  const denying = join(folder, 'denying.mjs')
  writeFileSync(
    denying,
    `import { refundCapability } from '${source}'
     export const capabilities = [{ ...refundCapability([]), precondition: () => 'closed today' }]`,
  )
  const { exit, data } = await runJson(['recompile', 'main', '--rules', denying, ...at])
  assert.equal(exit, 4)
  const { recorded, now } = data.differing[0]
  assert.deepEqual(
    [recorded.outcome, now.outcome, now.code],
    ['ACCEPTED', 'REJECTED', 'PRECONDITION_FAILED'],
  )
  assert.equal((await run(['recompile', 'main', ...at])).exit, 2)
  assert.equal(
    (await run(['recompile', 'main', '--rules', join(folder, 'none.mjs'), ...at])).exit,
    2,
  )
})

test('a beginning that several flows have is refused, and they are named', async () => {
  // Ids begin with the time: of three flows, two are on the same side of any boundary of its digits.
  const [shared = '', first = '', second = ''] = sharedBeginning([...new Set(dfids)])
  assert.ok(shared.length >= 8, 'they were opened within a minute')
  for (const verb of [
    ['flows', 'show'],
    ['flows', 'cancel', '--reason', 'r', '--yes'],
    ['export'],
  ]) {
    const { exit, data } = await runJson([...verb, shared, ...at])
    assert.deepEqual([exit, data.error.code], [2, 'ID_AMBIGUOUS'])
    for (const dfid of [first, second]) assert.ok(data.error.why.includes(dfid))
  }
})

test('finding 30g: an id that is wrong is not told from one that is short, in another case, or of something else', async () => {
  const [first = ''] = dfids
  const shown = await runJson(['flows', 'show', ` ${first.toUpperCase()} `, ...at])
  assert.equal(shown.data.flow.dfid, first)
  const cases: readonly (readonly [string, RegExp, RegExp])[] = [
    ['', /^no id was given$/, /rubicon flows list/],
    [first.slice(0, 7), /is too short/, /at least 8 characters/],
    [`${first}:1`, /is the id of a request, not of a flow/, /rubicon escalations show/],
    ['refunds_bot', /is an agent, not a flow/, /rubicon flows list --agent refunds_bot/],
    ['main/4', /is a place in the ledger/, /rubicon ledger show main --from 4/],
    ['LIMIT_EXCEEDED', /is a reason code/, /rubicon explain LIMIT_EXCEEDED/],
    [`sha256:${'0'.repeat(64)}`, /is a hash/, /rubicon writ inspect/],
    ['deadbeef-0000', /^there is no flow `deadbeef-0000`$/, /rubicon flows list/],
  ]
  for (const verb of ['export', 'erase'])
    for (const [given, summary, fix] of cases) {
      const { exit, data } = await runJson([verb, given, ...at])
      assert.deepEqual([exit, data.error.code], [2, 'FLOW_UNKNOWN'], given)
      assert.match(data.error.summary, summary)
      assert.match(data.error.fix, fix)
    }
  const asked = await runJson(['escalations', 'show', first, ...at])
  assert.match(asked.data.error.summary, /has no request/)
  const { at: other } = home()
  assert.equal((await run(['contract', 'deploy', EXAMPLE, ...other])).exit, 0)
  const empty = await runJson(['export', first, ...other])
  assert.match(empty.data.error.summary, /the store has no flows/)
})

test('export --trajectories writes every flow as an example, and one without a dfid is asked for', async () => {
  const file = join(folder, 'episodes.jsonl')
  const flows = [...new Set(dfids)].sort()
  const { exit, data } = await runJson(['export', '--trajectories', file, ...at])
  assert.deepEqual([exit, data], [0, { file, episodes: flows.length }])
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const episodes = lines.map((line): Data => JSON.parse(line))
  assert.deepEqual(episodes.map(({ dfid }) => dfid).sort(), flows)
  const outcomes = episodes.flatMap(({ steps }) => steps.map((step: Data) => step.verdict.outcome))
  assert.deepEqual([...new Set(outcomes)].sort(), ['ACCEPTED', 'ESCALATED', 'REJECTED'])
  const one = await run(['export', '--trajectories', '--limit', '1', ...at])
  assert.equal(one.stdout.trimEnd().split('\n').length, 1)
  assert.equal((await run(['export', '--trajectories', '--agent', 'nobody', ...at])).stdout, '')
  assert.equal((await run(['export', ...at])).exit, 2)
})

test('export writes a bundle that verifies without the store', async () => {
  const [dfid = ''] = dfids
  const file = join(folder, 'bundle.json')
  const { exit, data } = await runJson(['export', dfid, file, ...at])
  assert.deepEqual([exit, data.verified], [0, true])
  assert.equal((await runJson(['verify', file])).data.ok, true)
  assert.equal((await run(['export', dfid, ...at])).stdout, readFileSync(file, 'utf8'))
  assert.equal((await run(['export', '00000000-0000-7000-8000-000000000000', ...at])).exit, 2)
})

test('flows, executions and the ledger are shown', async () => {
  const [dfid = '', rejected = ''] = dfids
  const { data } = await runJson(['flows', ...at])
  assert.equal(data.flows.length, 3)
  const escalated = await runJson(['flows', 'list', '--in', 'escalated', ...at])
  assert.equal(escalated.data.flows.length, 1)
  assert.equal((await run(['flows', '--in', 'sleeping', ...at])).exit, 2)
  const list = (...typed: readonly string[]): ReturnType<typeof run> =>
    run(['flows', 'list', ...typed, ...at])
  assert.match(
    (await list()).stdout,
    new RegExp(`${rejected} +refunds_bot +ACTIVE +LIMIT_EXCEEDED `),
  )
  const refused = await list('--reason', 'limit_exceeded', '--kind', 'REFUND')
  assert.deepEqual(refused.stdout.match(/^[0-9a-f-]{36}/gm), [rejected])
  assert.doesNotMatch((await list('--kind', 'WITHDRAW')).stdout, /refunds_bot/)
  const shown = await runJson(['flows', 'show', dfid, ...at])
  assert.deepEqual(
    shown.data.entries.map(({ kind }: { kind: string }) => kind),
    ['writ', 'dispatch', 'commit'],
  )
  assert.match((await run(['flows', 'show', rejected, ...at])).stdout, /LIMIT_EXCEEDED REFUND/)
  assert.equal((await run(['flows', 'show', 'nobody', ...at])).exit, 2)
  assert.equal((await runJson(['executions', ...at])).data.executions[0].status, 'SUCCESS')
  assert.equal((await runJson(['executions', 'reconcile', ...at])).data.looked_at, 0)
  assert.match((await run(['ledger', 'show', ...at])).stdout, /^19 entries, checkpoint covers 19$/m)
  const heads = (await runJson(['ledger', 'show', ...at])).data.trajectories
  assert.deepEqual(
    heads.map(({ trajectory }: { trajectory: string }) => trajectory),
    ['authority', 'main'],
  )
  const { entries } = (await runJson(['ledger', 'show', 'main/5', ...at])).data
  assert.deepEqual(
    entries.map(({ seq }: { readonly seq: number }) => seq),
    [5],
  )
  assert.equal(
    (await runJson(['ledger', 'show', 'main', '--limit', '2', ...at])).data.entries.length,
    2,
  )
  assert.equal((await run(['ledger', 'show', 'nowhere', ...at])).exit, 2)
  const watched = await run(['flows', 'watch', '--from', '0', '--until-idle', '--json', ...at])
  assert.equal(watched.stdout.trim().split('\n').length, 19)
})

test('a flow is cancelled, a trajectory branched, the whole exported and verified', async () => {
  const [, rejected = ''] = dfids
  const cancel = ['flows', 'cancel', rejected, '--reason', 'not needed', '--yes', ...at]
  assert.equal((await run(cancel)).exit, 0)
  assert.equal((await runJson(cancel)).data.error.code, 'FLOW_NOT_OPEN')
  assert.equal((await run(['branch', 'main', '--at', '3', '--name', 'what-if', ...at])).exit, 0)
  assert.equal((await run(['branch', 'main', '--at', '3', '--name', 'what-if', ...at])).exit, 2)
  assert.equal((await runJson(['replay', 'what-if', ...at])).data.ok, true)
  const file = join(folder, 'all.ndjson')
  assert.equal((await runJson(['ledger', 'export', file, ...at])).data.entries, 21)
  assert.equal((await run(['verify', file])).exit, 0)
  assert.equal((await run(['ledger', 'export', '-', ...at])).stdout, readFileSync(file, 'utf8'))
})

test('a restored copy is refused, found by the doctor, accepted only with a reason', async () => {
  const place = home()
  await run(['contract', 'deploy', EXAMPLE, ...place.at])
  const database = join(place.folder, 'rubicon.db')
  copyFileSync(database, `${database}.old`)
  await run(['agents', 'suspend', 'refunds_bot', '--reason', 'r', '--yes', ...place.at])
  for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true })
  copyFileSync(`${database}.old`, database)

  const refused = await runJson([
    'agents',
    'retire',
    'refunds_bot',
    '--reason',
    'r',
    '--yes',
    ...place.at,
  ])
  assert.deepEqual([refused.exit, refused.data.error.code], [2, 'LEDGER_ROLLBACK'])
  const ill = await runJson(['doctor', ...place.at])
  assert.equal(ill.exit, 4)
  const accept = ['ledger', 'accept-restore', ...place.at]
  assert.equal((await run([...accept])).exit, 2)
  const { exit, data } = await runJson([...accept, '--reason', 'disk died, backup of noon'])
  assert.deepEqual([exit, data.action, data.epoch], [0, 'accept_restore', 1])
  assert.equal((await runJson(['doctor', ...place.at])).exit, 0)
  assert.equal((await runJson(['verify', ...place.at.slice(0, 2)])).data.ok, true)
  const again = await runJson([...accept, '--reason', 'again'])
  assert.deepEqual([again.exit, again.data.error.code], [2, 'NOTHING_TO_ACCEPT'])
  assert.match(again.data.error.fix, /rubicon verify/)
})

test('the doctor names what is wrong and how to fix it', async () => {
  const place = home()
  const { exit, data } = await runJson(['doctor', ...place.at])
  assert.equal(exit, 0)
  assert.ok(data.checks.some(({ status }: { status: string }) => status === 'warning'))
  await run(['contract', 'deploy', EXAMPLE, ...place.at])
  const other = await runJson(['doctor', ...place.at.slice(0, 2), '--state', join(folder, 'state')])
  assert.equal(other.exit, 4)
  const strange = other.data.checks.find(({ name }: { name: string }) => name === 'registered')
  assert.equal(strange.status, 'failure')
  writeFileSync(
    join(place.folder, 'rubicon.db'),
    'not a database at all, but long enough to be read',
  )
  assert.equal((await run(['doctor', ...place.at])).exit, 4)
})

test('the doctor counts the notices that reached nobody', async () => {
  const place = home()
  await run(['contract', 'deploy', EXAMPLE, ...place.at])
  const notices = async (): Promise<unknown> => {
    const { data } = await runJson(['doctor', ...place.at])
    return data.checks.find(({ name }: { name: string }) => name === 'notices').detail
  }
  assert.equal(await notices(), 'all are sent')
  const notice: Notice = {
    id: 'flow-1:1:drift',
    kind: 'drift',
    agent_id: 'refunds_bot',
    reason_code: 'STATE_DRIFT_DETECTED',
    channel: 'ops',
    at: '2026-06-01T12:00:00.000Z',
    details: {},
  }
  for (const [group, detail] of [
    ['due', '1 on their way'],
    ['failed', '1 reached nobody'],
  ] as const) {
    const store = await openStore(`sqlite:${join(place.folder, 'rubicon.db')}`, 'default')
    const body = { notice, attempts: 1, next_at: notice.at }
    await store.commit({ guards: [], writes: [buildQueueWrite(group, body)] })
    await store.close()
    assert.equal(await notices(), detail)
  }
})

/** The longest beginning that two of them have, and which two. */
function sharedBeginning(ids: readonly string[]): readonly [string, string, string] {
  const pairs = ids.flatMap((one, i) => ids.slice(i + 1).map((other) => [one, other] as const))
  const found = pairs.map(([one, other]): readonly [string, string, string] => {
    const differs = [...one].findIndex((digit, i) => digit !== other[i])
    return [one.slice(0, differs), one, other]
  })
  return found.sort(([a], [b]) => b.length - a.length)[0] ?? ['', '', '']
}
