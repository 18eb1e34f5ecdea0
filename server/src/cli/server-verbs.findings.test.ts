/** Verbs that change something, against a server that runs on the store. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { handClock } from '../../../runtime/src/engine/flow/hand-clock.test-support.ts'
import type { Clock } from '../../../runtime/src/ports/clock.ts'
import { type Served, served } from '../http/served.test-support.ts'
import { type Data, EXAMPLE, home, run, runJson } from './cli.test-support.ts'
import { VERBS } from './verbs.ts'

/** They work on files, or on the whole of a store at once. */
const APART = [
  ...['verify', 'replay', 'recompile', 'explain'],
  ...['policy check', 'policy save', 'policy test'],
  ...['contract check', 'monitors dry-run', 'doctor', 'schema', 'init'],
  ...['tool check', 'tool list', 'tool add', 'tool import'],
  ...['artifact show', 'artifact symbols', 'artifact apply', 'artifact undo', 'artifact diff'],
  // Files that the server of this machine's store reads as well.
  'artifact adopt',
  // Files of a git repository, and its configuration.
  ...['merge-driver install', 'merge-driver uninstall', 'merge-driver run'],
  // Files of the gateway, and servers that it starts itself.
  ...['mcp init', 'mcp eject', 'mcp token'],
  // Files on the machine of the store, written while nothing else does.
  ...['archive create', 'archive list', 'archive restore'],
]
/** They are, or start, the server itself; ask one already; or must work where no engine starts. */
const THEMSELVES = [
  ...['quickstart', 'up', 'demo', 'shell', 'mcp', 'token', 'ledger accept-restore'],
  ...['dev', 'open', 'reset'],
  // The keys of the machine.
  ...['keys seal', 'keys unseal'],
  // A runtime that runs does it by itself, all the time.
  'executions reconcile',
]

const MONITOR = `api_version: rubicon/v1
kind: Monitor
name: mean_refund
agents: [refunds_bot]
statistic: {kind: mean, value: "measure:refund_usd", max: "50"}
window: {executions: 3}
`

type Asking = {
  readonly it: Served
  readonly folder: string
  /** Runs a verb as an operator, and says what it said. */
  ask(...argv: readonly string[]): Promise<Data>
  /** The code that it is refused with. */
  refused(...argv: readonly string[]): Promise<string>
  file(name: string, text: string): string
}

async function asking(
  t: TestContext,
  ...roles: Parameters<Served['person']>[1][]
): Promise<Asking> {
  const it = await served(t)
  const { folder } = home()
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const { token = '' } = it.person(
    'olga',
    ...(roles.length === 0 ? (['operator'] as const) : roles),
  )
  const at = ['--server', it.server.url, '--token-file', file('token', `${token}\n`)]
  // Nothing may touch a store here: there is none.
  const nowhere = ['--store', `sqlite:${join(folder, 'none', 'no.db')}`]
  const said = async (argv: readonly string[]): Promise<{ exit: number; data: Data }> =>
    runJson([...argv, ...at, ...nowhere])
  return {
    it,
    folder,
    file,
    async ask(...argv) {
      const { exit, data } = await said(argv)
      assert.equal(exit, 0, `${argv.join(' ')}: ${JSON.stringify(data)}`)
      return data
    },
    async refused(...argv) {
      const { exit, data } = await said(argv)
      assert.equal(exit, 2, `${argv.join(' ')}: ${JSON.stringify(data)}`)
      return data.error.code
    },
  }
}

test('finding 27e: every verb that asks the routes takes --server, and no other does', () => {
  const remote = VERBS.filter((spec) => spec.remote === true).map(({ verb }) => verb)
  const all = [...remote, ...APART, ...THEMSELVES]
  assert.deepEqual(all.toSorted(), VERBS.map(({ verb }) => verb).toSorted())
})

test('finding 27e: contracts, agents, keys and writs are changed while a server runs', async (t) => {
  const { it, ask, refused, file, folder } = await asking(t)
  const text = readFileSync(EXAMPLE, 'utf8').replaceAll('refunds_bot', 'clerk')
  const { deployed } = await ask('contract', 'deploy', file('clerk.yaml', text))
  assert.deepEqual([deployed[0].agent_id, deployed[0].unchanged], ['clerk', false])
  assert.equal((await ask('contract', 'deploy', EXAMPLE)).deployed[0].unchanged, true)
  const why = ['--reason', 'a drill', '--yes']
  await it.agent('clerk')
  assert.deepEqual((await ask('agents', 'suspend', 'clerk', ...why)).to, 'SUSPENDED')
  assert.deepEqual((await ask('agents', 'reactivate', 'clerk', '--reason', 'over')).to, 'ACTIVE')
  assert.equal((await ask('agents', 'spawn', 'clerk', 'clerk-1')).instance_of, 'clerk')
  const pem = join(folder, 'clerk.pem')
  const make = ['keys', 'register', '--subject', 'clerk', '--out', pem, '--purpose']
  const { key_id } = await ask(...make, 'agent')
  assert.match(readFileSync(pem, 'utf8'), /PRIVATE KEY/)
  assert.deepEqual((await ask('keys', 'retire', key_id, '--yes')).action, 'retire')
  assert.equal((await ask('keys', 'compromise', key_id, '--since', '3', '--yes')).since_seq, 3)
  const other = [...make.slice(0, 5), join(folder, 'kernel.pem'), '--purpose', 'kernel']
  assert.equal(await refused(...other), 'KEY_OF_RUNTIME')
  assert.ok(!readdirSync(folder).some((name) => name.startsWith('kernel.pem')))
  const writ = await ask('writ', 'issue', 'clerk', '--hours', '2')
  const narrower = ['--subject', 'refunds_bot', '--budget', 'calls=5', '--hours', '1']
  const child = await ask('writ', 'attenuate', writ.id, ...narrower)
  assert.deepEqual([child.body.parent, child.body.budget.calls], [writ.id, '5'])
  assert.equal((await ask('writ', 'revoke', child.id, ...why)).revoked, child.id)
  assert.equal((await ask('contract', 'revoke', 'clerk', ...why)).revoked, 'clerk')
  const killed = await ask('agents', 'kill', 'refunds_bot', ...why)
  assert.deepEqual([killed.to, typeof killed.seq], ['SUSPENDED', 'number'])
  assert.equal((await ask('agents', 'retire', 'clerk', ...why)).to, 'RETIRED')
  const { statuses } = await it.runtime.engine.context.authorities.loadLatest()
  assert.deepEqual([statuses.get('refunds_bot'), statuses.get('clerk')], ['SUSPENDED', 'RETIRED'])
})

test('finding 27e: flows, effects, people, sources and monitors are changed while a server runs', async (t) => {
  const { it, ask, refused, file } = await asking(t, 'operator', 'approver')
  const { runtime } = it
  const { dfid } = await runtime.open({ agent: 'refunds_bot', trigger: 'x' })
  const why = ['--reason', 'a drill', '--yes']
  assert.equal((await ask('flows', 'cancel', dfid, ...why)).cancelled, true)
  assert.equal((await ask('erase', dfid, '--dry-run')).seq, null)
  assert.equal(typeof (await ask('erase', dfid, ...why)).seq, 'number')
  const asked = await runtime.open({ agent: 'refunds_bot', trigger: 'y' })
  const params = { order: 'o_1', amount: '700.00' }
  const { outcome } = await asked.propose({ policy_kind: 'REFUND', params })
  assert.equal(outcome, 'ESCALATED')
  const [request] = await runtime.engine.oversight.escalations()
  const decide = ['escalations', 'resolve', request?.id ?? '', '--decision', 'ABORT']
  const because = ['--justification', 'nobody waits for it', '--yes']
  assert.equal(await refused(...decide, ...because, '--by', 'ann'), 'USAGE', 'the token says who')
  const decided = await ask(...decide, ...because)
  assert.deepEqual([decided.by, decided.outcome], ['olga', 'aborted'])
  const found = ['--outcome', 'applied', '--evidence', 'the bank says so', ...why]
  assert.equal(await refused('executions', 'resolve', dfid, 'main', ...found), 'EXECUTION_UNKNOWN')
  const ann = await ask('person', 'register', 'ann@example.com')
  const login = ['--issuer', 'https://login.example.com', '--sub', '7']
  assert.equal((await ask('person', 'link', 'ann@example.com', ...login)).person_id, ann.person_id)
  await ask('person', 'unlink', ann.person_id, ...login, '--yes')
  const bob = await ask('person', 'register', 'bob@example.com')
  await ask('person', 'merge', bob.person_id, 'ann@example.com', '--yes')
  const paths = ['--label', 'external', '--paths', 'shop.*']
  assert.equal((await ask('source', 'add', 'till', ...paths)).source.source_id, 'till')
  assert.equal((await ask('source', 'retire', 'till', '--yes')).retired, 'till')
  const { deployed } = await ask('monitors', 'deploy', file('monitor.yaml', MONITOR))
  assert.deepEqual([deployed[0].name, deployed[0].unchanged], ['mean_refund', false])
  assert.equal((await ask('monitors', 'withdraw', 'mean_refund', ...why)).withdrawn, 'mean_refund')
  assert.equal(
    (await ask('branch', 'main', '--at', '0', '--name', 'what-if')).trajectory,
    'what-if',
  )
  assert.equal(await refused('clock', 'confirm', '--reason', 'x'), 'NOTHING_TO_ACCEPT')
})

test('finding 27e: a clock that was set back is confirmed at the server that does not follow it', async (t) => {
  const hand = handClock()
  let offset = 0
  const clock: Clock = { ...hand, now: () => hand.now() + offset }
  const it = await served(t, { clock, background: false })
  const { token = '', url } = it.person('olga', 'operator')
  offset = -3_600_000
  const opened = await it.runtime.engine.open({ agent: 'refunds_bot', trigger: 'x' })
  assert.equal(opened.ok ? null : opened.error.code, 'CLOCK_SKEW')
  const { folder } = home()
  const file = join(folder, 'token')
  writeFileSync(file, token)
  const said = [
    'clock',
    'confirm',
    '--reason',
    'the battery',
    '--server',
    url,
    '--token-file',
    file,
  ]
  const { exit, data } = await runJson(said)
  assert.deepEqual([exit, data.action], [0, 'confirm_clock'], JSON.stringify(data))
  assert.ok((await it.runtime.engine.open({ agent: 'refunds_bot', trigger: 'x' })).ok)
})

test('finding 27e: a token is read from a file or the environment, and its role counts', async (t) => {
  const { refused, it, folder } = await asking(t, 'auditor')
  const make = ['keys', 'register', '--purpose', 'agent', '--subject', 'refunds_bot', '--out']
  const pem = join(folder, 'agent.pem')
  assert.equal(await refused(...make, pem), 'ROLE_MISSING')
  assert.ok(!existsSync(pem) && !existsSync(`${pem}.unregistered`))
  const bare = [...make, pem, '--server', it.server.url]
  assert.deepEqual((await runJson(bare)).data.error.code, 'TOKEN_MISSING')
  assert.equal((await runJson([...bare, '--token', 'x'])).data.error.code, 'USAGE')
  const far = ['clock', 'confirm', '--reason', 'x', '--server', 'http://example.com']
  assert.match((await run(far)).stderr, /clear text/)
})

test('finding 27e: a store that a server holds names --server to whoever opens it', async (t) => {
  const { at, folder } = home()
  const [, store = '', , stateDirectory = ''] = at
  await served(t, { store, stateDirectory })
  const { exit, data } = await runJson([
    'agents',
    'suspend',
    'refunds_bot',
    '--reason',
    'x',
    '--yes',
    ...at,
  ])
  assert.deepEqual([exit, data.error.code], [2, 'STORE_LOCKED'])
  assert.match(data.error.fix, /--server URL/)
  const pem = join(folder, 'agent.pem')
  const make = ['keys', 'register', '--purpose', 'agent', '--subject', 'refunds_bot', '--out', pem]
  assert.equal((await run([...make, ...at])).exit, 2)
  assert.ok(!existsSync(pem) && !existsSync(`${pem}.unregistered`))
})
