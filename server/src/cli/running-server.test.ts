/** Verbs without `--server`, beside a server that runs on the store: they ask it over its Unix socket. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { type EntryEvent, listen } from 'rubicon-agents/events'
import { createRuntime, type Runtime, type RuntimeOptions } from '../../../runtime/src/compose.ts'
import { buildRefundsContract, refundCapability } from '../demo/refunds.ts'
import { ask } from '../http/agent-auth/client.ts'
import { type Serving, serve } from '../http/serve.ts'
import { createSocketFetch } from '../local-socket/socket-fetch.ts'
import { formatOperatorHeader } from '../people/local-operator.ts'
import { type Data, EXAMPLE, type Home, home, run, runJson } from './cli.test-support.ts'
import { main } from './main.ts'
import { findRunningServer } from './running-server.ts'

type Running = {
  readonly runtime: Runtime
  readonly serving: Serving
  readonly told: readonly string[]
  close(): Promise<void>
}

/** A server as a library starts it, on the store of `home`. */
async function running(
  t: TestContext,
  { at }: Home,
  more: Partial<RuntimeOptions> = {},
): Promise<Running> {
  const told: string[] = []
  const runtime = await createRuntime({
    ...toPlace(at),
    capabilities: [refundCapability([])],
    report: (line) => void told.push(line),
    ...more,
  })
  t.after(() => runtime.close())
  const serving = await serve(runtime, { port: 0 })
  await runtime.deploy(buildRefundsContract())
  return { runtime, serving, told, close: () => runtime.close() }
}

function toPlace(at: Home['at']): { readonly store: string; readonly stateDirectory: string } {
  const [, store = '', , stateDirectory = ''] = at
  return { store, stateDirectory }
}

function listRun({ folder }: Home): readonly string[] {
  const run = join(folder, 'state', 'run')
  return existsSync(run) ? readdirSync(run).sort() : []
}

/** What the only server announces. */
function readAnnounced({ folder }: Home): Data {
  const [file = ''] = listRun({ folder, at: [] }).filter((name) => name.endsWith('.json'))
  return JSON.parse(readFileSync(join(folder, 'state', 'run', file), 'utf8'))
}

async function isFound({ at }: Home): Promise<boolean> {
  const { store, stateDirectory: state } = toPlace(at)
  const keys = { keyAgent: undefined, passphraseFile: undefined }
  return (await findRunningServer({ store, state, tenant: 'default', ...keys }, 200)) !== null
}

const SUSPEND = ['agents', 'suspend', 'refunds_bot', '--reason', 'a drill', '--yes']

test('a verb that writes asks the server that holds the store', async (t) => {
  const place = home()
  const { runtime } = await running(t, place)
  const { exit, data } = await runJson([...SUSPEND, ...place.at])
  assert.equal(exit, 0, JSON.stringify(data))
  const { statuses } = await runtime.engine.context.authorities.loadLatest()
  assert.equal(statuses.get('refunds_bot'), 'SUSPENDED')
  const { data: said } = await runJson(['agents', 'show', 'refunds_bot', ...place.at])
  assert.equal(said.status, 'SUSPENDED')
})

test('a new token comes with the address of the console of the server that runs', async (t) => {
  const place = home()
  const before = await run(['token', ...place.at])
  assert.doesNotMatch(before.stdout, /console/)
  const { serving } = await running(t, place)
  const made = await run(['token', ...place.at])
  assert.equal(made.exit, 0, made.stderr)
  assert.ok(made.stdout.includes(`  console  ${serving.url}\n`), made.stdout)
})

test('the name that is given travels with it; without one, what is signed names nobody', async (t) => {
  const place = home()
  const { runtime } = await running(t, place)
  const { dfid, propose } = await runtime.open({ agent: 'refunds_bot', trigger: 'x' })
  const params = { order: 'o_1', amount: '700.00' }
  assert.equal((await propose({ policy_kind: 'REFUND', params })).outcome, 'ESCALATED')
  const decide = ['escalations', 'resolve', dfid, '--decision', 'ABORT', '--yes']
  const word = ['--justification', 'it was paid already', '--by', 'žofie@example.com']
  const { exit, data } = await runJson([...decide, ...word, ...place.at])
  assert.equal(exit, 0, JSON.stringify(data))
  const { data: persons } = await runJson(['person', 'list', ...place.at])
  assert.match(JSON.stringify(persons), /žofie@example\.com/)
  assert.equal((await run([...SUSPEND, ...place.at])).exit, 0)
  const { data: ledger } = await runJson(['ledger', 'show', 'authority', ...place.at])
  assert.doesNotMatch(JSON.stringify(ledger), /"by":"operator"/)
})

test('what happens is heard over the socket too', async (t) => {
  const place = home()
  const { runtime } = await running(t, place)
  const heard = new Promise<EntryEvent>((resolve) => {
    const listening = listen({
      url: 'http://localhost',
      fetch: createSocketFetch(readAnnounced(place).socket),
      headers: () => formatOperatorHeader(undefined),
      after: -1,
      onEvent: (event) => {
        listening.stop()
        resolve(event)
      },
    })
    t.after(() => listening.stop())
  })
  await runtime.engine.checkpoint()
  assert.equal((await heard).leaf, 0)
})

test('entries are watched over the socket until somebody ends it', async (t) => {
  const place = home()
  const { runtime } = await running(t, place)
  const { promise: isWatching, resolve: tellWatching } = Promise.withResolvers<void>()
  const { promise: isSeen, resolve: tellSeen } = Promise.withResolvers<void>()
  const watching = main(['flows', 'watch', ...place.at], {
    stdout: { write: (text) => void (text.includes('main/') && tellSeen()) },
    stderr: { write: (text) => void (text.includes('watching') && tellWatching()) },
    stdin: new PassThrough(),
    env: {},
  })
  await isWatching
  await runtime.open({ agent: 'refunds_bot', trigger: 'x' })
  await isSeen
  process.emit('SIGINT')
  assert.equal(await watching, 0)
})

test('an export has all that the server wrote: it signs a checkpoint first', async (t) => {
  const place = home()
  const { runtime } = await running(t, place)
  await runtime.open({ agent: 'refunds_bot', trigger: 'x' })
  const { stderr, exit } = await run(['ledger', 'export', '-', ...place.at])
  assert.deepEqual([exit, stderr.includes('left out')], [0, false], stderr)
})

test('nobody but the owner can reach the socket', async (t) => {
  const place = home()
  await running(t, place)
  const { socket } = readAnnounced(place)
  assert.equal(lstatSync(socket).mode & 0o777, 0o600)
  assert.equal(lstatSync(dirname(socket)).mode & 0o777, 0o700)
  for (const name of listRun(place))
    assert.equal(lstatSync(join(dirname(socket), name)).mode & 0o077, 0, name)
})

test('a folder that others can enter holds no socket, and none in it is asked', async (t) => {
  const place = home()
  const { close } = await running(t, place)
  const folder = join(place.folder, 'state', 'run')
  assert.ok(await isFound(place))
  chmodSync(folder, 0o750)
  assert.ok(!(await isFound(place)), 'another may have put it there')
  const { data } = await runJson([...SUSPEND, ...place.at])
  assert.equal(data.error.code, 'STORE_LOCKED')
  await close()
  const { told } = await running(t, place)
  assert.match(told.join('\n'), /no socket for verbs on this machine: .*of this user alone/)
  assert.deepEqual(listRun(place), [])
})

test('a folder is not looked at through a link', async (t) => {
  const place = home()
  await running(t, place)
  const folder = join(place.folder, 'state', 'run')
  renameSync(folder, join(place.folder, 'elsewhere'))
  symlinkSync(join(place.folder, 'elsewhere'), folder)
  assert.ok(!(await isFound(place)))
})

test('a socket outside of a private folder is not asked', async (t) => {
  const place = home()
  await running(t, place)
  const said = readAnnounced(place)
  const open = join(place.folder, 'open')
  mkdirSync(open, { mode: 0o755 })
  renameSync(said.socket, join(open, 'x.sock'))
  const [file = ''] = listRun(place)
  const text = JSON.stringify({ ...said, socket: join(open, 'x.sock') })
  writeFileSync(join(place.folder, 'state', 'run', file), text)
  assert.ok(!(await isFound(place)))
})

test('on the port the header of a local operator is nothing', async (t) => {
  const place = home()
  const { serving } = await running(t, place)
  const { url, token } = serving
  const asked = { body: { reason: 'x' }, headers: { 'idempotency-key': 'k1' } }
  const path = '/v1/contracts/refunds_bot/revocation'
  for (const by of [undefined, 'ann@example.com']) {
    const headers = { ...asked.headers, ...formatOperatorHeader(by) }
    const answer = await ask({ url }, 'POST', path, { ...asked, headers })
    assert.deepEqual([answer.status, answer.body.code], [401, 'TOKEN_MISSING'])
    const who = await ask({ url, token: token ?? '' }, 'GET', '/v1/session', { headers })
    assert.deepEqual([who.status, who.body.name], [200, 'operator'])
    assert.notEqual(who.body.person, null, 'whoever has a token is somebody')
  }
})

test('on the socket a token that is nobody is refused, and whoever says nothing is a stranger', async (t) => {
  const place = home()
  await running(t, place)
  const fetching = createSocketFetch(readAnnounced(place).socket)
  const guess = { authorization: 'Bearer rbo_guessed', ...formatOperatorHeader(undefined) }
  for (const [headers, code] of [
    [guess, 'TOKEN_INVALID'],
    [{}, 'TOKEN_MISSING'],
    [{ 'rubicon-operator': 'named %' }, 'TOKEN_MISSING'],
  ] as const) {
    const answer = await fetching('http://localhost/v1/agents', { headers })
    const body: Data = await answer.json()
    assert.deepEqual([answer.status, body.code], [401, code])
  }
})

test('a request that is sent again over the socket is answered as before', async (t) => {
  const place = home()
  await running(t, place)
  const fetching = createSocketFetch(readAnnounced(place).socket)
  const headers = {
    ...formatOperatorHeader(undefined),
    'content-type': 'application/json',
    'idempotency-key': 'once',
  }
  const revoke = async (): Promise<Data> => {
    const body = JSON.stringify({ reason: 'a drill' })
    const url = 'http://localhost/v1/contracts/refunds_bot/revocation'
    const answer = await fetching(url, { method: 'POST', headers, body })
    return [answer.status, await answer.text()]
  }
  const first = await revoke()
  assert.equal(first[0], 200, first[1])
  assert.deepEqual(await revoke(), first)
})

test('a server that stops takes its socket and its announcement with it', async (t) => {
  const place = home()
  const { close } = await running(t, place)
  const { socket } = readAnnounced(place)
  assert.ok(existsSync(socket))
  await close()
  assert.deepEqual([existsSync(socket), listRun(place)], [false, []])
  const { exit } = await run([...SUSPEND, ...place.at])
  assert.equal(exit, 0, 'the store is free again')
})

test('what a crash left behind is passed over, and removed by the next server', async (t) => {
  const place = home()
  const first = await running(t, place)
  const said = readAnnounced(place)
  await first.close()
  const folder = join(place.folder, 'state', 'run')
  const gone = { ...said, pid: 2 ** 22 + 1, host: hostname() }
  const elsewhere = { ...gone, host: 'another-machine.example' }
  writeFileSync(join(folder, 'crashed.json'), JSON.stringify(gone))
  writeFileSync(join(folder, 'elsewhere.json'), JSON.stringify(elsewhere))
  writeFileSync(join(folder, 'half.json'), '{"store":')
  assert.equal((await run(['agents', 'list', ...place.at])).exit, 0)
  assert.equal((await run([...SUSPEND, ...place.at])).exit, 0, 'in its own process')
  await running(t, place)
  const left = listRun(place)
  assert.ok(!left.includes('crashed.json') && left.includes('elsewhere.json'), left.join())
  assert.ok(await isFound(place))
})

test('an announcement that names a file has no server remove it', async (t) => {
  const place = home()
  const first = await running(t, place)
  const said = readAnnounced(place)
  await first.close()
  const folder = join(place.folder, 'state', 'run')
  const own = join(place.folder, 'private')
  mkdirSync(own, { mode: 0o700 })
  writeFileSync(join(own, 'id_ed25519'), 'a key of somebody', { mode: 0o600 })
  const planted = { ...said, socket: join(own, 'id_ed25519'), pid: 2 ** 22 + 1 }
  writeFileSync(join(folder, 'planted.json'), JSON.stringify(planted))
  await running(t, place)
  assert.ok(!listRun(place).includes('planted.json'), 'it was looked at')
  assert.equal(readFileSync(join(own, 'id_ed25519'), 'utf8'), 'a key of somebody')
})

test('a server that takes the connection and says nothing is named, not passed over', async (t) => {
  const place = home()
  const { close } = await running(t, place)
  const said = readAnnounced(place)
  await close()
  const hung = createServer().listen(said.socket)
  await once(hung, 'listening')
  t.after(() => hung.close())
  writeFileSync(join(place.folder, 'state', 'run', 'hung.json'), JSON.stringify(said))
  await assert.rejects(isFound(place), /process \d+\) does not answer/)
  const { exit } = await run(['agents', 'list', ...place.at])
  assert.equal(exit, 0, 'what can be read is read without it')
})

test('a path that is too long for a socket is shortened, in a folder of the user alone', async (t) => {
  const { folder } = home()
  // Its own path is short, wherever tests keep their files.
  const runtimeFolder = mkdtempSync(join(tmpdir(), 'x-'))
  t.after(() => rmSync(runtimeFolder, { recursive: true, force: true }))
  const before = process.env.XDG_RUNTIME_DIR
  process.env.XDG_RUNTIME_DIR = runtimeFolder
  const home_ = process.env.HOME
  // Where it would fall back to is nobody's home.
  process.env.HOME = join(folder, 'none')
  t.after(() => {
    process.env.HOME = home_
    if (before === undefined) delete process.env.XDG_RUNTIME_DIR
    else process.env.XDG_RUNTIME_DIR = before
  })
  const state = join(folder, 'a-long-name'.repeat(9), 'state')
  mkdirSync(state, { recursive: true })
  const place = {
    folder: dirname(state),
    at: ['--store', `sqlite:${join(folder, 'x.db')}`, '--state', state],
  }
  const { close } = await running(t, place)
  const { socket } = readAnnounced(place)
  assert.ok(socket.startsWith(join(runtimeFolder, 'rubicon')), socket)
  assert.equal(lstatSync(dirname(socket)).mode & 0o777, 0o700)
  assert.equal((await run([...SUSPEND, ...place.at])).exit, 0)
  await close()
  chmodSync(dirname(socket), 0o777)
  chmodSync(join(runtimeFolder, 'rubicon'), 0o777)
  const { told } = await running(t, place)
  assert.match(told.join('\n'), /no socket for verbs on this machine/)
})

test('where a passphrase seals the keys there is no socket', async (t) => {
  const place = home()
  await running(t, place, { passphrase: 'correct horse battery staple' })
  assert.deepEqual(listRun(place), [])
})

test('a server on another store of the same state directory is not asked', async (t) => {
  const place = home()
  await running(t, place)
  const other = ['--store', `sqlite:${join(place.folder, 'other.db')}`, '--state']
  const { exit, data } = await runJson(['agents', 'list', ...other, join(place.folder, 'state')])
  assert.notEqual(exit, 0, JSON.stringify(data))
  assert.equal(data.error.code, 'STORE_MISSING')
  const tenant = ['--tenant', 'globex', ...place.at]
  assert.notEqual((await run(['contract', 'deploy', EXAMPLE, ...tenant])).exit, 0)
})

test('each tenant has a socket in its own state directory, and no other is reached over it', async (t) => {
  const place = home()
  const beside = home()
  const [, store = '', , stateDirectory = ''] = beside.at
  const report = (): void => {}
  const second = await createRuntime({ store, stateDirectory, tenant: 'globex', report })
  t.after(() => second.close())
  await second.deploy(buildRefundsContract())
  const first = await createRuntime({ ...toPlace(place.at), report })
  t.after(() => first.close())
  await serve(first, { port: 0, others: [{ runtime: second }] })
  const suspended = await runJson([...SUSPEND, ...beside.at, '--tenant', 'globex'])
  assert.equal(suspended.exit, 0, JSON.stringify(suspended.data))
  const { statuses } = await second.engine.context.authorities.loadLatest()
  assert.equal(statuses.get('refunds_bot'), 'SUSPENDED')
  const fetching = createSocketFetch(readAnnounced(place).socket)
  const headers = { ...formatOperatorHeader(undefined), 'rubicon-tenant': 'globex' }
  const answer = await fetching('http://localhost/v1/agents', { headers })
  assert.equal(answer.status, 404)
})

test('of two servers on one store the one that started last is asked, and the other one after it', async (t) => {
  const place = home()
  await running(t, place)
  const said = readAnnounced(place)
  const run = join(place.folder, 'state', 'run')
  const socket = join(run, 'later.sock')
  const asked: string[] = []
  const later = createServer((connection) => {
    asked.push('later')
    connection.destroy()
  }).listen(socket)
  await once(later, 'listening')
  t.after(() => later.close())
  const started_at = '2999-01-01T00:00:00.000Z'
  writeFileSync(join(run, 'later.json'), JSON.stringify({ ...said, socket, started_at }))
  await assert.rejects(isFound(place), /does not answer/)
  assert.ok(asked.length > 0)
  later.close()
  await once(later, 'close')
  assert.ok(await isFound(place), 'nobody listens at the later one any more')
})
