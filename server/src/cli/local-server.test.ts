/** Who asks the routes of this process, what they may, and what is written of them. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from 'rubicon-agents/client'
import { LIMITS } from 'rubicon-kernel'
import { systemClock } from '../../../runtime/src/adapters/system/clock.ts'
import { createOperator, openStore } from '../../../runtime/src/compose.ts'
import type { Engine } from '../../../runtime/src/engine/engine.ts'
import { openLedger } from '../../../runtime/src/engine/ledger/open-ledger.ts'
import { formatOperatorHeader } from '../people/local-operator.ts'
import { EXAMPLE, type Home, home, run, runJson } from './cli.test-support.ts'
import { createLocalServer, type LocalServer } from './local-server.ts'
import { createIdempotencyKey } from './server-answer.ts'

/** A store with one contract, deployed by the command. */
async function deployed(): Promise<Home> {
  const { at, folder } = home()
  assert.equal((await run(['contract', 'deploy', EXAMPLE, ...at])).exit, 0)
  return { at, folder }
}

async function asking<T>(
  { folder }: Home,
  by: string | undefined,
  work: (local: LocalServer, engine: Engine) => Promise<T>,
): Promise<T> {
  const store = `sqlite:${join(folder, 'rubicon.db')}`
  // A clock on which no bucket fills.
  const clock = { ...systemClock, monotonic: () => 0 }
  const engine = await createOperator({ store, stateDirectory: join(folder, 'state'), clock })
  const local = createLocalServer(engine, by)
  try {
    assert.ok((await openLedger(engine.context)).ok)
    return await work(local, engine)
  } finally {
    await local.close()
    await engine.stop()
  }
}

test('what nobody put a name to is signed without one, and no person comes of it', async () => {
  const it = await deployed()
  await asking(it, undefined, async ({ client }) => {
    const who = await client.getSession()
    assert.deepEqual(who.ok && [who.body.name, who.body.person], ['operator', null])
    const contract = await client.getContract({ params: { agent_id: 'refunds_bot' } })
    assert.equal(contract.ok && contract.body.versions[0]?.by, null)
    const made = await client.registerPerson({ body: { name: 'operator' } })
    assert.ok(made.ok, 'whoever holds the keys says who anybody is, themselves too')
    await client.registerPerson({ body: { name: 'bea@example.com' } })
    const persons = await client.listPersons()
    const names = persons.ok ? persons.body.persons.flatMap((person) => person.names) : []
    assert.ok(names.includes('operator') && names.includes('bea@example.com'))
  })
})

test('a name that is given is the one that stands in what is signed', async () => {
  const it = await deployed()
  await asking(it, 'ann@example.com', async ({ client }) => {
    const asked = { params: { agent_id: 'refunds_bot' }, body: { reason: 'a drill' } }
    assert.ok((await client.revokeContract({ ...asked, ...createIdempotencyKey() })).ok)
  })
  const { data } = await runJson(['ledger', 'show', 'authority', ...it.at])
  assert.match(JSON.stringify(data), /ann@example.com/)
})

test('a token of nobody is refused here as anywhere', async () => {
  await asking(await deployed(), undefined, async (local) => {
    const token = { authorization: 'Bearer rbo_guessed' }
    const headers = () => ({ ...token, ...formatOperatorHeader(undefined) })
    const answer = await createClient({ ...local.asks, headers }).listAgents()
    assert.equal(answer.ok ? null : answer.problem.code, 'TOKEN_INVALID')
  })
})

test('one caller is kept from nothing, and nothing is kept of its answers', async () => {
  await asking(await deployed(), undefined, async ({ client }, { context: { store } }) => {
    for (let i = 0; i <= LIMITS.requestsAtOnce; i++) {
      const agents = await client.listAgents()
      assert.ok(agents.ok, JSON.stringify(agents))
    }
    const asked = { params: { agent_id: 'refunds_bot' }, body: { reason: 'a drill' } }
    assert.ok((await client.revokeContract({ ...asked, ...createIdempotencyKey() })).ok)
    assert.deepEqual(
      await store.listRecords('http_reply', 'local operator operator', { limit: 1 }),
      [],
    )
  })
})

test('what is thrown inside ends the verb as what it is, not as an answer of a server', async () => {
  const it = await deployed()
  await asking(it, undefined, async (local, engine) => {
    const bug = new TypeError('nobody foresaw it')
    engine.revoke = () => Promise.reject(bug)
    const asked = {
      params: { agent_id: 'refunds_bot' },
      body: { reason: 'x' },
      ...createIdempotencyKey(),
    }
    const answer = await local.client.revokeContract(asked)
    assert.deepEqual([answer.ok, local.getThrown() === bug], [false, true])
  })
})

test('a verb begins no ledger for a tenant that nobody has, and says that there is none', async () => {
  const { at, folder } = await deployed()
  const database = `sqlite:${join(folder, 'rubicon.db')}`
  const verbs = [
    ['agents', 'suspend', 'refunds_bot', '--reason', 'a drill', '--yes'],
    ['person', 'register', 'bea@example.com'],
    ['contract', 'revoke', 'refunds_bot', '--reason', 'a drill', '--yes'],
  ]
  for (const verb of verbs) {
    const { exit, data } = await runJson([...verb, ...at, '--tenant', 'defualt'])
    assert.deepEqual([exit, data.error?.code], [2, 'TENANT_UNKNOWN'], verb.join(' '))
  }
  const store = await openStore(database, 'defualt', undefined, 'read')
  assert.equal(await store.countLeaves(), 0)
  await store.close()
  assert.ok(!existsSync(join(folder, 'state', 'heads', 'defualt')))
  assert.equal((await run(['contract', 'deploy', EXAMPLE, ...at, '--tenant', 'second'])).exit, 0)
  const [suspend = []] = verbs
  assert.equal((await run([...suspend, ...at, '--tenant', 'second'])).exit, 0)
})
