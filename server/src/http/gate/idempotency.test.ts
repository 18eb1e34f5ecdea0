import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS, type Policy } from 'rubicon-kernel'
import { StoreError, type Unit, type Write } from '../../../../runtime/src/ports/store.ts'
import { createMovableClock } from '../../demo/stage.ts'
import type { HttpAnswer, HttpPlace } from '../agent-auth/client.ts'
import { AGENT, get, post, problemOf, type Served, served } from '../served.test-support.ts'

const body = { trigger: 'ticket 1' }

const askAlways: Policy = {
  name: 'ask-always',
  version: '1',
  source: { kind: 'unpinned' },
  evaluate: () => ({ decision: { kind: 'require_approval', channel: 'human', reason: 'large' } }),
}

function open(agent: HttpPlace, key: string, sent: object = body): Promise<HttpAnswer> {
  return post(agent, '/v1/flows', { body: sent, headers: { 'idempotency-key': key } })
}

async function flowsOf({ runtime }: Served): Promise<number> {
  return (await runtime.store.listFlows({ limit: 100 })).length
}

test('without a key, or with one that is none, nothing is done', async (t) => {
  const stage = await served(t)
  const bot = await stage.agent()
  assert.deepEqual(problemOf(await post(bot, '/v1/flows', { body })), [
    400,
    'IDEMPOTENCY_KEY_MISSING',
  ])
  for (const key of ['', ' ', 'a b', 'x'.repeat(129)])
    assert.deepEqual(problemOf(await open(bot, key)), [400, 'IDEMPOTENCY_KEY_MISSING'])
  assert.equal(await flowsOf(stage), 0)
})

test('the same request again gets the first answer, marked', async (t) => {
  const stage = await served(t)
  const bot = await stage.agent()
  const first = await open(bot, 'k1')
  const again = await open(bot, 'k1')
  assert.deepEqual([again.status, again.body], [first.status, first.body])
  assert.deepEqual(
    [first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')],
    [null, 'true'],
  )
  assert.equal(await flowsOf(stage), 1)
  assert.notEqual((await open(bot, 'k2')).body.dfid, first.body.dfid)
})

test('the same key with another body is refused, and so are other bytes of the same', async (t) => {
  const stage = await served(t)
  const bot = await stage.agent()
  await open(bot, 'k1')
  const other = await open(bot, 'k1', { trigger: 'ticket 2' })
  assert.deepEqual(problemOf(other), [422, 'IDEMPOTENCY_BODY_MISMATCH'])
  assert.equal(await flowsOf(stage), 1)
})

test('of two that ask under one key at once one is done, and the other hears so', async (t) => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let reached = (): void => {}
  const arrived = new Promise<void>((resolve) => {
    reached = resolve
  })
  let isHeld = false
  const failpoints = {
    async reach(point: string) {
      if (point !== 'open.before_commit' || isHeld) return
      isHeld = true
      reached()
      await held
    },
  }
  const stage = await served(t, { failpoints })
  const bot = await stage.agent()
  const first = open(bot, 'k1')
  await arrived
  const second = await open(bot, 'k1')
  assert.equal(second.status, 201)
  release()
  assert.deepEqual(problemOf(await first), [409, 'IDEMPOTENCY_IN_FLIGHT'])
  assert.equal(await flowsOf(stage), 1)
  assert.deepEqual((await open(bot, 'k1')).body, second.body)
})

test('keys of one agent mean nothing to another principal', async (t) => {
  const { buildContract } = await import('../../demo/contract.ts')
  const stage = await served(t)
  await stage.runtime.deploy(buildContract('other_bot', ['REFUND']))
  const [bot, other] = [await stage.agent(), await stage.agent('other_bot')]
  const [mine, theirs] = [await open(bot, 'k1'), await open(other, 'k1')]
  assert.notEqual(mine.body.dfid, theirs.body.dfid)
})

test('what was refused, or went wrong, is judged again under its key', async (t) => {
  const stage = await served(t)
  const bot = await stage.agent()
  const chosen = { ...body, dfid: 'mine' }
  assert.deepEqual(problemOf(await open(bot, 'k1', chosen)), [422, 'DFID_SUPPLIED'])
  const again = await open(bot, 'k1', chosen)
  assert.deepEqual(problemOf(again), [422, 'DFID_SUPPLIED'])
  assert.equal(again.headers.get('idempotent-replayed'), null)
  const failing = t.mock.method(stage.runtime.engine, 'open', async () => {
    throw new Error('once')
  })
  assert.deepEqual(problemOf(await open(bot, 'k2')), [500, 'BUG'])
  failing.mock.restore()
  assert.equal((await open(bot, 'k2')).status, 201)
})

test('answers expire, and new ones clear them away', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { clock })
  const bot = await stage.agent()
  for (const key of ['k1', 'k2', 'k3']) await open(bot, key)
  const kept = async (): Promise<number> =>
    (await stage.runtime.store.listRecords('http_reply', 'agent refunds_bot', { limit: 99 })).length
  assert.equal(await kept(), 3)
  clock.ahead(LIMITS.replyMs - 60_000)
  assert.equal((await open(bot, 'k1')).headers.get('idempotent-replayed'), 'true')
  clock.ahead(60_000)
  const late = await open(bot, 'k1')
  assert.deepEqual([late.status, late.headers.get('idempotent-replayed')], [201, null])
  await clearExpired(bot)
  assert.equal(await kept(), 1 + CLEARING.length)
  assert.equal((await open(bot, 'k1')).headers.get('idempotent-replayed'), 'true')
})

test('what a dead process had begun is done by the next one', async (t) => {
  const stage = await served(t)
  const bot = await stage.agent()
  const { store } = stage.runtime
  await open(bot, 'k1')
  const [kept] = await store.listRecords('http_reply', 'agent refunds_bot', { limit: 1 })
  assert.ok(kept !== undefined)
  const abandoned = { ...kept.body, reply: null, epoch: kept.body.epoch + 1 }
  const { group, key } = kept
  const put = { kind: 'put_record', record: 'http_reply', group, key, body: abandoned } as const
  assert.ok((await store.commit({ guards: [], writes: [put] })).ok)
  t.mock.method(store, 'listEndedEpochs', async () => [])
  assert.deepEqual(problemOf(await open(bot, 'k1')), [409, 'IDEMPOTENCY_IN_FLIGHT'])
  t.mock.method(store, 'listEndedEpochs', async (epochs: readonly number[]) => epochs)
  assert.equal((await open(bot, 'k1')).status, 201)
  assert.equal(await flowsOf(stage), 2)
  assert.equal((await get(bot, '/v1/flows')).status, 200)
})

test('what was done is answered though the store cannot keep the answer, and is not done again', async (t) => {
  const { runtime, person } = await served(t)
  const olga = person('olga', 'operator')
  const commit = runtime.store.commit.bind(runtime.store)
  const isAnswer = (write: Write): boolean =>
    write.kind === 'put_record' && write.record === 'http_reply' && write.body.reply !== null
  const full = t.mock.method(runtime.store, 'commit', async (unit: Unit) => {
    if (unit.writes.some(isAnswer)) throw new StoreError('STORE_FULL', 'full', 'make room')
    return commit(unit)
  })
  const question = { body: { agent: AGENT }, headers: { 'idempotency-key': 'k1' } }
  assert.equal((await post(olga, '/v1/writs', question)).status, 201)
  full.mock.restore()
  const again = await post(olga, '/v1/writs', question)
  assert.deepEqual(problemOf(again), [409, 'IDEMPOTENCY_IN_FLIGHT'])
  assert.equal((await runtime.store.listWrits(10)).length, 1)
})

test('what a dead process had begun and named a flow for is not done again: the flow answers', async (t) => {
  const stage = await served(t)
  const bot = await stage.agent()
  const { store } = stage.runtime
  const wanted = { ...body, policy_kind: 'REFUND', params: { order: 'o_1', amount: '20.00' } }
  const act = () => post(bot, '/v1/actions', { body: wanted, headers: { 'idempotency-key': 'k1' } })
  const first = await act()
  const [kept] = await store.listRecords('http_reply', 'agent refunds_bot', { limit: 1 })
  assert.ok(kept !== undefined)
  const { group, key } = kept
  const abandoned = { ...kept.body, epoch: kept.body.epoch + 1 }
  const put = { kind: 'put_record', record: 'http_reply', group, key, body: abandoned } as const
  assert.ok((await store.commit({ guards: [], writes: [put] })).ok)
  t.mock.method(store, 'listEndedEpochs', async (epochs: readonly number[]) => epochs)
  assert.deepEqual((await act()).body, first.body)
  assert.deepEqual([await flowsOf(stage), stage.calls.length], [1, 1])
})

const WANTED = {
  ...body,
  policy_kind: 'REFUND',
  params: { order: 'o_1', amount: '20.00' },
}

const act = (agent: HttpPlace, key: string, more: object = {}): Promise<HttpAnswer> =>
  post(agent, '/v1/actions', { body: { ...WANTED, ...more }, headers: { 'idempotency-key': key } })

/** The next act waits before its decision is written, until it is released. */
function createHold() {
  let held: PromiseWithResolvers<void> | null = null
  let arrived = Promise.withResolvers<void>()
  return {
    failpoints: {
      async reach(point: string) {
        if (point !== 'dispatch.before_commit' || held === null) return
        const waits = held
        held = null
        arrived.resolve()
        await waits.promise
      },
    },
    /** What is asked now has everything but its unit; calling the answer lets it go on. */
    async catchNext(work: () => Promise<HttpAnswer>): Promise<() => Promise<HttpAnswer>> {
      const waits = Promise.withResolvers<void>()
      held = waits
      arrived = Promise.withResolvers<void>()
      const answer = work()
      await arrived.promise
      return () => {
        waits.resolve()
        return answer
      }
    },
  }
}

const CLEARING = Array.from({ length: 64 }, (_, i) => `clearing-${i}`)

/** Under one of these keys or another, those that have expired are cleared away. */
async function clearExpired(agent: HttpPlace): Promise<void> {
  for (const key of CLEARING) await open(agent, key)
}

test('an act that takes its time does not clear away what was claimed meanwhile', async (t) => {
  const clock = createMovableClock()
  const { failpoints, catchNext } = createHold()
  const stage = await served(t, { clock, failpoints })
  const bot = await stage.agent()
  await act(bot, 'k1')
  clock.ahead(LIMITS.replyMs)
  const release = await catchNext(() => act(bot, 'k2'))
  const late = await act(bot, 'k1')
  assert.equal((await release()).status, 200)
  const again = await act(bot, 'k1')
  assert.deepEqual([again.body.dfid, stage.calls.length], [late.body.dfid, 3])
})

test('of two acts under a key that has expired one is done, though it was cleared away between', async (t) => {
  const clock = createMovableClock()
  const { failpoints, catchNext } = createHold()
  const stage = await served(t, { clock, failpoints })
  const bot = await stage.agent()
  await act(bot, 'k1')
  clock.ahead(LIMITS.replyMs)
  const release = await catchNext(() => act(bot, 'k1'))
  await clearExpired(bot)
  assert.equal((await act(bot, 'k1')).status, 200)
  assert.deepEqual(problemOf(await release()), [409, 'IDEMPOTENCY_IN_FLIGHT'])
  assert.equal(stage.calls.length, 2)
})

test('a key does not expire before it is known what became of its act', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { clock, policies: [askAlways], background: false })
  const bot = await stage.agent()
  const first = await act(bot, 'k1')
  assert.equal(first.body.outcome, 'ESCALATED')
  for (let hour = 0; hour < 3; hour++) {
    clock.ahead(LIMITS.replyMs)
    assert.equal((await act(bot, 'k1')).body.dfid, first.body.dfid, 'nobody is asked twice')
    await clearExpired(bot)
    assert.equal((await act(bot, 'k1')).body.dfid, first.body.dfid, 'it is not cleared away')
  }
  await stage.runtime.engine.cancel(first.body.dfid, 'enough')
  clock.ahead(LIMITS.replyMs)
  assert.notEqual((await act(bot, 'k1')).body.dfid, first.body.dfid)
})
