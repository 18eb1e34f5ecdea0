/** Whoever closes an event looks at its flows one by one. What a flow has become meanwhile is not ended for what it was. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Failpoint } from '../../ports/failpoint.ts'
import { ANN, decisionFor } from '../approve/escalation.test-support.ts'
import { judgeOnce } from '../decide/propose.ts'
import {
  dieAt,
  type EventStage,
  eventStage,
  RISK,
  SENTIMENT,
  STRATEGY,
} from './event-stage.test-support.ts'
import { settleEvent } from './settle-event.ts'

type Read = 'readRecord' | 'listRecords'

/** The first who reads that hears what it was before, or after, what is done meanwhile. */
function interrupt(
  t: TestContext,
  stage: EventStage,
  [read, ...row]: readonly [Read, ...string[]],
  when: 'before' | 'after',
  meanwhile: () => Promise<unknown>,
): void {
  const { store } = stage.engine().context
  const original = store[read].bind(store) as (...asked: unknown[]) => Promise<unknown>
  let isDone = false
  t.mock.method(store, read, async (...asked: unknown[]) => {
    if (isDone || !row.every((part, index) => asked[index] === part)) return original(...asked)
    isDone = true
    if (when === 'before') await meanwhile()
    const found = await original(...asked)
    if (when === 'after') await meanwhile()
    return found
  })
}

/** The window is over, and nobody has bid. While that is closed, sentiment bids in a process that dies; then `meanwhile`. */
async function closeWhileSentimentIsJudged(
  t: TestContext,
  stage: EventStage,
  arm: () => void,
  meanwhile: (id: string) => Promise<unknown>,
): Promise<void> {
  const id = await stage.wake()
  const { dfid } = await stage.flowOf(SENTIMENT)
  interrupt(t, stage, ['listRecords', 'bid', id], 'after', async () => {
    arm()
    await assert.rejects(stage.bid(SENTIMENT, 'BUY'), /killed/)
  })
  interrupt(t, stage, ['readRecord', 'bid', id, dfid], 'before', async () => {
    assert.equal((await stage.flowOf(SENTIMENT)).state, 'VALIDATING')
    await meanwhile(id)
  })
  await stage.clock.advance(2_000)
  await stage.engine().runDue()
}

test('a proposal that loses while its event is closed is not taken for one that is gone', async (t) => {
  const { options, arm } = dieAt('arbitrate.after_bidding')
  const stage = await eventStage(options)
  await closeWhileSentimentIsJudged(t, stage, arm, () => stage.bid(STRATEGY, 'BUY'))
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  assert.equal(await stage.lastWord(SENTIMENT), 'rejection PREEMPTED')
  assert.equal((await stage.flowOf(SENTIMENT)).state, 'ACTIVE')
  await stage.close()
})

test('a winner that an executor has not sent yet is not given back by whoever closes its event', async (t) => {
  const dying = dieAt('arbitrate.after_bidding')
  const gate = Promise.withResolvers<void>()
  const reach = async (point: Failpoint): Promise<void> => {
    if (point === 'dispatch.before_commit') await gate.promise
    await dying.options.failpoints?.reach(point)
  }
  const stage = await eventStage({ executors: 'separate', failpoints: { reach } })
  const { context } = stage.engine()
  await closeWhileSentimentIsJudged(t, stage, dying.arm, async (id) => {
    await settleEvent(context, id, judgeOnce)
    assert.equal((await stage.flowOf(SENTIMENT)).state, 'ACCEPTED')
  })
  gate.resolve()
  await context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`BUY ${SENTIMENT}`])
  await stage.close()
})

test('a HALT is not void for what its flow had asked about before', async (t) => {
  const stage = await eventStage({
    safety_rules: { requires_human_approval: ['SELL', 'HALT'] },
    people: ['ann@example.com'],
  })
  await stage.wake()
  assert.equal((await stage.bid(RISK, 'SELL')).outcome, 'ESCALATED')
  await stage.bid(STRATEGY, 'BUY')
  const { dfid, attempts } = await stage.flowOf(RISK)
  const asked = ['readRecord', 'escalation', 'open', `${dfid}:${attempts}`] as const
  interrupt(t, stage, asked, 'after', async () => {
    await approveFirst(stage)
    assert.equal(await stage.lastWord(RISK), 'rejection PREEMPTED')
    const halting = await stage.bid(RISK, 'HALT', { reason: 'wrong' })
    assert.equal(halting.outcome, 'ESCALATED')
  })
  await stage.closeWindow()
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  assert.equal((await stage.flowOf(RISK)).state, 'ESCALATED')
  await approveFirst(stage)
  await stage.engine().runDue()
  assert.equal(await stage.lastWord(SENTIMENT), 'rejection EVENT_HALTED')
  await stage.close()
})

async function approveFirst(stage: EventStage): Promise<void> {
  const { oversight } = stage.engine()
  const [first] = await oversight.escalations()
  const view = await oversight.escalation(first?.id ?? '')
  assert.ok(view !== null, 'a person is asked')
  const decision = decisionFor(stage, view.request, {})
  assert.ok((await oversight.decideEscalation(view.request.id, decision, ANN)).ok)
}
