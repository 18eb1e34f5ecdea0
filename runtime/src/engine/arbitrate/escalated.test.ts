/** A proposal about an event that goes to a person has left the group of those who wait for each other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANN, decisionFor } from '../approve/escalation.test-support.ts'
import {
  type EventStage,
  eventStage,
  RISK,
  SENTIMENT,
  STRATEGY,
} from './event-stage.test-support.ts'

async function stageWithApproval(): Promise<EventStage> {
  const stage = await eventStage({
    safety_rules: { requires_human_approval: ['SELL'] },
    people: ['ann@example.com'],
  })
  await stage.wake()
  const asked = await stage.bid(RISK, 'SELL')
  assert.equal(asked.outcome, 'ESCALATED')
  return stage
}

async function approve(stage: EventStage): Promise<boolean> {
  const { oversight } = stage.engine()
  const [first] = await oversight.escalations()
  const view = await oversight.escalation(first?.id ?? '')
  assert.ok(view !== null)
  const decision = decisionFor(stage, view.request, {})
  return (await oversight.decideEscalation(view.request.id, decision, ANN)).ok
}

test('it is not waited for, and its request is void once another has won', async () => {
  const stage = await stageWithApproval()
  await stage.bid(SENTIMENT, 'BUY')
  assert.deepEqual(stage.sent, [])
  await stage.bid(STRATEGY, 'BUY')
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  assert.equal((await stage.flowOf(RISK)).state, 'ABORTED')
  assert.equal(await stage.lastWord(RISK), 'rejection PREEMPTED')
  await stage.engine().runDue()
  assert.deepEqual(await stage.engine().oversight.escalations(), [])
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  await stage.close()
})

test('what a person lets pass before anybody has won wins, and waits for nobody', async () => {
  const stage = await stageWithApproval()
  await stage.bid(STRATEGY, 'BUY')
  assert.ok(await approve(stage))
  await stage.engine().runDue()
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`SELL ${RISK}`])
  await stage.closeWindow()
  assert.deepEqual(stage.sent, [`SELL ${RISK}`])
  assert.equal(await stage.lastWord(STRATEGY), 'rejection PREEMPTED')
  await stage.close()
})

test('with executors of their own the one that was accepted has won', async () => {
  const stage = await eventStage({ executors: 'separate' })
  await stage.wake()
  for (const agent of [STRATEGY, SENTIMENT]) await stage.bid(agent, 'BUY')
  await stage.bid(RISK, 'ALERT')
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`ALERT ${RISK}`])
  for (const agent of [STRATEGY, SENTIMENT])
    assert.equal(await stage.lastWord(agent), 'rejection PREEMPTED')
  await stage.close()
})

test('nobody is asked about what has lost already, when it comes after the window', async () => {
  const stage = await eventStage({
    safety_rules: { requires_human_approval: ['SELL'] },
    people: ['ann@example.com'],
  })
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  await stage.closeWindow()
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  const late = await stage.bid(RISK, 'SELL')
  assert.deepEqual([late.outcome, late.reason_code], ['REJECTED', 'PREEMPTED'])
  assert.deepEqual(await stage.engine().oversight.escalations(), [])
  await stage.close()
})

test('nobody stays asked about what loses to a proposal that comes after the window', async () => {
  const stage = await stageWithApproval()
  await stage.closeWindow()
  assert.equal((await stage.flowOf(RISK)).state, 'ESCALATED')
  await stage.bid(STRATEGY, 'BUY')
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`BUY ${STRATEGY}`])
  await stage.engine().runDue()
  assert.equal(await stage.lastWord(RISK), 'rejection PREEMPTED')
  await stage.engine().runDue()
  assert.deepEqual(await stage.engine().oversight.escalations(), [])
  await stage.close()
})

test('nobody is asked about what loses while the question is written', async () => {
  let meanwhile: (() => Promise<void>) | null = null
  const reach = async (point: string): Promise<void> => {
    const act = meanwhile
    if (point !== 'escalate.before_commit' || act === null) return
    meanwhile = null
    await act()
  }
  const stage = await eventStage({
    safety_rules: { requires_human_approval: ['SELL'] },
    people: ['ann@example.com'],
    failpoints: { reach },
  })
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY')
  meanwhile = () => stage.closeWindow()
  const asked = await stage.bid(RISK, 'SELL')
  assert.deepEqual([asked.outcome, asked.reason_code], ['REJECTED', 'PREEMPTED'])
  assert.deepEqual(await stage.engine().oversight.escalations(), [])
  await stage.close()
})

test('where resources exclude, a person is asked about what nobody has taken, and about nothing else', async () => {
  const stage = await eventStage({
    arbitration: { window_ms: 2_000, exclusive: 'resources' },
    safety_rules: { requires_human_approval: ['SELL'] },
    people: ['ann@example.com'],
  })
  await stage.wake()
  await stage.bid(STRATEGY, 'BUY', { what: 'a', stock: 'eth' })
  await stage.closeWindow()
  const taken = await stage.bid(RISK, 'SELL', { what: 'b', stock: 'eth' })
  assert.deepEqual([taken.outcome, taken.reason_code], ['REJECTED', 'PREEMPTED'])
  const free = await stage.bid(SENTIMENT, 'SELL', { what: 'c', stock: 'btc' })
  assert.equal(free.outcome, 'ESCALATED')
  await stage.close()
})
