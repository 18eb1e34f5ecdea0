import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPayload, JsonObject, JsonValue } from 'rubicon-kernel'
import { AGENT, type FlowStage, flowStage, refund } from './flow-stage.test-support.ts'
import { wakeAgents } from './wake.ts'

const half = { topic: 'market.price', wake_if: { abs_change_pct: '0.5' } }

async function subscribed(...subscriptions: readonly JsonObject[]): Promise<FlowStage> {
  const stage = await flowStage()
  await stage.deploy({ permissions: { policy_kinds: ['REFUND'], subscriptions } })
  return stage
}

async function observe(stage: FlowStage, value: JsonValue, path = 'market.price'): Promise<void> {
  await stage.clock.advance(1_000)
  await stage.runtime().observe({ path, value })
}

const woken = async (stage: FlowStage): Promise<number> => (await stage.engine().runDue()).opened

test('a change of 0.3 % wakes nobody at half a percent, one of 0.5 % does', async () => {
  const stage = await subscribed(half)
  await observe(stage, '100')
  assert.equal(await woken(stage), 1, 'the first sight')
  await observe(stage, '100.3')
  assert.equal(await woken(stage), 0)
  await observe(stage, '100')
  assert.equal(await woken(stage), 0)
  await observe(stage, '100.5')
  assert.equal(await woken(stage), 1)
  const [flow] = await stage.flows()
  assert.equal(flow?.state, 'ACTIVE')
  assert.equal(flow?.trigger, 'market.price observed at 2026-06-01T12:00:04.000Z')
  assert.equal(await woken(stage), 0, 'once')
  await stage.close()
})

test('every agent that listens gets a flow of its own, with the same trigger', async () => {
  const stage = await subscribed(half)
  const permissions = { policy_kinds: ['REFUND'], subscriptions: [{ topic: 'market.*' }] }
  await stage.deploy({ agent_id: 'second_bot', permissions })
  await stage.deploy({ agent_id: 'deaf_bot' })
  await observe(stage, '100')
  assert.equal(await woken(stage), 2)
  const flows = await stage.flows()
  assert.deepEqual(flows.map(({ agent_id }) => agent_id).toSorted(), [AGENT, 'second_bot'])
  assert.equal(new Set(flows.map(({ trigger }) => trigger)).size, 1)
  assert.ok(flows.every(({ parent_dfid }) => parent_dfid === null))
  await stage.close()
})

test('a list of observations wakes for each path, and one that is refused for none', async () => {
  const stage = await subscribed({ topic: 'market.*' })
  const at = (path: string) => ({ path, value: 1 })
  const wrong = { ...at('market.b'), source: 'not an identifier' }
  await assert.rejects(stage.runtime().observe([at('market.a'), wrong]))
  assert.equal(await woken(stage), 0)
  await stage.runtime().observe([at('market.a'), at('market.b'), at('desk.a')])
  assert.equal(await woken(stage), 2)
  await stage.close()
})

test('a wake-up survives the engine that wrote it', async () => {
  const stage = await subscribed(half)
  await observe(stage, '100')
  await stage.restart()
  assert.equal(await woken(stage), 1)
  await stage.restart()
  assert.equal(await woken(stage), 0)
  await stage.close()
})

test('what is said again before the agent woke wakes it once', async () => {
  const stage = await subscribed(half)
  for (const value of ['100', '200', '300']) await observe(stage, value)
  assert.equal(await woken(stage), 1)
  await observe(stage, '400')
  assert.equal(await woken(stage), 1, 'and again afterwards')
  await stage.close()
})

test('a wake-up that fires while the next is taken in sends that back to look again', async () => {
  const stage = await subscribed(half)
  await observe(stage, '100')
  const before = {
    value: '100',
    label: 'operator',
    source: 'operator:',
    observed_at: '2026-06-01T12:00:00.000Z',
  } as const
  const next = { ...before, value: '200', observed_at: '2026-06-01T12:00:30.000Z' }
  const change = { path: 'market.price', version: 2, before, after: next }
  const wake = () => wakeAgents(stage.engine().context, [change])
  const stale = await wake()
  assert.equal(await woken(stage), 1)
  assert.equal((await stage.runtime().store.commit(stale)).ok, false)
  const fresh = await wake()
  assert.equal((await stage.runtime().store.commit(fresh)).ok, true)
  assert.equal(await woken(stage), 1)
  await stage.close()
})

test('agents that are stopped hear nothing', async () => {
  const stage = await subscribed(half)
  await (await stage.runtime().open({ agent: AGENT, trigger: 'first' })).close()
  const move = { agent_id: AGENT, actor: 'operator', justification: 'test' } as const
  assert.ok((await stage.engine().moveAgent({ ...move, to: 'SUSPENDED' })).ok)
  await observe(stage, '100')
  assert.ok((await stage.engine().moveAgent({ ...move, to: 'ACTIVE' })).ok)
  assert.equal(await woken(stage), 0)
  assert.ok((await stage.engine().moveAgent({ ...move, to: 'RETIRED' })).ok)
  await observe(stage, '200')
  assert.equal(await woken(stage), 0)
  await stage.close()
})

test('the contract in force says what wakes, not an earlier one', async () => {
  const stage = await subscribed(half)
  await stage.deploy({ version: '1.1.0' })
  await observe(stage, '100')
  assert.equal(await woken(stage), 0)
  await stage.close()
})

test('the threshold of the flat form listens to profit and loss', async () => {
  const stage = await flowStage()
  await stage.deploy({ safety_rules: { wake_up_threshold_pnl_pct: '2.5' } })
  const path = `agent.${AGENT}.pnl_pct`
  for (const quiet of ['0', '-2.4', 2.4]) await observe(stage, quiet, path)
  assert.equal(await woken(stage), 0)
  await observe(stage, '-2.5', path)
  assert.equal(await woken(stage), 1)
  await stage.close()
})

test('the agent in process gets the flow, with the observation in its context', async () => {
  const stage = await flowStage()
  await stage.deploy({ permissions: { policy_kinds: ['REFUND'], subscriptions: [half] } })
  const seen: unknown[] = []
  stage.runtime().on(AGENT, ({ context }) => {
    seen.push(context.trigger, ...context.state.map(({ path, value }) => [path, value]))
  })
  await observe(stage, '100')
  assert.equal(await woken(stage), 1)
  const trigger = 'market.price observed at 2026-06-01T12:00:01.000Z'
  assert.deepEqual(seen, [trigger, ['market.price', '100']])
  await stage.close()
})

test('an event is on the record before its flows, which it names, and its agents share one reading of State', async () => {
  const stage = await subscribed({ topic: 'market.*' })
  const permissions = { policy_kinds: ['REFUND'], subscriptions: [{ topic: 'market.price' }] }
  await stage.deploy({ agent_id: 'second_bot', permissions })
  await observe(stage, '100')
  const { store } = stage.runtime()
  const [entry] = (await store.listEntries('main', 0, 100)).filter(
    ({ envelope }) => envelope.kind === 'event',
  )
  const event = JSON.parse(entry?.payload ?? '{}') as EventPayload
  assert.equal(event.topic, 'market.price')
  assert.deepEqual(
    event.observations.map(({ path, version }) => [path, version]),
    [['market.price', 1]],
  )
  assert.equal(await woken(stage), 2)
  const flows = await stage.flows()
  for (const { agent_id: agent, dfid, event: by } of flows) {
    assert.ok(event.woken.some((one) => one.agent === agent && one.dfid === dfid))
    assert.deepEqual(by, { event_id: event.event_id, topic: 'market.price' })
  }
  const [state] = await store.listRecords('state_snapshot', 'events', { limit: 10 })
  assert.ok(state?.key.endsWith(event.state_snapshot_id))
  await stage.close()
})

test('what changes after an event is not what its flows were woken by', async () => {
  const stage = await subscribed({ topic: 'market.price', wake_if: { above: '100' } })
  await observe(stage, '100')
  // It wakes nobody, and comes before the flow opens.
  await observe(stage, '101')
  assert.equal(await woken(stage), 1)
  const [flow] = await stage.flows()
  const [opening] = await stage.entries(flow?.dfid ?? '')
  const shown = JSON.stringify(opening?.[1])
  assert.ok(shown.includes('"value":"100"'), shown)
  assert.ok(!shown.includes('"value":"101"'), shown)
  await stage.close()
})

test('a newer event takes over a wake-up that is still pending, and the older one hears so', async () => {
  const stage = await subscribed(half)
  await observe(stage, '100')
  await observe(stage, '200')
  const { store } = stage.runtime()
  const events = await store.listRecords('event', 'closed', { limit: 10 })
  assert.equal(events.length, 2)
  const ended = events.flatMap(({ body }) => body.members.map(({ ended: how }) => how ?? 'woken'))
  assert.deepEqual(ended.toSorted(), ['superseded', 'woken'])
  assert.equal(await woken(stage), 1)
  const [flow] = await stage.flows()
  const [newer] = events.filter(({ body }) => body.members.every((one) => one.ended === undefined))
  assert.equal(flow?.event?.event_id, newer?.key)
  await stage.close()
})

test('a wake-up of an agent that is gone ends with it, and its event hears so', async () => {
  const stage = await subscribed(half)
  await (await stage.runtime().open({ agent: AGENT, trigger: 'first' })).close()
  await observe(stage, '100')
  const move = { agent_id: AGENT, actor: 'operator', justification: 'test' } as const
  assert.ok((await stage.engine().moveAgent({ ...move, to: 'RETIRED' })).ok)
  assert.equal(await woken(stage), 0)
  const { store } = stage.runtime()
  const [event] = await store.listRecords('event', 'closed', { limit: 10 })
  assert.deepEqual(
    event?.body.members.map(({ ended }) => ended),
    ['gone'],
  )
  assert.deepEqual(await store.listRecords('timer', 'due', { limit: 10 }), [])
  await stage.close()
})

test('a change is measured from the last wake-up where the contract says so', async () => {
  const since = { ...half, wake_if: { abs_change_pct: '1', since: 'last_wake' } }
  const stage = await subscribed(since)
  await observe(stage, '100')
  assert.equal(await woken(stage), 1, 'the first sight')
  for (const value of ['100.4', '100.8']) {
    await observe(stage, value)
    assert.equal(await woken(stage), 0, value)
  }
  await observe(stage, '101')
  assert.equal(await woken(stage), 1, 'one percent since it was woken, in small steps')
  await observe(stage, '100')
  assert.equal(await woken(stage), 0, 'less than one percent of 101')
  await stage.close()
})

test('no more agents are woken than the topic admits, by priority, and who was not is on the record', async () => {
  const tokens = { per_window: 25, window_s: 600, expected: 10 }
  const table = [
    { from: '0', agents: 1 },
    { from: '10', agents: 3 },
  ]
  const topics = [{ topic: 'market.*', admission: { table, tokens } }]
  const stage = await flowStage({ topics })
  const permissions = { policy_kinds: ['REFUND'], subscriptions: [{ topic: 'market.*' }] }
  for (const [agent_id, priority] of [
    ['a_bot', 3],
    ['b_bot', 2],
    ['c_bot', 1],
  ] as const)
    await stage.deploy({ agent_id, priority, permissions })
  await stage.deploy({ agent_id: 'watch_bot', role: 'MONITOR', priority: 90, permissions })
  const read = async (): Promise<string> => {
    const entries = await stage.runtime().store.listEntries('main', 0, 1_000)
    const last = entries.filter(({ envelope }) => envelope.kind === 'event').at(-1)
    const { woken: by, not_woken, admission } = JSON.parse(last?.payload ?? '{}') as EventPayload
    const refused = not_woken.map(({ agent, code }) => `${agent} ${code}`)
    return JSON.stringify([by.map(({ agent }) => agent), refused, admission])
  }
  await observe(stage, '100')
  assert.equal(await woken(stage), 3)
  assert.equal(
    await read(),
    JSON.stringify([
      ['c_bot', 'b_bot', 'watch_bot'],
      ['a_bot WAKE_NOT_ADMITTED'],
      { by_table: 3, by_tokens: 2, candidates: 4, tokens_left: 25 },
    ]),
  )
  await observe(stage, '101')
  assert.equal(await woken(stage), 1, 'what watches for harm is woken without a budget')
  const { length } = (await stage.flows()).filter(({ agent_id }) => agent_id === 'watch_bot')
  assert.equal(length, 2)
  await stage.clock.advance(600_000)
  await observe(stage, '102')
  assert.equal(await woken(stage), 2, 'the next window, and a small change')
  await stage.close()
})

test('a thousand observations of one topic wake an agent once and leave one wake-up behind', async () => {
  const stage = await flowStage({ topics: [{ topic: 'market.*' }] })
  await stage.deploy({
    permissions: { policy_kinds: ['REFUND'], subscriptions: [{ topic: 'market.*' }] },
  })
  for (let index = 0; index < 1_000; index += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        stage.runtime().observe({ path: `market.p${index + at}`, value: 1 }),
      ),
    )
  const { store } = stage.runtime()
  assert.equal((await store.listRecords('timer', 'due', { limit: 10 })).length, 1)
  assert.equal(await woken(stage), 1)
  await stage.close()
})

test('of several processes of an agent one works on a flow, for a minute at a time', async () => {
  const stage = await subscribed(half)
  await observe(stage, '100')
  assert.equal(await woken(stage), 1)
  const [flow] = await stage.flows()
  const claim = async (by: string): Promise<string> => {
    const claimed = await stage.engine().timers.claim(flow?.dfid ?? '', by)
    return claimed.ok ? claimed.value.by : claimed.error.code
  }
  const both = await Promise.all([claim('one'), claim('two')])
  assert.deepEqual(both.toSorted(), ['FLOW_CLAIMED', both.find((by) => by !== 'FLOW_CLAIMED')])
  const [winner = ''] = both.filter((by) => by !== 'FLOW_CLAIMED')
  const loser = winner === 'one' ? 'two' : 'one'
  await stage.clock.advance(59_999)
  assert.equal(await claim(loser), 'FLOW_CLAIMED')
  assert.equal(await claim(winner), winner, 'who has it may claim it again')
  await stage.clock.advance(60_000)
  assert.equal(await claim(loser), loser)
  const plain = await stage.runtime().open({ agent: AGENT, trigger: 'by hand' })
  const refused = await stage.engine().timers.claim(plain.dfid, 'one')
  assert.equal(refused.ok ? '' : refused.error.code, 'CLAIM_UNKNOWN')
  await stage.close()
})

test('a flow that nobody takes up ends after five minutes, and one that is claimed or worked on does not', async () => {
  const stage = await subscribed({ topic: 'market.*' })
  for (const path of ['market.a', 'market.b', 'market.c']) await observe(stage, '1', path)
  assert.equal(await woken(stage), 3)
  const flows = await stage.flows()
  const [alone, claimed, worked] = flows.map(({ dfid }) => dfid)
  await stage.clock.advance(299_000)
  const [, , third] = flows
  assert.ok(third !== undefined)
  const answer = await stage.engine().propose(worked ?? '', {
    ...refund(),
    dfid: third.dfid,
    agent_id: AGENT,
    context_ref: third.snapshot_id,
    mission_context_hash: third.mission_hash,
  })
  assert.equal(answer.outcome, 'ACCEPTED')
  assert.ok((await stage.engine().timers.claim(claimed ?? '', 'one')).ok)
  await stage.engine().runDue()
  assert.equal((await stage.flow(alone ?? '')).state, 'ACTIVE', 'not before its time')
  await stage.clock.advance(1_000)
  await stage.engine().runDue()
  assert.equal((await stage.flow(alone ?? '')).state, 'ABORTED')
  assert.equal((await stage.entries(alone ?? '')).at(-1)?.[1].reason_code, 'WAKE_EXPIRED')
  assert.equal((await stage.flow(claimed ?? '')).state, 'ACTIVE')
  assert.equal((await stage.flow(worked ?? '')).state, 'CLOSED')
  await stage.clock.advance(60_000)
  await stage.engine().runDue()
  assert.equal((await stage.flow(claimed ?? '')).state, 'ABORTED', 'who claimed it has left it')
  assert.deepEqual(await stage.runtime().store.listRecords('flow_claim', 'open', { limit: 9 }), [])
  await stage.clock.advance(600_000)
  await stage.engine().runDue()
  const left = await stage.runtime().store.listRecords('state_snapshot', 'events', { limit: 9 })
  assert.deepEqual(left, [])
  await stage.close()
})

test('who opens a flow names no event that woke nobody', async () => {
  const stage = await subscribed(half)
  const event = { event_id: `sha256:${'0'.repeat(64)}`, topic: 'market.price', dfid: 'chosen' }
  const request = { agent: AGENT, trigger: 'by hand', event }
  const opened = await stage.engine().open(request)
  assert.ok(opened.ok)
  assert.notEqual(opened.value.flow.dfid, 'chosen')
  assert.equal(opened.value.flow.event, null)
  await stage.close()
})
