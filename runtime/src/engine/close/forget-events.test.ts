/** How long it is kept what became of an event. Each stage verifies its ledger when it is closed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type EventStage,
  eventStage,
  RISK,
  SENTIMENT,
  STRATEGY,
} from '../arbitrate/event-stage.test-support.ts'
import { readEventStanding } from '../flow/event-account.ts'
import { findEvent } from '../flow/event-rows.ts'
import { forgetEvents } from './forget-events.ts'

const DAY = 86_400_000

const isKept = async (stage: EventStage, id: string): Promise<boolean> =>
  (await findEvent(stage.runtime().store, id)) !== null

const listDue = (stage: EventStage): Promise<readonly unknown[]> =>
  stage.runtime().store.listRecords('event_due', 'due', { limit: 10 })

/** An event of which strategy has won. */
async function playEvent(stage: EventStage): Promise<string> {
  const id = await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  await stage.closeWindow()
  return id
}

test('an event is forgotten a week after, with its flows ended, and the ledger still verifies', async () => {
  const stage = await eventStage()
  const id = await playEvent(stage)
  await stage.clock.advance(7 * DAY - 10_000)
  await stage.engine().runDue()
  assert.ok(await isKept(stage, id), 'not earlier')
  await stage.clock.advance(20_000)
  await stage.engine().runDue()
  assert.ok(!(await isKept(stage, id)))
  assert.deepEqual(await listDue(stage), [])
  await stage.close()
})

test('an event that was decided is not shown as one that nobody could lose, once it is forgotten', async () => {
  const stage = await eventStage()
  const id = await playEvent(stage)
  const { store } = stage.runtime()
  assert.equal((await readEventStanding(store, id)).outcome, 'won')
  await stage.clock.advance(8 * DAY)
  await stage.engine().runDue()
  assert.ok(!(await isKept(stage, id)))
  assert.equal((await readEventStanding(store, id)).outcome, 'forgotten')
  await stage.close()
})

test('an event is not forgotten while a flow of it is open', async () => {
  const stage = await eventStage()
  const id = await playEvent(stage)
  await stage.clock.advance(8 * DAY)
  assert.equal((await stage.flowOf(RISK)).state, 'ACTIVE', 'nobody has looked at its time')
  assert.equal(await forgetEvents(stage.engine().context), 0)
  assert.ok(await isKept(stage, id))
  for (const agent of [RISK, SENTIMENT])
    assert.ok((await stage.engine().cancel((await stage.flowOf(agent)).dfid, 'test')).ok)
  assert.equal(await forgetEvents(stage.engine().context), 0, 'it is looked at once a day')
  await stage.clock.advance(DAY + 1_000)
  assert.equal(await forgetEvents(stage.engine().context), 1)
  assert.ok(!(await isKept(stage, id)))
  await stage.close()
})

test('an event is not forgotten while an agent is still to be woken', async () => {
  const stage = await eventStage({ arbitration: null })
  await stage.runtime().observe({ path: 'market.price', value: '1' })
  const move = { agent_id: RISK, actor: 'operator', justification: 'test' } as const
  assert.ok((await stage.engine().moveAgent({ ...move, to: 'SUSPENDED' })).ok)
  await stage.engine().runDue()
  const opened = await stage.flows()
  assert.deepEqual(opened.map(({ agent_id }) => agent_id).toSorted(), [SENTIMENT, STRATEGY])
  const id = opened[0]?.event?.event_id ?? assert.fail('they were woken')
  await stage.clock.advance(8 * DAY)
  await stage.engine().runDue()
  assert.ok(await isKept(stage, id))
  assert.ok((await stage.engine().moveAgent({ ...move, to: 'ACTIVE' })).ok)
  await stage.engine().runDue()
  const [last] = (await stage.flows()).filter(({ agent_id }) => agent_id === RISK)
  assert.equal(last?.event?.event_id, id)
  await stage.clock.advance(2 * DAY)
  await stage.engine().runDue()
  assert.ok(!(await isKept(stage, id)))
  await stage.close()
})

test('an event that waits for bids is not forgotten', async () => {
  const stage = await eventStage()
  const id = await stage.wake()
  for (const agent of [RISK, SENTIMENT, STRATEGY])
    assert.ok((await stage.engine().cancel((await stage.flowOf(agent)).dfid, 'test')).ok)
  await stage.clock.advance(8 * DAY)
  assert.equal(await forgetEvents(stage.engine().context), 0)
  assert.ok(await isKept(stage, id))
  await stage.close()
})

test('a word of nobody that an event is due does not make it forgotten', async () => {
  const stage = await eventStage()
  const id = await playEvent(stage)
  for (const agent of [RISK, SENTIMENT])
    assert.ok((await stage.engine().cancel((await stage.flowOf(agent)).dfid, 'test')).ok)
  const row = { record: 'event_due', group: 'due', key: `2020-01-01T00:00:00.000Z ${id}` } as const
  const write = { kind: 'put_record', ...row, body: { event_id: id } } as const
  assert.ok((await stage.runtime().store.commit({ guards: [], writes: [write] })).ok)
  assert.equal(await forgetEvents(stage.engine().context), 0)
  assert.ok(await isKept(stage, id))
  await stage.close()
})

test('a flow whose event is gone does nothing, and halts nothing', async () => {
  const stage = await eventStage()
  const key = await playEvent(stage)
  const gone = { kind: 'drop_record', record: 'event', group: 'closed', key } as const
  assert.ok((await stage.runtime().store.commit({ guards: [], writes: [gone] })).ok)
  const answer = await stage.bid(SENTIMENT, 'BUY')
  assert.deepEqual([answer.outcome, answer.reason_code], ['REJECTED', 'STATE_UNAVAILABLE'])
  const halt = await stage.bid(RISK, 'HALT', { reason: 'x' })
  assert.notEqual(halt.execution?.status, 'SUCCESS')
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  await stage.close()
})
