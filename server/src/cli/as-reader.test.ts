/** Verbs that read: over the store beside whoever holds it, and over a server that runs. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Served, served } from '../http/served.test-support.ts'
import { type Data, EXAMPLE, type Home, home, run, runJson } from './cli.test-support.ts'

/** Each of them, with what it is asked about; `dfid` is of a flow that waits for somebody. */
function listReads(dfid: string, key_id: string): readonly (readonly string[])[] {
  return [
    ['agents', 'list'],
    ['agents', 'show', 'refunds_bot'],
    ['contract', 'diff', EXAMPLE],
    ['escalations', 'list'],
    ['escalations', 'show', dfid.slice(0, -1)],
    ['executions', 'list'],
    ['export', dfid.slice(0, -1)],
    ['flows', 'list'],
    ['flows', 'show', dfid.slice(0, -1)],
    ['keys', 'list'],
    ['keys', 'show', key_id],
    ['ledger', 'show'],
    ['ledger', 'show', 'main'],
    ['monitors', 'list'],
    ['person', 'list'],
    ['source', 'list'],
    ['writ', 'inspect'],
    ['writ', 'inspect', dfid.slice(0, -1)],
  ]
}

type Asked = { readonly it: Served; readonly dfid: string; readonly key_id: string }

/** A runtime on a store of its own, with a flow that waits for somebody. */
async function running(t: TestContext, { at }: Home): Promise<Asked> {
  const [, store = '', , stateDirectory = ''] = at
  const it = await served(t, { store, stateDirectory })
  const { dfid, propose } = await it.runtime.open({ agent: 'refunds_bot', trigger: 'x' })
  const params = { order: 'o_1', amount: '700.00' }
  assert.equal((await propose({ policy_kind: 'REFUND', params })).outcome, 'ESCALATED')
  await it.runtime.engine.checkpoint()
  const { keys } = await it.runtime.engine.context.authorities.loadLatest()
  const [key] = [...keys.values()].filter(({ purpose }) => purpose === 'checkpoint')
  return { it, dfid, key_id: key?.key_id ?? '' }
}

test('a verb that reads works beside a runtime, without its keys, and leaves nothing behind', async (t) => {
  const place = home()
  const { dfid, key_id } = await running(t, place)
  const elsewhere = join(place.folder, 'no-state')
  const [, store = ''] = place.at
  for (const verb of listReads(dfid, key_id)) {
    const { exit, data } = await runJson([...verb, '--store', store, '--state', elsewhere])
    assert.equal(exit, 0, `${verb.join(' ')}: ${JSON.stringify(data)}`)
  }
  assert.ok(!existsSync(elsewhere), 'a reader makes no folder')
})

test('a verb that reads says the same of a server as of its store', async (t) => {
  const place = home()
  const { it, dfid, key_id } = await running(t, place)
  const { token = '', url } = it.person('al', 'auditor')
  const file = join(place.folder, 'token')
  writeFileSync(file, token)
  for (const verb of listReads(dfid, key_id)) {
    const there = await runJson([...verb, '--server', url, '--token-file', file])
    const here = await runJson([...verb, ...place.at])
    assert.deepEqual([there.exit, here.exit], [0, 0], verb.join(' '))
    // The day that verdicts are counted over ends when somebody looks.
    for (const { data } of [there, here]) delete data.verdicts?.since
    assert.deepEqual(there.data, here.data, verb.join(' '))
  }
})

test('rules, entries as they come and the whole ledger are the same of a server as of its store', async (t) => {
  const place = home()
  const { it } = await running(t, place)
  const { token = '', url } = it.person('al', 'auditor')
  const file = join(place.folder, 'token')
  writeFileSync(file, token)
  for (const verb of [
    ['rules', '--json'],
    ['flows', 'watch', '--from', '0', '--until-idle', '--json'],
    ['flows', 'watch', '--from', '3', '--until-idle'],
    ['ledger', 'export', '-'],
  ]) {
    const there = await run([...verb, '--server', url, '--token-file', file])
    const here = await run([...verb, ...place.at])
    assert.deepEqual([there.exit, here.exit], [0, 0], verb.join(' ') + there.stderr + here.stderr)
    assert.notEqual(here.stdout, '')
    assert.equal(there.stdout, here.stdout, verb.join(' '))
  }
  const ledger = join(place.folder, 'ledger.ndjson')
  const exported = ['ledger', 'export', ledger, '--server', url, '--token-file', file]
  const { data } = await runJson(exported)
  assert.equal(data.entries, readFileSync(ledger, 'utf8').trim().split('\n').length - 1)
  assert.equal((await run(['verify', ledger])).exit, 0)
})

test('a ledger that is cut off on its way is no ledger', async (t) => {
  const place = home()
  await running(t, place)
  const { stdout } = await run(['ledger', 'export', '-', ...place.at])
  const lines = stdout.trimEnd().split('\n')
  const cut = `${lines.slice(0, -1).join('\n')}\n`
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/plain' })
    answer.end(cut)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const token = join(place.folder, 'token')
  writeFileSync(token, 'x'.repeat(40))
  const at = ['--server', `http://127.0.0.1:${port}`, '--token-file', token]
  const { exit, data } = await runJson(['ledger', 'export', join(place.folder, 'cut'), ...at])
  assert.deepEqual([exit, data.error.code], [2, 'EXPORT_CUT'])
  assert.match(data.error.summary, new RegExp(`${lines.length - 2} of ${lines.length - 1} entries`))
})

test('an id that nothing begins with is refused with what it is instead, at a server too', async (t) => {
  const place = home()
  const { it, dfid } = await running(t, place)
  const { token = '', url } = it.person('al', 'auditor')
  const file = join(place.folder, 'token')
  writeFileSync(file, token)
  for (const at of [place.at, ['--server', url, '--token-file', file]]) {
    const refused = async (...argv: readonly string[]): Promise<Data> =>
      (await runJson([...argv, ...at])).data.error
    assert.match((await refused('flows', 'show', 'refunds_bot')).summary, /is an agent, not a flow/)
    assert.match((await refused('flows', 'show', dfid.slice(0, 7))).summary, /too short/)
    assert.equal(
      (await refused('flows', 'show', `0${dfid.slice(1, 8)}ffffff`)).code,
      'FLOW_UNKNOWN',
    )
    assert.equal((await refused('escalations', 'show', 'nobody')).code, 'ESCALATION_UNKNOWN')
    assert.equal((await refused('keys', 'show', 'nobody')).code, 'KEY_UNKNOWN')
    assert.equal(
      (await refused('writ', 'inspect', `sha256:${'0'.repeat(64)}`)).code,
      'WRIT_MISSING',
    )
  }
})

test('keys are read where no ledger opens, and where the key files are damaged', async () => {
  const { at, folder } = home()
  await run(['contract', 'deploy', EXAMPLE, ...at])
  const database = join(folder, 'rubicon.db')
  copyFileSync(database, `${database}.old`)
  const suspend = ['agents', 'suspend', 'refunds_bot', '--reason', 'a drill', '--yes', ...at]
  assert.equal((await run(suspend)).exit, 0)
  for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true })
  copyFileSync(`${database}.old`, database)
  assert.equal((await runJson(suspend)).data.error.code, 'LEDGER_ROLLBACK')
  const keys = join(folder, 'state', 'keys')
  for (const name of readdirSync(keys)) writeFileSync(join(keys, name), 'damaged')
  for (const verb of ['keys', 'agents', 'flows'])
    assert.equal((await run([verb, 'list', ...at])).exit, 0, verb)
})
