import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { ask, type HttpAnswer, type HttpPlace } from '../agent-auth/client.ts'
import { parseLedgerQuery } from '../lookups/ledger-query.ts'
import { PROBLEM_CODES } from '../problems/problem.ts'
import {
  AGENT,
  freshKey,
  get,
  post,
  problemOf,
  refund,
  type Served,
  served,
} from '../served.test-support.ts'

const FILE = join(temporaryFolder(), 'rubicon.db')
const rate = { perSecond: 0, atOnce: 10_000 }

/** One for all tests of this file, opened by the first that needs it: some run alone. */
let opened: Promise<Served> | null = null

function stage(): Promise<Served> {
  const options = { store: `sqlite:${FILE}`, background: false, parts: { rate, strangers: rate } }
  opened ??= served({ after() {} } as unknown as TestContext, options)
  return opened
}

after(async () => (await opened)?.close())

test('a source of facts signs in to no browser, and a timer that could never open a flow is refused', async () => {
  const { agent, person, server } = await stage()
  const { token } = person('prices', 'source')
  const signIn = await post({ url: server.url }, '/v1/session', { body: { token } })
  assert.deepEqual(problemOf(signIn), [403, 'ROLE_MISSING'])
  const bot = await agent()
  const set = (body: object): Promise<HttpAnswer> =>
    ask(bot, 'PUT', `/v1/agents/${AGENT}/timers/t`, { body, headers: freshKey() })
  const every_ms = 3_600_000
  for (const odd of [{ trigger: 'x', state: ['no path'] }, { trigger: '\u200b\u2060' }])
    assert.deepEqual(problemOf(await set({ every_ms, ...odd })), [422, 'TIMER_INVALID'])
  assert.equal((await set({ every_ms, trigger: 'x', state: ['market.*', '*'] })).status, 200)
})

test('finding 36a: a search by what every object has returns everything', async () => {
  const { person } = await stage()
  const ann = person('ann', 'auditor')
  for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    assert.equal(parseLedgerQuery(`${word}:x`).ok, false, word)
    const found = await get(ann, `/v1/ledger/entries?q=${word}:x`)
    assert.deepEqual(problemOf(found), [400, 'QUERY_UNREADABLE'])
  }
})

test('finding 36b: a reason that nobody can see lifts a suspension', async () => {
  const { person } = await stage()
  const olga = person('olga', 'operator')
  const move = (to: string, justification: string): Promise<HttpAnswer> =>
    post(olga, `/v1/agents/${AGENT}/transitions`, {
      body: { to, justification },
      headers: freshKey(),
    })
  assert.equal((await move('SUSPENDED', 'it looks wrong')).status, 200)
  for (const unseen of ['\u200b\u200d', '\u3164', ' \ufeff\u2060 ', '\u2800'])
    assert.deepEqual(problemOf(await move('ACTIVE', unseen)), [422, 'JUSTIFICATION_REQUIRED'])
  assert.equal((await move('ACTIVE', 'it was right')).status, 200)
})

/** What is answered to bytes as they are. */
function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let said = ''
    socket.setEncoding('utf8').on('data', (text) => {
      said += text
    })
    socket.on('close', () => resolve(said)).on('error', reject)
    socket.write(bytes)
  })
}

test('finding 36d: a request with two hosts, or two tokens, is taken for one of them', async () => {
  const { server } = await stage()
  const line = (path: string, ...headers: readonly string[]): string =>
    [`GET ${path} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n')
  const host = `Host: ${new URL(server.url).host}`
  for (const path of ['/healthz', '/', '/v1/nothing']) {
    const twice = await raw(server.url, line(path, host, 'Host: evil.example.com'))
    assert.match(twice, /^HTTP\/1.1 400 /, path)
    assert.match(twice, /REQUEST_INVALID/)
  }
  const tokens = await raw(
    server.url,
    line('/v1/flows', host, 'Authorization: Bearer a', 'authorization: Bearer b'),
  )
  assert.match(tokens, /^HTTP\/1.1 400 /)
  assert.match(await raw(server.url, line('/healthz', host)), /^HTTP\/1.1 200 /)
})

test('finding 36e: an address that is asked in another way is not there', async () => {
  const { server } = await stage()
  const host = `Host: ${new URL(server.url).host}`
  const say = (line: string): Promise<string> =>
    raw(server.url, `${line} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`)
  for (const method of ['TRACE', 'PROPFIND', 'LOCK', 'PUT', 'HEAD', 'OPTIONS', 'PATCH']) {
    const answer = await say(`${method} /v1/flows?x=1`)
    assert.match(answer, /^HTTP\/1.1 405 /, method)
    assert.match(answer, /\r\nallow: POST, GET\r\n/i, method)
  }
  assert.match(await say('TRACE /v1/flows/x/proposals'), /^HTTP\/1.1 405 /)
  assert.match(await say('TRACE /v1/nothing'), /^HTTP\/1.1 404 /)
  assert.match(await say('DELETE /v1/flows//proposals'), /^HTTP\/1.1 404 /)
})

/** What an engine, a policy or a contract fails with where no visitor of the server hears it. */
const NEVER_SENT: readonly string[] = [
  // At a start, and by the command.
  'FILE_UNREADABLE',
  'POLICY_UNPINNED',
  'RULES_ANY_SHARED',
  'RULES_OVERLAP',
  'STORE_FORMAT',
  'TOPICS_INVALID',
  'TOPOLOGIES_INVALID',
  // Of what a capability returned, and of what an agent spawned by a proposal: they stand in its step.
  'DELTA_INVALID',
  'AGENT_EXISTS',
  'INSTANCE_FOREIGN',
  'INSTANCE_LIMIT',
  'INSTANCE_UNTIL',
]

test('finding 36c: a code is sent that the API document does not have', () => {
  const root = join(import.meta.dirname, '../../../..')
  const folders = ['runtime/src/engine', 'server/src/http/routes', 'runtime/src/contract-file']
  const sources = [...folders, 'runtime/src/policies', 'kernel/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/\.test(-support)?\.ts$/.test(name))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  )
  const named = sources.flatMap((text) =>
    [...text.matchAll(/\bcode: '([A-Z][A-Z0-9_]+)'/g)].map(([, code = '']) => code),
  )
  assert.ok(named.length > 100)
  const known = new Set([...PROBLEM_CODES, ...NEVER_SENT])
  assert.deepEqual([...new Set(named.filter((code) => !known.has(code)))], [])
})

function rowsIn(file: string): Readonly<Record<string, number>> {
  const database = new DatabaseSync(file, { readOnly: true })
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const counted = tables.map(({ name }) => {
    const row = database.prepare(`SELECT count(*) AS rows FROM "${name}"`).get()
    return [String(name), Number(row?.rows)]
  })
  database.close()
  return Object.fromEntries(counted)
}

test('finding 36h: what is refused grows the store', async () => {
  const it = await stage()
  const [bot, olga] = [await it.agent(), it.person('otto', 'operator', 'approver', 'auditor')]
  const flow = await it.open(bot)
  const refusals: readonly (readonly [HttpPlace, string, object])[] = [
    [bot, '/v1/flows', { trigger: 'x', dfid: 'mine' }],
    [bot, '/v1/flows', { trigger: 'x', trajectory: 'authority' }],
    [bot, '/v1/flows', { trigger: 'x', parent: '019ca8c0-0000-7000-8000-000000000001' }],
    [bot, '/v1/flows', { nothing: true }],
    [bot, '/v1/flows/019ca8c0-0000-7000-8000-000000000001/proposals', refund(flow)],
    [bot, '/v1/observations', { path: 'market.price', value: 1 }],
    [bot, '/v1/agents/other_bot/transitions', { to: 'RETIRED', justification: 'x' }],
    [bot, '/v1/contracts', { text: 'x' }],
    [olga, '/v1/agents/nobody/transitions', { to: 'RETIRED', justification: 'x' }],
    [olga, `/v1/agents/${AGENT}/transitions`, { to: 'ACTIVE', justification: 'x' }],
    [olga, '/v1/writs', { agent: 'nobody' }],
    [olga, '/v1/contracts', { text: 'no contract' }],
    [olga, '/v1/escalations/none/decision', { decision: 'ABORT' }],
    [olga, '/v1/executions/none/resolution', { outcome: 'applied' }],
    [{ url: it.server.url, token: 'x'.repeat(40) }, '/v1/flows', { trigger: 'x' }],
    [{ url: it.server.url }, '/v1/session', { token: 'x'.repeat(40) }],
    [{ url: it.server.url }, '/v1/agents/handshake', { agent: AGENT }],
  ]
  const refuseAll = async (): Promise<void> => {
    for (const [place, path, body] of refusals) {
      const { status } = await post(place, path, { body, headers: freshKey() })
      assert.ok(status >= 400, `${path}: ${status}`)
    }
  }
  // Who decides something for the first time is registered as a person, once.
  await refuseAll()
  const before = rowsIn(FILE)
  await refuseAll()
  assert.deepEqual(rowsIn(FILE), before)
  assert.equal((await ask(bot, 'GET', '/v1/flows')).status, 200)
})
