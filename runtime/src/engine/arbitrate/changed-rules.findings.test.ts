/** Rules that change while an event is open: what was said of its topic when it was taken in holds for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TopicRow } from 'rubicon-kernel'
import {
  type EventStage,
  eventStage,
  RISK,
  SENTIMENT,
  STRATEGY,
} from './event-stage.test-support.ts'

const ROW: TopicRow = { topic: 'market.*', arbitration: { window_ms: 2_000 } }
const BARE: TopicRow = { topic: 'market.*' }

/** `topics` is read again at every start. */
function stageWith(topics: readonly TopicRow[]): Promise<EventStage> {
  return eventStage({ topics, acceptRules: 'any-in-development' })
}

test('a row that goes while a window is open does not make the record of its winner unreadable', async () => {
  const topics = [ROW]
  const stage = await stageWith(topics)
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  await stage.bid(SENTIMENT, 'BUY')
  topics.length = 0
  await stage.restart()
  await stage.closeWindow()
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  assert.equal(await stage.lastWord(SENTIMENT), 'rejection PREEMPTED')
  await stage.close()
})

test('kinds that no longer preempt still do in a window that was open before', async () => {
  const topics = [ROW]
  const stage = await stageWith(topics)
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  await stage.bid(RISK, 'ALERT')
  const arbitration = { exclusive: 'resources', preempting_kinds: ['BUY'] } as const
  topics[0] = { topic: 'market.*', arbitration }
  await stage.restart()
  await stage.closeWindow()
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`ALERT ${RISK}`])
  await stage.close()
})

test('a row that comes later does not turn answers to an event that nobody arbitrated into two winners', async () => {
  const topics = [BARE]
  const stage = await stageWith(topics)
  await stage.wake()
  topics[0] = ROW
  await stage.restart()
  for (const agent of [STRATEGY, SENTIMENT]) {
    await stage.bid(agent, 'BUY')
    await stage.engine().context.inFlight.awaitDrained()
  }
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`, `BUY ${SENTIMENT}`])
  await stage.close()
})
