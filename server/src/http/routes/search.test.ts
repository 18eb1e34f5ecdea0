import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { HttpAnswer, HttpPlace } from '../agent-auth/client.ts'
import { get, post, problemOf, refund, type Served, served } from '../served.test-support.ts'

async function ask(it: Served, amount: string): Promise<string> {
  const agent = await it.agent()
  const flow = await it.open(agent, { trigger: `ticket for ${amount}` })
  await post(agent, `/v1/flows/${flow.dfid}/proposals?wait_ms=0`, { body: refund(flow, amount) })
  return flow.dfid
}

test('effects, requests and entries are found by the same filter, and counted', async (t) => {
  const it = await served(t)
  const paid = await ask(it, '20.00')
  const waits = await ask(it, '1200.00')
  const refused = await ask(it, '20000.00')
  const ann = it.person('ann', 'auditor')
  const effects = (
    await get(ann, '/v1/executions?kind=REFUND&amount_min=20&words=20.00&counts=true')
  ).body
  assert.deepEqual(
    [effects.executions.map(({ dfid }: { dfid: string }) => dfid), effects.counts.by],
    [[paid], { SUCCESS: 1 }],
  )
  const requests = (await get(ann, '/v1/escalations?words=1200&sort=-amount')).body
  assert.deepEqual(
    requests.escalations.map(({ dfid, what }: Record<string, string>) => [dfid, what]),
    [[waits, 'REFUND order o_1, amount 1200.00']],
  )
  assert.equal((await get(ann, '/v1/escalations?counts=true')).body.counts.total, 1)
  const entries = (await get(ann, '/v1/ledger/entries?outcome=rejected&counts=true')).body
  assert.deepEqual(
    entries.entries.map(({ dfid, kind }: Record<string, string>) => [dfid, kind]),
    [[refused, 'rejection']],
  )
  assert.deepEqual(entries.counts.by, { accepted: 1, rejected: 1, escalated: 1, ended: 0 })
  for (const path of [
    'executions?words=o_1',
    'escalations?words=zzz',
    'ledger/entries?words=o_1',
  ]) {
    const { body } = await get(ann, `/v1/${path}`)
    assert.equal(body.indexed.leaf, body.indexed.size, path)
  }
})

/** A list without a filter waits for no index; what it says is asked for again until the index has everything. */
async function getIndexed(person: HttpPlace, path: string): Promise<HttpAnswer['body']> {
  for (let tries = 1; ; tries += 1) {
    const { body } = await get(person, path)
    if (body.indexed.leaf === body.indexed.size) return body
    assert.ok(tries < 100, `${path}: the index has ${body.indexed.leaf} of ${body.indexed.size}`)
    await setTimeout(50)
  }
}

test('rows are counted for whoever asks for it, and for nobody else', async (t) => {
  const it = await served(t)
  await ask(it, '20.00')
  const ann = it.person('ann', 'auditor')
  for (const list of ['flows', 'executions', 'escalations']) {
    for (const filter of ['', '&words=o_1']) {
      const body = await getIndexed(ann, `/v1/${list}?limit=1${filter}`)
      assert.equal(body.counts, null, list + filter)
      const counted = await getIndexed(ann, `/v1/${list}?limit=1&counts=true${filter}`)
      assert.equal(counted.counts.total, counted[list].length, list + filter)
    }
  }
  const { status } = await get(ann, '/v1/flows?counts=false')
  assert.equal(status, 422)
})

test('an agent searches its own flows, and nobody else’s are counted', async (t) => {
  const it = await served(t)
  await ask(it, '20.00')
  const own = (await get(await it.agent(), '/v1/flows?kind=REFUND&agent=another&counts=true')).body
  assert.deepEqual([own.flows.length, own.counts.total], [1, 1])
  const [row] = own.flows
  assert.deepEqual(
    [row.kind, row.object, row.amount, row.measure, row.outcome, row.reason],
    ['REFUND', 'order o_1, amount 20.00', '20', 'refund_usd', 'accepted', null],
  )
})

test('what a list cannot answer is refused with 400, and says why', async (t) => {
  const it = await served(t)
  const ann = it.person('ann', 'auditor')
  for (const path of [
    'flows?sort=colour',
    'flows?words=a&conversation=c',
    'executions?outcome=rejected',
    'escalations?outcome=rejected',
    'ledger/entries?q=commit&words=a',
  ])
    assert.deepEqual(problemOf(await get(ann, `/v1/${path}`)), [400, 'QUERY_UNREADABLE'], path)
})
