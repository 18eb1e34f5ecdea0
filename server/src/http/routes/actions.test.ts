import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy } from 'rubicon-kernel'
import type { Unit } from 'rubicon-runtime/ports'
import { refundCapability } from '../../demo/refunds.ts'
import type { HttpAnswer, HttpPlace } from '../agent-auth/client.ts'
import { freshKey, get, post, problemOf, type Served, served } from '../served.test-support.ts'

const WANTED = {
  trigger: 'ticket 4711',
  policy_kind: 'REFUND',
  params: { order: 'o_1', amount: '20.00' },
}

type Key = Readonly<Record<string, string>>

const act = (bot: HttpPlace, body: object = {}, headers: Key = freshKey()): Promise<HttpAnswer> =>
  post(bot, '/v1/actions', { body: { ...WANTED, ...body }, headers })

const askFrom400: Policy = {
  name: 'ask-from-400',
  version: '1',
  source: { kind: 'unpinned' },
  evaluate: ({ proposal }) => ({
    decision:
      proposal.params.amount === '400.00'
        ? { kind: 'require_approval', channel: 'human', reason: 'large' }
        : null,
  }),
}

/** Units that are committed while `work` runs. */
async function unitsOf({ runtime }: Served, work: () => Promise<unknown>): Promise<Unit[]> {
  const { store } = runtime
  const units: Unit[] = []
  const commit = store.commit.bind(store)
  store.commit = (unit) => {
    units.push(unit)
    return commit(unit)
  }
  await work()
  store.commit = commit
  return units
}

test('an act over HTTP is two units: its key is claimed with its opening and its decision', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const key = freshKey()
  let first: HttpAnswer | undefined
  const units = await unitsOf(it, async () => {
    first = await act(bot, {}, key)
  })
  assert.deepEqual([first?.status, first?.body.execution.status], [200, 'SUCCESS'])
  assert.equal(units.length, 2)
  const claims = units[0]?.writes.filter((write) => {
    return write.kind === 'put_record' && write.record === 'http_reply'
  })
  assert.equal(claims?.length, 1)

  const again = await act(bot, {}, key)
  assert.deepEqual(again.body, first?.body, 'whoever asks again hears the same')
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const other = await act(bot, { trigger: 'another' }, key)
  assert.deepEqual(problemOf(other), [422, 'IDEMPOTENCY_BODY_MISMATCH'])
  const flows = await get(bot, '/v1/flows')
  assert.equal(flows.body.flows.length, 1)
})

test('an opening over HTTP is one unit', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const key = freshKey()
  const open = () => post(bot, '/v1/flows', { body: { trigger: 'a' }, headers: key })
  let first: HttpAnswer | undefined
  const units = await unitsOf(it, async () => {
    first = await open()
  })
  assert.deepEqual([first?.status, units.length], [201, 1])
  assert.deepEqual((await open()).body, first?.body)
})

test('of an act that was refused or waits for a person, whoever asks again hears what became of it', async (t) => {
  const it = await served(t, { policies: [askFrom400] })
  const bot = await it.agent()
  for (const amount of ['9000.00', '400.00']) {
    const key = freshKey()
    const body = { params: { order: 'o_2', amount } }
    const first = await act(bot, body, key)
    assert.equal(first.body.outcome, amount === '400.00' ? 'ESCALATED' : 'REJECTED')
    const { context: _, ...said } = first.body
    assert.deepEqual((await act(bot, body, key)).body, said, amount)
  }
})

test('an act that is waited for until it is sent is answered PENDING, and its outcome follows', async (t) => {
  const sent = Promise.withResolvers<void>()
  const slow = { ...refundCapability([]), execute: async () => sent.promise.then(() => ({})) }
  const it = await served(t, { capabilities: [slow] })
  const bot = await it.agent()
  const key = freshKey()
  const ask = () => post(bot, '/v1/actions?wait=dispatched', { body: WANTED, headers: key })
  const first = await ask()
  assert.deepEqual([first.status, first.body.execution.status], [200, 'PENDING'])
  assert.deepEqual((await ask()).body, first.body, 'it is not done twice')
  sent.resolve()
  await it.runtime.engine.settled(first.body.dfid)
  const last = await ask()
  assert.deepEqual([last.body.dfid, last.body.execution.status], [first.body.dfid, 'SUCCESS'])
})

test('an act of another agent, or with what only a flow can say, is refused and leaves nothing', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const leaves = await it.runtime.store.countLeaves()
  assert.deepEqual(problemOf(await act(bot, { agent: 'another' })), [401, 'SESSION_INVALID'])
  assert.deepEqual(problemOf(await act(bot, { dfid: 'mine' })), [422, 'DFID_SUPPLIED'])
  for (const body of [{ context_ref: 'a' }, { signature: {} }, { seen: [{ path: 'a' }] }])
    assert.deepEqual(problemOf(await act(bot, body)), [422, 'SCHEMA_INVALID'])
  const seen = [{ path: 'no.such', value: 1, observed_at: '2026-01-01T00:00:00.000Z' }]
  assert.deepEqual(problemOf(await act(bot, { seen })), [409, 'CONTEXT_REQUIRED'])
  const keyless = await post(bot, '/v1/actions', { body: WANTED })
  assert.deepEqual(problemOf(keyless), [400, 'IDEMPOTENCY_KEY_MISSING'])
  assert.equal(await it.runtime.store.countLeaves(), leaves)
})

test('a key stands for one act, however its address is written and however long is waited for it', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const headers = freshKey()
  const dfids = new Set<unknown>()
  for (const query of ['?wait=dispatched', '', '?', '?wait_ms=100', '?wait_ms=0100&wait=settled']) {
    const answer = await post(bot, `/v1/actions${query}`, { body: WANTED, headers })
    assert.equal(answer.status, 200, query)
    dfids.add(answer.body.dfid)
  }
  assert.deepEqual([dfids.size, it.calls.length], [1, 1])
})

test('of an act whose flow was erased, whoever asks again hears that it was refused, or does it again', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const key = freshKey()
  const { dfid } = (await act(bot, {}, key)).body
  const { store, engine } = it.runtime
  assert.ok((await engine.oversight.erase({ dfid, reason: 'asked for by the customer' })).ok)
  assert.deepEqual(problemOf(await act(bot, {}, key)), [409, 'FLOW_ERASED'])
  assert.deepEqual(problemOf(await act(bot, { trigger: 'x' }, key)), [409, 'FLOW_ERASED'])
  assert.equal(it.calls.length, 1)
  const [due] = await store.listRecords('http_reply_due', 'due', { limit: 1 })
  assert.ok(due !== undefined)
  const kept = await store.readRecord('http_reply', due.body.group, due.body.key)
  assert.deepEqual([kept?.body.dfid, kept?.body.body_hash], [dfid, ''], 'no hash of it is kept')
  const settled = await engine.settled(dfid)
  assert.equal(settled.ok ? 'answered' : settled.error.code, 'FLOW_ERASED')
})

test('a call is one act under the names of its client, whatever the key of the request', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const once = { call: { conversation: 'c', id: '1' }, key: 'k' }
  const first = await act(bot, { once })
  assert.deepEqual([first.status, first.body.execution.status], [200, 'SUCCESS'])
  assert.equal(first.headers.get('idempotent-replayed'), null)
  const { key } = once
  for (const names of [once, { key }, { call: once.call }]) {
    const again = await act(bot, { once: names })
    assert.deepEqual(again.body, first.body)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  }
  const params = { order: 'o_9', amount: '21.00' }
  const reused = await act(bot, { once, params })
  assert.deepEqual(problemOf(reused), [422, 'CALL_REUSED'])
  assert.equal(reused.body.meta.dfid, first.body.dfid)
  const wrong = [{ id: '1' }, { key: 7 }, { call: { id: '1' } }, { key: 'x'.repeat(20_000) }]
  for (const names of wrong)
    assert.deepEqual(problemOf(await act(bot, { once: names })), [422, 'SCHEMA_INVALID'])
  assert.equal((await get(bot, '/v1/flows')).body.flows.length, 1)
})

test('whoever lost the answer to a repeated call hears of the same act, also when it is over', async (t) => {
  const it = await served(t, { policies: [askFrom400] })
  const bot = await it.agent()
  const body = { params: { order: 'o_2', amount: '400.00' }, once: {} }
  const first = await act(bot, body)
  assert.equal(first.body.outcome, 'ESCALATED')
  const lost = freshKey()
  assert.equal((await act(bot, body, lost)).body.dfid, first.body.dfid)
  await it.runtime.engine.cancel(first.body.dfid, 'enough')
  const over = await act(bot, body, lost)
  assert.deepEqual([over.body.code, over.body.answer.dfid], ['FLOW_CANCELLED', first.body.dfid])
  assert.notEqual((await act(bot, body)).body.dfid, first.body.dfid, 'this is another call')
})

test('a call that came before an act was over is that act, however long its session is looked up', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const body = { params: { order: 'o_3', amount: '20.00' }, once: {} }
  const { store } = it.runtime
  const [looked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const readRecord = store.readRecord.bind(store)
  store.readRecord = async (...asked) => {
    store.readRecord = readRecord
    looked.resolve()
    await free.promise
    return readRecord(...asked)
  }
  const late = act(bot, body)
  await looked.promise
  const first = await act(bot, body)
  assert.equal(first.body.execution.status, 'SUCCESS')
  free.resolve()
  const { headers, body: said } = await late
  assert.deepEqual([headers.get('idempotent-replayed'), said.dfid], ['true', first.body.dfid])
  assert.notEqual((await act(bot, body)).body.dfid, first.body.dfid, 'it came when that was over')
})
