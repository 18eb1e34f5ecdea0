import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { ask, type HttpAnswer, type HttpPlace } from '../http/agent-auth/client.ts'
import { EXAMPLE, home, run, runJson } from './cli.test-support.ts'
import { startUp, startUpHere, writeRules } from './up.test-support.ts'

const ISSUER = ['--oidc-issuer', 'https://id.example.com']
const CLIENT = ['--oidc-client-id', 'rubicon']

test('up serves until it is told to stop, and comes back with the same ledger and token', async (t) => {
  const { at, folder } = home()
  const first = await startUp(t, ['--demo', ...at])
  const {
    token,
    said: { url },
  } = first
  assert.match(token, /^rbo_/)
  assert.equal((await ask({ url }, 'GET', '/readyz')).status, 200)
  const flows = await ask({ url, token }, 'GET', '/v1/flows')
  assert.ok(flows.body.flows.length >= 4)
  const waiting = await ask({ url, token }, 'GET', '/v1/escalations')
  assert.ok(waiting.body.escalations.length >= 1)
  const metrics = await ask({ url, token }, 'GET', '/metrics')
  assert.match(metrics.body, /^rubicon_proposals_total\{.*\} [0-9]+$/m)
  await awaitDevelopers({ url, token })
  const children = listChildren(first.pid)
  assert.deepEqual(await first.stop(), [0, null])
  assert.deepEqual(await listLeft(children), [], 'what it started ends with the server')

  const people = join(folder, 'state', 'people.json')
  assert.equal(statSync(people).mode & 0o777, 0o600)
  assert.ok(!readFileSync(people, 'utf8').includes(token))

  const second = await startUp(t, ['--demo', ...at])
  // None is made, and whoever comes back finds theirs where it was.
  const { token: again, token_file } = second.said
  assert.deepEqual([again, token_file], [null, first.said.token_file])
  const more = await ask({ url: second.said.url, token }, 'GET', '/v1/flows')
  assert.ok(more.body.flows.length >= flows.body.flows.length)
  await second.stop()
  const { exit } = await run(['verify', ...at])
  assert.equal(exit, 0)
})

/** They work while the server serves: what one of them wants waits for a person. */
async function awaitDevelopers(place: HttpPlace): Promise<void> {
  const until = Date.now() + 60_000
  while (!(await isAsked(place))) {
    assert.ok(Date.now() < until, 'no developer of the demo has asked anybody')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { body } = await ask(place, 'GET', '/v1/trajectories/main/artifacts')
  assert.deepEqual(
    body.artifacts.map(({ name }: { name: string }) => name),
    ['config/shop.yaml', 'docs/requirements.md', 'src/cart.ts', 'src/checkout.ts'],
  )
}

async function isAsked(place: HttpPlace): Promise<boolean> {
  const { body } = await ask(place, 'GET', '/v1/escalations')
  return body.escalations.some(({ agent_id }: { agent_id: string }) => {
    return agent_id === 'pricing_developer'
  })
}

/** None where the system does not tell. */
function listChildren(pid: number): readonly number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  if (!existsSync(file)) return []
  const children = readFileSync(file, 'utf8').split(' ').map(Number).filter(Boolean)
  assert.ok(children.length > 0, 'texts are read in a process of its own')
  return children
}

/** Whoever watches the groups of programs ends when it sees that the server has: a moment later. */
async function listLeft(children: readonly number[]): Promise<readonly number[]> {
  const until = Date.now() + 10_000
  while (children.some(isRunning) && Date.now() < until) await new Promise(setImmediate)
  return children.filter(isRunning)
}

/** One that has ended, and whose end nobody has asked for, is a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('the demo does not begin in a store with agents of somebody else', async () => {
  const { at, folder } = home()
  const file = join(folder, 'contract.yaml')
  writeFileSync(file, readFileSync(EXAMPLE, 'utf8').replace(/^agent_id: .*$/m, 'agent_id: refunds'))
  const deployed = await run(['contract', 'deploy', file, ...at])
  assert.equal(deployed.exit, 0, deployed.stderr)
  // A reader of the database may leave its log there.
  const list = (): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/-(wal|shm)$/.test(name))
      .toSorted()
  const before = list()
  const { exit, stderr } = await run(['up', '--demo', '--port', '0', ...at])
  assert.equal(exit, 2, stderr)
  assert.deepEqual(list(), before)
  assert.match(stderr, /agents in this store that are not of the demo company/)
  const { data } = await runJson(['agents', 'list', ...at])
  assert.deepEqual(JSON.stringify(data).match(/"agent_id":"[^"]*"/g), ['"agent_id":"refunds"'])
})

test('a token of a source that nobody registered is not made in silence', async (t) => {
  const { at, folder } = home()
  const { stop } = await startUpHere(t, [...writeRules(folder), ...at])
  const token = ['token', 'feed9', '--role', 'source', ...at]
  assert.match(
    (await run(token)).stderr,
    /no source `feed9` is registered here: rubicon source add feed9/,
  )
  await stop()
  assert.equal(
    (await run(['source', 'add', 'feed9', '--label', 'trusted', '--paths', 'a.*', ...at])).exit,
    0,
  )
  assert.doesNotMatch((await run(token)).stderr, /is registered here/)
})

test('several people have tokens of their own, with the roles that they were given', async (t) => {
  const { at, folder } = home()
  const ann = ['--principal', 'ann@example.com', '--roles', 'auditor']
  const file = join(folder, 'token')
  writeFileSync(file, `${'t'.repeat(40)}\n`)
  const rules = writeRules(folder)
  const first = await startUpHere(t, [...rules, ...ann, ...at])
  await first.stop()
  const second = await startUpHere(t, [...rules, '--token-file', file, ...at])
  const { url } = second.said
  assert.equal(second.said.token_file, null)
  const operator = { url, token: 't'.repeat(40) }
  assert.equal((await ask(operator, 'GET', '/v1/agents')).status, 200)
  const path = '/v1/observations'
  const body = { path: 'a', value: 1 }
  assert.equal((await ask(operator, 'POST', path, { body })).status, 200)
  const auditor = { url, token: first.token }
  assert.equal((await ask(auditor, 'GET', '/v1/agents')).status, 200)
  assert.equal((await ask(auditor, 'POST', path, { body })).status, 403)
  await second.stop()
})

test('token replaces a lost one, without rules and beside a running server', async (t) => {
  const { at, folder } = home()
  const nobody = await run(['token', ...at])
  assert.equal(nobody.exit, 2)
  assert.match(nobody.stderr, /has no people in it\n {2}why .*\n {2}fix .*--store and --state/)
  const developer = join(folder, 'state', 'developer.token')
  mkdirSync(dirname(developer), { recursive: true })
  writeFileSync(developer, 'rbo_')
  const developers = await run(['token', ...at])
  assert.match(
    developers.stderr,
    /of `rubicon dev`.*\n {2}fix {2}use the one in .*developer\.token/,
  )
  rmSync(developer)
  const { said, token: shown, stop } = await startUpHere(t, [...writeRules(folder), ...at])
  const asks = async (token: string): Promise<number> =>
    (await ask({ url: said.url, token }, 'GET', '/v1/session')).status
  const made = await run(['token', '--json', ...at])
  const { token, name, roles } = JSON.parse(made.stdout)
  assert.deepEqual([name, roles], ['operator', ['operator', 'approver', 'auditor']])
  assert.deepEqual([await asks(token), await asks(shown)], [200, 401])
  const ann = ['token', 'ann@example.com', '--json', ...at]
  const first = JSON.parse((await run([...ann, '--role', 'auditor'])).stdout)
  const second = JSON.parse((await run(ann)).stdout)
  assert.deepEqual([first.roles, second.roles], [['auditor'], ['auditor']])
  assert.deepEqual([await asks(second.token), await asks(first.token)], [200, 401])
  assert.equal(await asks(token), 200)
  await stop()

  const renewed = await startUpHere(t, ['--rules', join(folder, 'rules.mjs'), '--new-token', ...at])
  const statuses = [token, renewed.token].map(async (one) => {
    return (await ask({ url: renewed.said.url, token: one }, 'GET', '/v1/flows')).status
  })
  assert.deepEqual(await Promise.all(statuses), [401, 200])
  await renewed.stop()
})

test('a busy port is named, with the flag that changes it', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { exit, stderr } = await run(['up', '--demo', '--port', port, ...home().at])
  taken.close()
  assert.equal(exit, 2)
  assert.match(stderr, new RegExp(`port ${port} of 127.0.0.1 is taken[\\s\\S]*--port N`))
})

test('what cannot be meant is refused before anything is made', async () => {
  const { at, folder } = home()
  const short = join(folder, 'short')
  writeFileSync(short, 'secret')
  const refusals: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /no capabilities are configured[\s\S]*--demo/],
    [['--demo', '--host', '0.0.0.0'], /`0\.0\.0\.0` can be reached from other machines/],
    [['--demo', '--port', '70000'], /`70000` is not a valid port/],
    [['--demo', '--port', 'x'], /`x` is not a whole number/],
    [['--demo', '--port', '0', '--role', 'king'], /`king` is no role of a process/],
    [['--demo', '--port', '0', '--role', 'executor'], /needs a store that processes share/],
    [['--rules', join(folder, 'none.ts')], /cannot be used as rules/],
    [['--demo', '--tenants', 'a,a'], /`a` is no tenant, or one twice/],
    [['--demo', '--tenants', 'a,b c'], /`b c` is no tenant/],
    [['--demo', ...ISSUER], /`--oidc-client-id ID` is missing/],
    [['--demo', ...ISSUER, ...CLIENT], /`--oidc-role ROLE=VALUE` is missing/],
    [['--demo', ...ISSUER, ...CLIENT, '--oidc-role', 'ops'], /`ops` maps nothing/],
    [['--demo', ...ISSUER, ...CLIENT, '--oidc-role', 'king=ops'], /`king` is not a role/],
  ]
  for (const [argv, says] of refusals) {
    const { exit, stderr } = await run(['up', ...argv, ...at])
    assert.equal(exit, 2)
    assert.match(stderr, says)
  }
  const afterwards: readonly (readonly [readonly string[], RegExp])[] = [
    [['--roles', 'king'], /`king` is not a role/],
    [['--principal', 'a b'], /`a b` is not a valid name/],
    [['--token-file', short], /is too short/],
    [['--principal', 'oidc:ann'], /`oidc:ann` is not a valid name/],
    [['--public-url', 'http://rubicon.example.com'], /is not a valid public address/],
    [['--public-url', 'https://example.com/rubicon'], /is not a valid public address/],
    [['--proxy-hops', '99'], /is not a valid number of proxies/],
    [['--proxy-from', '10.0.0.0/33'], /is neither an address nor a network/],
    [
      ['--oidc-issuer', 'http://id.example.com', ...CLIENT, '--oidc-role', 'operator=ops'],
      /is no issuer that can be believed/,
    ],
  ]
  const rules = writeRules(folder)
  for (const [argv, says] of afterwards) {
    const { exit, stderr } = await run(['up', ...rules, '--port', '0', ...argv, ...at])
    assert.equal(exit, 2)
    assert.match(stderr, says)
  }
})

test('several tenants have files, keys and people of their own, behind one port', async (t) => {
  const { at, folder } = home()
  const rules = writeRules(folder)
  const deployed = await run(['contract', 'deploy', EXAMPLE, '--tenant', 'acme', ...at])
  assert.equal(deployed.exit, 0, deployed.stderr)
  const both = [...rules, '--tenants', 'acme,globex', ...at]
  const first = await startUpHere(t, both)
  const {
    token,
    said: { url },
  } = first
  const askAgents = (place: HttpPlace): Promise<HttpAnswer> => ask(place, 'GET', '/v1/agents')
  const acme = await askAgents({ url, token, tenant: 'acme' })
  assert.deepEqual([acme.status, acme.body.agents.length], [200, 1])
  const globex = await askAgents({ url, token, tenant: 'globex' })
  assert.deepEqual([globex.status, globex.body.agents], [200, []])
  assert.equal((await askAgents({ url, token, tenant: 'initech' })).status, 404)
  await first.stop()
  const [store = ''] = at.filter((option) => option.startsWith('sqlite:'))
  const path = store.slice('sqlite:'.length)
  assert.ok(existsSync(path) && existsSync(path.replace(/(\.\w+)?$/, '.globex$1')))
  assert.ok(existsSync(join(folder, 'state', 'tenants', 'globex', 'keys', 'kernel.pem')))

  const ann = ['--principal', 'ann', '--roles', 'auditor', '--in', 'globex']
  const second = await startUpHere(t, [...both, ...ann])
  const hers = { url: second.said.url, token: second.token }
  assert.equal((await askAgents({ ...hers, tenant: 'globex' })).status, 200)
  assert.equal((await askAgents({ ...hers, tenant: 'acme' })).status, 401)
  assert.equal((await askAgents(hers)).status, 401)
  await second.stop()

  const inAcme = ['up', ...rules, '--port', '0', '--tenant', 'acme']
  const alone = await run([...inAcme, ...ann, ...at])
  assert.match(alone.stderr, /`globex` is not a tenant of this server/)
  const refused = await run([...inAcme, '--principal', 'ann', ...at])
  assert.match(refused.stderr, /`ann` may ask in other tenants only: globex/)
})
