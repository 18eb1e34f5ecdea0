import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPayload, JsonObject } from 'rubicon-kernel'
import { createMemoryBus } from '../../adapters/memory/bus.ts'
import type { Bus } from '../../ports/bus.ts'
import type { WakeHint } from './bus-hints.ts'
import { AGENT, type FlowStage, flowStage } from './flow-stage.test-support.ts'

const permissions = { policy_kinds: ['REFUND'], subscriptions: [{ topic: 'market.*' }] }

async function listening(bus: Bus = createMemoryBus()): Promise<FlowStage & { bus: Bus }> {
  const stage = await flowStage({ bus })
  await stage.deploy({ permissions })
  return Object.assign(stage, { bus })
}

async function subscribe(stage: FlowStage, topic = 'market.*'): Promise<readonly WakeHint[]> {
  const heard: WakeHint[] = []
  const subscribed = await stage.engine().bus.subscribe(AGENT, topic, (hint) => heard.push(hint))
  assert.ok(subscribed.ok)
  return heard
}

/** What the bus has is delivered, and looked up. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function readEvents(stage: FlowStage): Promise<readonly EventPayload[]> {
  const entries = await stage.runtime().store.listEntries('main', 0, 1_000)
  return entries
    .filter(({ envelope }) => envelope.kind === 'event')
    .map(({ payload }) => JSON.parse(payload ?? '{}') as EventPayload)
}

async function readEvidence(stage: FlowStage): Promise<readonly JsonObject[]> {
  const entries = await stage.runtime().store.listEntries('main', 0, 1_000)
  const payloads = entries.map(({ payload }) => JSON.parse(payload ?? '{}') as JsonObject)
  return payloads.filter(({ source }) => source === 'bus')
}

test('an agent hears of the events that wake it, once, after they are on the record', async () => {
  const stage = await listening()
  const heard = await subscribe(stage)
  await stage.runtime().observe({ path: 'market.price', value: 1 })
  await settle()
  assert.deepEqual(heard, [], 'nothing is sent in the unit itself')
  assert.equal(await stage.engine().bus.send(), 1)
  assert.equal(await stage.engine().bus.send(), 0)
  await settle()
  const [event] = await readEvents(stage)
  const [woken] = event?.woken ?? []
  assert.deepEqual(heard, [{ event_id: event?.event_id, topic: 'market.price', dfid: woken?.dfid }])
  await stage.close()
})

test('a subscription is on the record, and one outside of the contract is refused there', async () => {
  const stage = await listening()
  await subscribe(stage, 'market.price')
  const heard: WakeHint[] = []
  for (const topic of ['weather', '*', 'mark*']) {
    const denied = await stage.engine().bus.subscribe(AGENT, topic, (hint) => heard.push(hint))
    assert.equal(denied.ok ? '' : denied.error.code, 'SUBSCRIPTION_DENIED', topic)
  }
  const said = (await readEvidence(stage)).map(({ finding, details }) => {
    return `${finding} ${(details as JsonObject).topic}`
  })
  assert.deepEqual(said, ['subscribed market.price', 'denied weather', 'denied *', 'denied mark*'])
  await stage.runtime().observe({ path: 'market.price', value: 1 })
  await stage.engine().bus.send()
  await settle()
  assert.deepEqual(heard, [])
  await stage.close()
})

test('forged, stale, duplicated and foreign messages change nothing', async () => {
  const stage = await listening()
  await stage.deploy({ agent_id: 'second_bot', permissions })
  const heard = await subscribe(stage)
  await stage.runtime().observe({ path: 'market.price', value: 1 })
  await stage.runtime().observe({ path: 'market.price', value: 2 })
  const [older, event] = await readEvents(stage)
  assert.ok(older !== undefined && event !== undefined)
  const { event_id, topic, state_snapshot_id: snapshot_id } = event
  const dfidOf = ({ woken }: EventPayload, agent: string): string =>
    woken.find((one) => one.agent === agent)?.dfid ?? ''
  const message = { tenant: 'default', event_id, agent: AGENT }
  const dfid = dfidOf(event, AGENT)
  const leaves = await stage.runtime().store.countLeaves()
  const publish = (said: JsonObject, tags: JsonObject = {}, at = topic): Promise<void> =>
    stage.bus.publish(at, said, { dfid, snapshot_id, ...tags })
  await publish({ ...message, event_id: `sha256:${'0'.repeat(64)}` })
  await publish({ ...message, tenant: 'acme' })
  await publish({ ...message, agent: 'second_bot' })
  await publish({ ...message, agent: 'second_bot' }, { dfid: dfidOf(event, 'second_bot') })
  await publish(message, { dfid: 'chosen' })
  await publish(message, { snapshot_id: `sha256:${'0'.repeat(64)}` })
  await publish(message, {}, 'market.other')
  await publish(
    { ...message, event_id: older.event_id },
    {
      dfid: dfidOf(older, AGENT),
      snapshot_id: older.state_snapshot_id,
    },
  )
  await publish({})
  await publish({ ...message, event_id: [1] })
  await settle()
  assert.deepEqual(heard, [])
  await publish(message)
  await publish(message)
  await settle()
  assert.deepEqual(heard, [{ event_id, topic, dfid }], 'the real one, once')
  assert.equal(await stage.runtime().store.countLeaves(), leaves)
  assert.deepEqual(await stage.flows(), [])
  await stage.close()
})

test('what no message announced is found all the same', async () => {
  const stage = await listening({ ...createMemoryBus(), publish: async () => {} })
  await stage.runtime().observe({ path: 'market.price', value: 1 })
  await stage.engine().bus.send()
  assert.equal((await stage.engine().runDue()).opened, 1)
  await stage.close()
})

test('a message that cannot be sent becomes a dead letter, which can be sent again', async () => {
  const inner = createMemoryBus()
  let isDown = true
  const publish: Bus['publish'] = async (...message) => {
    if (isDown) throw new TypeError('sk_live_canary is refused')
    return inner.publish(...message)
  }
  const stage = await listening({ ...inner, publish })
  const { bus } = stage.engine()
  const heard = await subscribe(stage)
  await stage.runtime().observe({ path: 'market.price', value: 1 })
  for (let attempt = 0; attempt < 8; attempt++) {
    assert.deepEqual(await bus.listDeadLetters({ limit: 10 }), [])
    assert.equal(await bus.send(), 0)
    await stage.clock.advance(3_600_000)
  }
  const [letter] = await bus.listDeadLetters({ limit: 10 })
  assert.deepEqual(
    [letter?.attempts, letter?.topic, letter?.problem],
    [8, 'market.price', 'TypeError'],
  )
  assert.ok(!JSON.stringify(letter).includes('canary'))
  isDown = false
  assert.equal(await bus.send(), 0, 'it waits for somebody')
  assert.ok((await bus.replay(letter?.id ?? '')).ok)
  assert.equal((await bus.replay(letter?.id ?? '')).ok, false)
  assert.equal(await bus.send(), 1)
  await settle()
  assert.equal(heard.length, 1)
  assert.deepEqual(await bus.listDeadLetters({ limit: 10 }), [])
  await stage.close()
})

test('an engine that hears of an event looks at once for what another took in', async () => {
  const bus = createMemoryBus()
  const opened: string[] = []
  const stage = await flowStage({ bus, background: true })
  await stage.deploy({ permissions })
  stage.runtime().on(AGENT, ({ dfid }) => void opened.push(dfid))
  await stage.runtime().observe({ path: 'market.price', value: 1 })
  for (let turn = 0; turn < 500 && opened.length === 0; turn++)
    await new Promise((resolve) => setTimeout(resolve, 5))
  const [event] = await readEvents(stage)
  assert.deepEqual(
    opened,
    event?.woken.map(({ dfid }) => dfid),
  )
  const [claim] = await stage.runtime().store.listRecords('flow_claim', 'open', { limit: 2 })
  assert.ok(claim?.body.claim?.by.startsWith('engine-'), 'who has a handler claims the flow')
  await stage.close()
})

test('a confirmation from outside comes back as an observation, and wakes whoever waits for it', async () => {
  const stage = await flowStage({
    sources: [{ source_id: 'bank', label: 'trusted', paths: ['refunds.*'] }],
  })
  const subscriptions = [{ topic: 'refunds.*', wake_if: { equals: 'settled' } }]
  await stage.deploy({ permissions: { policy_kinds: ['REFUND'], subscriptions } })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'a customer asks' })
  const { outcome } = await flow.propose({
    policy_kind: 'REFUND',
    step_id: 'step-1',
    params: { order: 'o-1', amount: '20.00' },
  })
  assert.equal(outcome, 'ACCEPTED')
  const told = { path: 'refunds.o-1', source: 'bank' }
  await stage.runtime().observe({ ...told, value: 'pending' })
  assert.equal((await stage.engine().runDue()).opened, 0)
  await stage.clock.advance(1_000)
  await stage.runtime().observe({ ...told, value: 'settled' })
  assert.equal((await stage.engine().runDue()).opened, 1)
  const [woken] = await stage.flows()
  assert.equal(woken?.event?.topic, 'refunds.o-1')
  await stage.close()
})
