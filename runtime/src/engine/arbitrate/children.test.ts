/** What flows of an event delegate belongs to the event. Each stage verifies its ledger when it is closed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, JsonObject } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { exportBundle } from '../../evidence/export-bundle.ts'
import type { FlowRow } from '../../ports/store.ts'
import { ANN, decisionFor } from '../approve/escalation.test-support.ts'
import { checkHint } from '../flow/bus-hints.ts'
import {
  dieAt,
  type EventStage,
  eventStage,
  RISK,
  SENTIMENT,
  STRATEGY,
} from './event-stage.test-support.ts'

/** Nothing wakes it: it works on what others delegate. */
const HAND = 'agent_hand'

type Options = NonNullable<Parameters<typeof eventStage>[0]>

async function childStage(options: Options = {}): Promise<EventStage> {
  const stage = await eventStage({ alsoGranted: ['SPAWN_CHILD', 'HALT'], ...options })
  const policy_kinds = ['BUY', 'SELL', 'SPAWN_CHILD', 'HALT']
  const permissions = { policy_kinds, reads: ['market.*'] }
  await stage.deploy({ agent_id: HAND, role: 'EXECUTOR', permissions })
  return stage
}

/** By SPAWN_CHILD, in the flow of `parent`. */
async function spawn(stage: EventStage, parent: string, more: JsonObject = {}): Promise<FlowRow> {
  await stage.clock.advance(5)
  const params = { agent: HAND, trigger: 'do it', steps: 'many', ...more }
  const proposal = {
    policy_kind: 'SPAWN_CHILD',
    step_id: `spawn-${stage.clock.monotonic()}`,
    params,
  }
  const answer = await stage.engine().propose(parent, proposal)
  const { dfid } = (answer.execution?.result ?? {}) as { readonly dfid?: string }
  return stage.flow(dfid ?? assert.fail(JSON.stringify(answer)))
}

/** By strategy, out of the flow that the event woke. */
async function delegate(stage: EventStage, more: JsonObject = {}): Promise<FlowRow> {
  return spawn(stage, (await stage.flowOf(STRATEGY)).dfid, more)
}

/** Ids and bids of one millisecond have no order. */
async function buy(stage: EventStage, { dfid }: FlowRow, what = 'x'): Promise<Answer> {
  await stage.clock.advance(5)
  const proposal = { policy_kind: 'BUY', step_id: `buy-${what}`, params: { what } }
  return stage.engine().propose(dfid, proposal, { waitMs: 0 })
}

const reasonOf = ({ outcome, reason_code = '' }: Answer): string => `${outcome} ${reason_code}`

/** Of the last refusal in it: what comes back from its children is written later. */
async function lastReason(stage: EventStage, { dfid }: FlowRow): Promise<unknown> {
  const entries = await stage.entries(dfid)
  return entries.findLast(([kind]) => kind === 'rejection')?.[1].reason_code
}

test('a child does not leave its parent’s event, nor does a child of that child', async () => {
  const stage = await childStage()
  const event_id = await stage.wake()
  const child = await delegate(stage)
  const below = await spawn(stage, child.dfid)
  for (const flow of [child, below]) {
    assert.deepEqual(flow.event, { event_id, topic: 'market.*' })
    const [opening] = await stage.entries(flow.dfid)
    const { event_id: named } = (opening?.[1].flow ?? {}) as { readonly event_id?: string }
    assert.equal(named, event_id)
  }
  await stage.close()
})

test('a child does not act beside the window: it bids, and is waited for', async () => {
  const stage = await childStage()
  await stage.wake()
  const child = await delegate(stage)
  assert.equal((await buy(stage, child)).execution?.status, 'PENDING')
  assert.equal((await stage.flow(child.dfid)).state, 'VALIDATING')
  await stage.bid(RISK, 'ALERT')
  await stage.engine().close((await stage.flowOf(SENTIMENT)).dfid)
  await stage.closeWindow()
  assert.deepEqual(stage.sent, [`ALERT ${RISK}`])
  assert.equal(await lastReason(stage, child), 'PREEMPTED')
  await stage.close()
})

test('a window does not close early while a child may still propose', async () => {
  const stage = await childStage()
  await stage.wake()
  const child = await delegate(stage)
  for (const agent of [SENTIMENT, STRATEGY]) {
    const { dfid, state } = await stage.flowOf(agent)
    if (state === 'ACTIVE') assert.ok((await stage.engine().close(dfid)).ok)
  }
  await stage.bid(RISK, 'SELL')
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [])
  await buy(stage, child)
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`SELL ${RISK}`])
  await stage.close()
})

test('a child that is opened after somebody has won does not act', async () => {
  const stage = await childStage({ arbitration: { window_ms: 60_000 } })
  await stage.wake()
  await stage.bid(RISK, 'ALERT')
  await stage.engine().close((await stage.flowOf(SENTIMENT)).dfid)
  await stage.bid(STRATEGY, 'BUY')
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`ALERT ${RISK}`])
  const child = await delegate(stage)
  assert.equal(reasonOf(await buy(stage, child)), 'REJECTED PREEMPTED')
  assert.deepEqual(stage.sent, [`ALERT ${RISK}`])
  await stage.close()
})

test('of a child that has won neither a child nor its parent acts, and it goes on itself', async () => {
  const stage = await childStage()
  await stage.wake()
  const child = await delegate(stage)
  await buy(stage, child, 'one')
  await stage.closeWindow()
  const below = await spawn(stage, child.dfid)
  assert.equal(reasonOf(await buy(stage, below)), 'REJECTED PREEMPTED')
  const { dfid, state } = await stage.flowOf(STRATEGY)
  const again = await stage.engine().propose(dfid, { policy_kind: 'BUY', params: { what: 'y' } })
  assert.equal(reasonOf(again), `REJECTED ${state === 'ACTIVE' ? 'PREEMPTED' : 'FLOW_NOT_OPEN'}`)
  assert.equal((await buy(stage, child, 'two')).outcome, 'ACCEPTED')
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, ['BUY one', 'BUY two'])
  await stage.close()
})

test('what an agent opens below its own flow is no way around the others', async () => {
  const stage = await childStage()
  await stage.wake()
  const { dfid: parent } = await stage.flowOf(STRATEGY)
  const request = { agent: STRATEGY, trigger: 'by itself', parent }
  const opened = await stage.runtime().open(request)
  const answer = await opened.propose({ policy_kind: 'BUY', params: { what: 'z' } }, { waitMs: 0 })
  assert.equal(answer.execution?.status, 'PENDING')
  await stage.bid(RISK, 'ALERT')
  await stage.closeWindow()
  assert.deepEqual(stage.sent, [`ALERT ${RISK}`])
  await stage.close()
})

for (const arbitration of [null, { window_ms: 2_000 }]) {
  const where = arbitration === null ? 'that nobody arbitrates' : 'that is arbitrated'
  test(`HALT of an event ${where} leaves no child at work`, async () => {
    const stage = await childStage({ arbitration })
    await stage.wake()
    const waiting = await delegate(stage, { steps: 'many' })
    const below = await spawn(stage, waiting.dfid)
    const bidding = await spawn(stage, waiting.dfid)
    if (arbitration !== null) await buy(stage, bidding)
    await stage.bid(RISK, 'HALT', { reason: 'the feed is wrong' })
    for (const { dfid } of [waiting, below, bidding]) {
      const flow = await stage.flow(dfid)
      assert.equal(flow.state, 'ABORTED')
      assert.equal(await lastReason(stage, flow), 'EVENT_HALTED')
    }
    await stage.closeWindow()
    assert.deepEqual(stage.sent, [])
    await stage.close()
  })
}

/** Stops the opening of a flow until it is let go, once it is armed. */
function holdOpening(): {
  readonly options: Pick<Options, 'failpoints'>
  readonly reached: Promise<void>
  arm(): void
  letGo(): void
} {
  const reached = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let isArmed = false
  const reach = async (point: string): Promise<void> => {
    if (!isArmed || point !== 'open.before_commit') return
    isArmed = false
    reached.resolve()
    await goOn.promise
  }
  return {
    options: { failpoints: { reach } },
    reached: reached.promise,
    arm() {
      isArmed = true
    },
    letGo: goOn.resolve,
  }
}

// The agent has never spoken: its flow is opened in a unit of its own, while the step of its parent is under way.
const FIRST = { policy_kind: 'SPAWN_CHILD', params: { agent: HAND, trigger: 'meanwhile' } }

test('nothing is opened below a flow of an event that was halted', async () => {
  const held = holdOpening()
  const stage = await childStage(held.options)
  await stage.wake()
  const { dfid: parent } = await stage.flowOf(STRATEGY)
  held.arm()
  const spawning = stage.engine().propose(parent, FIRST)
  await held.reached
  await stage.bid(RISK, 'HALT', { reason: 'enough' })
  assert.equal((await stage.flow(parent)).state, 'EXECUTING')
  held.letGo()
  assert.equal((await spawning).execution?.status, 'FAILED')
  const { store } = stage.runtime()
  assert.deepEqual(await store.listFlows({ parent_dfid: parent, limit: 10 }), [])
  const again = { policy_kind: 'BUY', step_id: 'again', params: { what: 'x' } }
  assert.equal((await stage.engine().propose(parent, again)).outcome, 'REJECTED')
  await stage.close()
})

test('a window does not close while a flow of its event delegates', async () => {
  const held = holdOpening()
  const stage = await childStage({ arbitration: { window_ms: 60_000 }, ...held.options })
  await stage.wake()
  const { dfid: parent } = await stage.flowOf(STRATEGY)
  held.arm()
  const spawning = stage.engine().propose(parent, FIRST)
  await held.reached
  await stage.engine().close((await stage.flowOf(SENTIMENT)).dfid)
  await stage.bid(RISK, 'SELL')
  assert.equal((await stage.flowOf(RISK)).state, 'VALIDATING')
  held.letGo()
  await spawning
  const [child] = await stage.runtime().store.listFlows({ parent_dfid: parent, limit: 10 })
  assert.ok(child !== undefined)
  await buy(stage, child)
  await stage.engine().runDue()
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, [`SELL ${RISK}`])
  assert.equal(await lastReason(stage, child), 'PREEMPTED')
  await stage.close()
})

test('a child may halt the event of its parent', async () => {
  const stage = await childStage()
  await stage.wake()
  const child = await delegate(stage)
  const halt = { policy_kind: 'HALT', params: { reason: 'seen from below' } }
  const answer = await stage.engine().propose(child.dfid, halt)
  assert.equal(answer.execution?.status, 'SUCCESS')
  for (const agent of [RISK, SENTIMENT]) assert.equal((await stage.flowOf(agent)).state, 'ABORTED')
  await stage.close()
})

test('a child is woken where its parent was, and not where its parent was not', async () => {
  const topologies = [{ topology: 'EOAM', agents: [HAND] }] as const
  const stage = await childStage({ topologies, arbitration: null })
  await stage.wake()
  assert.equal((await buy(stage, await delegate(stage))).outcome, 'ACCEPTED')
  const plain = await stage.runtime().open({ agent: STRATEGY, trigger: 'by itself', steps: 'many' })
  const child = await spawn(stage, plain.dfid)
  assert.equal(child.event, null)
  assert.equal(reasonOf(await buy(stage, child)), 'REJECTED TOPOLOGY_MISMATCH')
  await stage.engine().context.inFlight.awaitDrained()
  await stage.close()
})

test('a child whose event is not known any more is not opened', async () => {
  const stage = await childStage()
  const key = await stage.wake()
  const { dfid: parent } = await stage.flowOf(STRATEGY)
  const gone = { kind: 'drop_record', record: 'event', group: 'open', key } as const
  assert.ok((await stage.runtime().store.commit({ guards: [], writes: [gone] })).ok)
  await assert.rejects(
    stage.runtime().open({ agent: STRATEGY, trigger: 'by itself', parent }),
    /event/,
  )
  await stage.close()
})

test('a child that a person let pass comes into a window that is open again, and nobody acts before it has spoken', async () => {
  const stage = await childStage({
    arbitration: { window_ms: 60_000 },
    safety_rules: { requires_human_approval: ['SPAWN_CHILD'] },
    people: ['ann@example.com'],
  })
  const id = await stage.wake()
  const { dfid: parent } = await stage.flowOf(STRATEGY)
  const params = { agent: HAND, trigger: 'do it', steps: 'many' }
  const asked = await stage.engine().propose(parent, { policy_kind: 'SPAWN_CHILD', params })
  assert.equal(asked.outcome, 'ESCALATED')
  for (const agent of [RISK, SENTIMENT])
    assert.ok((await stage.engine().close((await stage.flowOf(agent)).dfid)).ok)
  await stage.engine().runDue()
  const { store } = stage.runtime()
  assert.equal(await store.readRecord('event', 'open', id), null, 'nobody is left to be waited for')
  const { oversight } = stage.engine()
  const [first] = await oversight.escalations()
  const view = (await oversight.escalation(first?.id ?? '')) ?? assert.fail('a person was asked')
  const decision = decisionFor(stage, view.request, {})
  assert.ok((await oversight.decideEscalation(view.request.id, decision, ANN)).ok)
  await stage.engine().runDue()
  await stage.engine().context.inFlight.awaitDrained()
  const [child] = await store.listFlows({ parent_dfid: parent, limit: 10 })
  assert.equal(child?.event?.event_id, id)
  const opened = await stage
    .runtime()
    .open({ agent: HAND, trigger: 'another part', parent: child.dfid, steps: 'many' })
  const below = await stage.flow(opened.dfid)
  await buy(stage, child, 'one')
  assert.deepEqual(stage.sent, [], 'the other is waited for')
  await buy(stage, below, 'two')
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, ['BUY one'])
  assert.equal(await lastReason(stage, below), 'PREEMPTED')
  await stage.close()
})

test('what a child was accepted for and nobody has sent is given back at a HALT', async () => {
  const death = dieAt('dispatch.before_commit')
  const stage = await childStage({ arbitration: null, executors: 'separate', ...death.options })
  await stage.wake()
  const { dfid: parent } = await stage.flowOf(STRATEGY)
  const opened = await stage.runtime().open({ agent: STRATEGY, trigger: 'a part', parent })
  const proposal = { policy_kind: 'BUY', params: { what: 'x' } }
  death.arm()
  await stage
    .engine()
    .propose(opened.dfid, proposal)
    .catch(() => {})
  assert.equal((await stage.flow(opened.dfid)).state, 'ACCEPTED')
  await stage.bid(RISK, 'HALT', { reason: 'enough' })
  await stage.engine().context.inFlight.awaitDrained()
  assert.equal((await stage.flow(opened.dfid)).state, 'ABORTED')
  await stage.closeWindow()
  assert.deepEqual(stage.sent, [])
  await stage.close()
})

test('an event has so many flows and no more', async () => {
  const stage = await childStage()
  const key = await stage.wake()
  const { store } = stage.runtime()
  const event = (await store.readRecord('event', 'open', key)) ?? assert.fail('it is open')
  const [member] = event.body.members
  assert.ok(member !== undefined)
  const more = Array.from({ length: 2_045 }, (_, at) => ({ ...member, dfid: `more-${at}` }))
  const fill = async (members: typeof more): Promise<void> => {
    const body = { ...event.body, members: [...event.body.members, ...members] }
    const write = { kind: 'put_record', record: 'event', group: 'open', key, body } as const
    assert.ok((await store.commit({ guards: [], writes: [write] })).ok)
  }
  const { dfid: parent } = await stage.flowOf(STRATEGY)
  const open = (): Promise<unknown> =>
    stage.runtime().open({ agent: STRATEGY, trigger: 'a part', parent })
  await fill(more)
  await assert.rejects(open(), /at most 2048 flows/)
  await fill(more.slice(1))
  await open()
  await fill([])
  await stage.close()
})

test('a message about a child is not believed: no event woke its agent', async () => {
  const stage = await childStage()
  const event_id = await stage.wake()
  const child = await delegate(stage)
  const event = await stage.runtime().store.readRecord('event', 'open', event_id)
  const snapshot_id = event?.body.state_snapshot_id ?? ''
  const hear = ({ dfid, agent_id: agent }: FlowRow): ReturnType<typeof checkHint> => {
    const message = { tenant: 'default', event_id, agent }
    return checkHint(stage.engine().context, { topic: 'market.*', message, dfid, snapshot_id })
  }
  assert.equal((await hear(await stage.flowOf(RISK)))?.event_id, event_id)
  assert.equal(await hear(child), null)
  await stage.close()
})

test('a bundle of a child verifies without the rest, whether it has won or lost', async () => {
  const stage = await childStage({ topologies: [{ topology: 'EOAM', agents: [HAND] }] })
  await stage.wake()
  const parent = await delegate(stage)
  const child = await spawn(stage, parent.dfid)
  await buy(stage, child, 'one')
  await buy(stage, parent, 'two')
  await stage.closeWindow()
  assert.deepEqual(stage.sent, ['BUY one'])
  assert.equal(await lastReason(stage, parent), 'PREEMPTED')
  await stage.engine().checkpoint()
  for (const { dfid } of [parent, child]) {
    const bundle = await exportBundle(stage.runtime().store, nodeCrypto.sha256, dfid)
    assert.deepEqual(bundle.ok && verifyAny(bundle.value, nodeCrypto).findings, [])
  }
  await stage.close()
})
