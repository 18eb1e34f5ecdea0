/** Who finds what: agents, tenants, and servers on one database. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, test } from 'node:test'
import {
  createEmptyDatabase,
  describeWithServer,
} from '../../../../runtime/src/adapters/postgres/testing.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { createLookups, getSearchPath } from '../lookups/lookup-thread.ts'
import {
  freshKey,
  get,
  post,
  problemOf,
  refund,
  type Served,
  served,
} from '../served.test-support.ts'

const SECRET = 'order-of-a-customer-who-asked'

async function refundFor(it: Served, order: string): Promise<string> {
  const agent = await it.agent()
  const flow = await it.open(agent)
  const body = { ...refund(flow), params: { order, amount: '20.00' } }
  const said = await post(agent, `/v1/flows/${flow.dfid}/proposals`, { body })
  assert.equal(said.status, 200, JSON.stringify(said.body))
  return flow.dfid
}

test('an agent searches no words', async (t) => {
  const it = await served(t)
  await refundFor(it, SECRET)
  const bot = await it.agent()
  const asked = await get(bot, '/v1/flows?words=order')
  assert.deepEqual(problemOf(asked), [400, 'QUERY_UNREADABLE'])
  assert.equal((await get(bot, '/v1/flows?outcome=accepted')).body.flows.length, 1)
  const ann = it.person('ann', 'auditor')
  assert.equal((await get(ann, '/v1/flows?words=order')).body.flows.length, 1)
})

test('an erasure that could not reach the index is finished when it is asked for again', async (t) => {
  const path = join(temporaryFolder(), 'search.db')
  // A folder in the place of the file can be neither opened nor deleted, whoever runs the test.
  mkdirSync(path)
  writeFileSync(join(path, 'kept'), '')
  const it = await served(t, { parts: { search: { path, isAlone: false } } })
  const dfid = await refundFor(it, SECRET)
  const olga = it.person('olga', 'operator')
  const erase = () =>
    post(olga, `/v1/flows/${dfid}/erasure`, { body: { reason: 'asked to' }, headers: freshKey() })
  for (const _ of ['first', 'again'])
    assert.deepEqual(problemOf(await erase()), [503, 'ERASURE_UNFINISHED'])
  rmSync(path, { recursive: true })
  assert.deepEqual(problemOf(await erase()), [409, 'FLOW_ERASED'])
})

test('what one tenant did is in no list, count or figure of another', async (t) => {
  const [acme, globex] = [
    await served(t, { tenant: 'acme' }),
    await served(t, { tenant: 'globex' }),
  ]
  await refundFor(globex, SECRET)
  const ann = acme.person('ann', 'auditor')
  for (const list of ['flows', 'executions', 'escalations', 'ledger/entries']) {
    const { body } = await get(ann, `/v1/${list}?counts=true&words=${SECRET}`)
    assert.equal(body.counts.total, 0, list)
  }
  const { body } = await get(ann, '/v1/overview')
  assert.deepEqual([body.decisions.decided, body.indexed.leaf], [0, body.indexed.size])
  assert.equal(
    (await get(globex.person('ann', 'auditor'), '/v1/overview')).body.decisions.decided,
    1,
  )
})

function hasWords(folder: string): boolean {
  return readdirSync(folder)
    .filter((name) => name.startsWith('search.db'))
    .some((name) => readFileSync(join(folder, name)).includes(SECRET))
}

describeWithServer('the search index of a server on Postgres', () => {
  it('is in a thread of its own, and forgets what another server erases', async (t) => {
    const store = await createEmptyDatabase()
    const stateDirectory = join(temporaryFolder(), 'state')
    const first = await served(t, { store, stateDirectory })
    const { engine } = first.runtime
    const [own, beside] = [temporaryFolder(), temporaryFolder()]
    const [one, two] = [own, beside].map((folder) => {
      const place = { ...first.runtime.place, stateDirectory: folder }
      const lookups = createLookups({ place, report: () => {} })
      assert.ok(lookups !== null)
      t.after(() => lookups.close())
      return lookups
    })
    assert.ok(one !== undefined && two !== undefined)
    const dfid = await refundFor(first, SECRET)
    await engine.context.store.integrate()
    const question = { asker: 'person ann', own: null, params: {}, query: { words: SECRET } }
    for (const lookups of [one, two]) {
      const found = await lookups.answer('listFlows', question)
      const { flows } = JSON.parse(String(found.body))
      assert.deepEqual(
        flows.map((flow: { readonly dfid: string }) => flow.dfid),
        [dfid],
      )
    }
    const erased = await engine.oversight.erase({ dfid, reason: 'asked to' })
    assert.ok(erased.ok, JSON.stringify(erased))
    const forgotten = await one.answer('forgetFlow', { ...question, params: { dfid } })
    assert.equal(forgotten.status, 200)
    assert.ok(!hasWords(own))
    assert.ok(hasWords(beside))
    await engine.context.store.integrate()
    await two.answer('getOverview', { ...question, query: {} })
    assert.ok(!hasWords(beside))
    assert.ok(getSearchPath(own).startsWith(own))
    await one.close()
    await two.close()
    await first.close()
  })
})
