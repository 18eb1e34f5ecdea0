/** Several agents answer one event. Each stage verifies its ledger when it is closed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failpoint } from '../../ports/failpoint.ts'
import { dieAt, eventStage, RISK, SENTIMENT, STRATEGY } from './event-stage.test-support.ts'

const PENDING = { outcome: 'ACCEPTED', status: 'PENDING' }

for (const order of [
  [RISK, STRATEGY],
  [STRATEGY, RISK],
] as const)
  test(`risk preempts strategy also where ${order[0]} is first`, async () => {
    const stage = await eventStage()
    await stage.wake()
    for (const agent of order) {
      const answer = await stage.bid(agent, agent === RISK ? 'ALERT' : 'BUY')
      const said = { outcome: answer.outcome, status: answer.execution?.status }
      assert.deepEqual(said, PENDING)
      assert.deepEqual(stage.sent, [], 'sentiment is waited for')
      assert.equal((await stage.flowOf(agent)).state, 'VALIDATING')
    }
    await stage.closeWindow()
    assert.deepEqual(stage.sent, [`ALERT ${RISK}`])
    assert.equal((await stage.flowOf(RISK)).state, 'CLOSED')
    const lost = await stage.flowOf(STRATEGY)
    assert.equal(await stage.lastWord(STRATEGY), 'rejection PREEMPTED')
    assert.deepEqual([lost.state, lost.rejections], ['ACTIVE', 0], 'it costs no retry')
    await stage.close()
  })

test('the window closes as soon as everybody has spoken or ended', async () => {
  const stage = await eventStage()
  await stage.wake()
  const { dfid } = await stage.flowOf(SENTIMENT)
  assert.ok((await stage.engine().close(dfid)).ok)
  await stage.bid(STRATEGY, 'BUY')
  assert.deepEqual(stage.sent, [])
  await stage.bid(RISK, 'SELL')
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`SELL ${RISK}`])
  await stage.close()
})

test('whoever waits for its outcome hears it', async () => {
  const stage = await eventStage()
  await stage.wake()
  const { dfid } = await stage.flowOf(STRATEGY)
  const proposal = { policy_kind: 'BUY', params: { what: 'x' } }
  const waiting = stage.engine().propose(dfid, proposal)
  for (let i = 0; i < 20; i++) await stage.clock.advance(0)
  await stage.bid(RISK, 'ALERT')
  await stage.closeWindow()
  for (let i = 0; i < 20; i++) await stage.clock.advance(100)
  const answer = await waiting
  assert.deepEqual([answer.outcome, answer.reason_code], ['REJECTED', 'PREEMPTED'])
  assert.equal(answer.feedback?.details.winner, (await stage.flowOf(RISK)).dfid)
  await stage.close()
})

test('a window in which nobody proposes closes, and later proposals are carried out at once, one of them', async () => {
  const stage = await eventStage()
  const id = await stage.wake()
  await stage.closeWindow()
  const { store } = stage.runtime()
  assert.equal(await store.readRecord('event', 'open', id), null)
  assert.equal((await stage.bid(SENTIMENT, 'BUY')).outcome, 'ACCEPTED')
  const late = await stage.bid(RISK, 'ALERT')
  assert.deepEqual([late.outcome, late.reason_code], ['REJECTED', 'PREEMPTED'])
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`BUY ${SENTIMENT}`])
  await stage.close()
})

test('a winner that is refused when its turn comes hands on', async () => {
  const stage = await eventStage()
  await stage.wake()
  await stage.bid(RISK, 'ALERT')
  await stage.bid(STRATEGY, 'BUY')
  const move = { agent_id: RISK, actor: 'operator', justification: 'test' } as const
  assert.ok((await stage.engine().moveAgent({ ...move, to: 'SUSPENDED' })).ok)
  await stage.closeWindow()
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  assert.equal(await stage.lastWord(RISK), 'rejection AGENT_SUSPENDED')
  await stage.close()
})

test('a proposal that waits holds nothing, and a second one in its flow is refused', async () => {
  const stage = await eventStage()
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY', { what: 'x', stock: 'eth' })
  const { store } = stage.runtime()
  assert.deepEqual(await store.listRecords('lock', 'eth', { limit: 1 }), [])
  const again = await stage.bid(STRATEGY, 'SELL')
  assert.deepEqual([again.outcome, again.reason_code], ['REJECTED', 'FLOW_NOT_OPEN'])
  const { dfid } = await stage.flowOf(STRATEGY)
  assert.ok((await stage.engine().cancel(dfid, 'test')).ok)
  await stage.closeWindow()
  assert.deepEqual(stage.sent, [])
  await stage.close()
})

test('where only resources exclude, those lose who share one with a winner', async () => {
  const stage = await eventStage({ arbitration: { exclusive: 'resources' } })
  await stage.wake()
  await stage.bid(SENTIMENT, 'BUY', { what: 'btc', stock: 'btc' })
  await stage.bid(STRATEGY, 'BUY', { what: 'eth', stock: 'eth' })
  await stage.bid(RISK, 'SELL', { what: 'all eth', stock: 'eth' })
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent.toSorted(), ['BUY btc', 'SELL all eth'])
  assert.equal(await stage.lastWord(STRATEGY), 'rejection PREEMPTED')
  await stage.close()
})

test('HALT stops what waits at once, and what comes later', async () => {
  const stage = await eventStage()
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  const halted = await stage.bid(RISK, 'HALT', { reason: 'the feed is wrong' })
  assert.equal(halted.execution?.status, 'SUCCESS')
  for (const agent of [STRATEGY, SENTIMENT]) {
    assert.equal((await stage.flowOf(agent)).state, 'ABORTED')
    assert.equal(await stage.lastWord(agent), 'rejection EVENT_HALTED')
  }
  await stage.closeWindow()
  assert.deepEqual(stage.sent, [])
  await stage.close()
})

test('HALT counts also after the window, for what was not dispatched', async () => {
  const stage = await eventStage()
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  await stage.closeWindow()
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  await stage.bid(RISK, 'HALT', { reason: 'enough' })
  assert.equal((await stage.flowOf(STRATEGY)).state, 'CLOSED', 'nothing is called back')
  assert.equal((await stage.flowOf(SENTIMENT)).state, 'ABORTED')
  await stage.close()
})

test('HALT also stops flows of an event that nobody arbitrates', async () => {
  const stage = await eventStage({ arbitration: null })
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  await stage.engine().context.inFlight.awaitDrained()
  await stage.bid(RISK, 'HALT', { reason: 'enough' })
  assert.equal((await stage.flowOf(SENTIMENT)).state, 'ABORTED')
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  await stage.close()
})

test('HALT is refused in a flow that no event opened, and to whom it was not granted', async () => {
  const stage = await eventStage()
  const open = await stage.runtime().open({ agent: RISK, trigger: 'by itself' })
  const alone = await open.propose({ policy_kind: 'HALT', params: { reason: 'x' } })
  assert.equal(alone.reason_code, 'TOPOLOGY_MISMATCH')
  assert.equal(alone.feedback?.details.wanted, 'EOAM')
  await stage.wake()
  const ungranted = await stage.bid(STRATEGY, 'HALT', { reason: 'x' })
  assert.equal(ungranted.reason_code, 'RBAC_DENIED')
  await stage.close()
})

test('a flow whose bid is gone does not wait for ever', async () => {
  const stage = await eventStage()
  const id = await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  const { dfid } = await stage.flowOf(STRATEGY)
  const gone = { kind: 'drop_record', record: 'bid', group: id, key: dfid } as const
  assert.ok((await stage.runtime().store.commit({ guards: [], writes: [gone] })).ok)
  await stage.closeWindow()
  assert.equal((await stage.flowOf(STRATEGY)).state, 'ABORTED')
  assert.deepEqual(stage.sent, [])
  await stage.close()
})

test('losing is no fault: however often, nobody is suspended for it', async () => {
  const stage = await eventStage({
    safety_rules: {
      suspend_after_rejections: { count: 2, window_s: 3600 },
      rejections_per_hour: 2,
    },
  })
  for (let round = 0; round < 4; round++) {
    await stage.wake()
    await stage.bid(STRATEGY, 'BUY')
    if (round % 2 === 0) await stage.bid(RISK, 'ALERT')
    else await stage.bid(RISK, 'HALT', { reason: 'test' })
    await stage.closeWindow()
    const { state } = await stage.flowOf(STRATEGY)
    assert.equal(state, round % 2 === 0 ? 'ACTIVE' : 'ABORTED')
  }
  assert.deepEqual(stage.sent, [`ALERT ${RISK}`, `ALERT ${RISK}`])
  await stage.close()
})

/** Stops whoever comes to a failpoint first, until it is let go. */
function holdAt(point: Failpoint): {
  readonly reached: Promise<void>
  reach(reached: Failpoint): Promise<void>
  arm(): void
  letGo(): void
} {
  const reached = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let isArmed = false
  return {
    reached: reached.promise,
    async reach(one) {
      if (!isArmed || one !== point) return
      isArmed = false
      reached.resolve()
      await goOn.promise
    },
    arm() {
      isArmed = true
    },
    letGo: goOn.resolve,
  }
}

test('a higher bid that arrives while a lower one is judged wins, and the lower one is not sent', async () => {
  const lower = holdAt('dispatch.before_commit')
  const higher = holdAt('arbitrate.after_bid')
  const reach = async (point: Failpoint): Promise<void> => {
    await lower.reach(point)
    await higher.reach(point)
  }
  const stage = await eventStage({ failpoints: { reach } })
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  lower.arm()
  const closing = stage.closeWindow()
  await lower.reached
  higher.arm()
  const bidding = stage.bid(RISK, 'SELL')
  // It is dispatched, and nobody has told the other yet.
  await higher.reached
  lower.letGo()
  await closing
  higher.letGo()
  await bidding
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`SELL ${RISK}`])
  assert.equal(await stage.lastWord(STRATEGY), 'rejection PREEMPTED')
  await stage.close()
})

test('a higher bid that nobody has judged yet is not overlooked by whoever dispatches a lower one', async () => {
  const lower = holdAt('dispatch.before_commit')
  const higher = holdAt('arbitrate.after_bidding')
  const reach = async (point: Failpoint): Promise<void> => {
    await lower.reach(point)
    await higher.reach(point)
  }
  const stage = await eventStage({ failpoints: { reach } })
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  lower.arm()
  const closing = stage.closeWindow()
  await lower.reached
  higher.arm()
  const bidding = stage.bid(RISK, 'SELL')
  await higher.reached
  lower.letGo()
  await closing
  higher.letGo()
  await bidding
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`SELL ${RISK}`])
  await stage.close()
})

const POINTS = [
  'arbitrate.after_bidding',
  'arbitrate.before_judging',
  'arbitrate.after_bid',
  'arbitrate.before_closing',
  'dispatch.before_commit',
  'dispatch.after_commit',
] as const

for (const point of POINTS)
  test(`a process killed at ${point} leaves one winner and nobody waiting`, async () => {
    const death = dieAt(point)
    const stage = await eventStage(death.options)
    const id = await stage.wake()
    await stage.bid(STRATEGY, 'BUY')
    await stage.bid(SENTIMENT, 'SELL')
    death.arm()
    await stage.bid(RISK, 'ALERT').catch(() => {})
    const { dfid } = await stage.flowOf(RISK)
    await stage.restart()
    await stage.engine().runDue()
    await stage.closeWindow()
    await stage.engine().reconcile()
    await stage.engine().runDue()
    const dispatched = await stage.runtime().store.listExecutions({ limit: 10 })
    assert.deepEqual(
      dispatched.map((row) => row.dfid),
      [dfid],
    )
    assert.ok(stage.sent.every((one) => one === `ALERT ${RISK}`) && stage.sent.length <= 1)
    for (const agent of [STRATEGY, SENTIMENT])
      assert.equal(await stage.lastWord(agent), 'rejection PREEMPTED')
    const { store } = stage.runtime()
    assert.deepEqual(await store.listRecords('bid', id, { limit: 10 }), [])
    assert.equal(await store.readRecord('event', 'open', id), null)
    await stage.close()
  })
