/** Many observations at once: no more is woken than the rules admit, and nothing grows with how many there were. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPayload } from 'rubicon-kernel'
import { createMemoryBus } from '../../adapters/memory/bus.ts'
import type { Bus } from '../../ports/bus.ts'
import { type FlowStage, flowStage } from './flow-stage.test-support.ts'

const OBSERVATIONS = 200
const TOGETHER = 50
const TOKENS = { per_window: 400, window_s: 600, expected: 10 }
const AGENTS = ['a_bot', 'b_bot', 'c_bot'] as const
const MOST = 10_000

/** All three listen, and a topic admits two of them at a time. */
async function openStage(bus: Bus): Promise<FlowStage> {
  const admission = { table: [{ from: '0', agents: 2 }], tokens: TOKENS }
  const stage = await flowStage({ bus, topics: [{ topic: 'market.*', admission }] })
  const permissions = { policy_kinds: ['REFUND'], subscriptions: [{ topic: 'market.*' }] }
  for (const [priority, agent_id] of AGENTS.entries())
    await stage.deploy({ agent_id, priority, permissions })
  return stage
}

async function observeAll(stage: FlowStage): Promise<void> {
  for (let index = 0; index < OBSERVATIONS; index += TOGETHER) {
    const observe = (_: unknown, at: number) =>
      stage.runtime().observe({ path: `market.p${(index + at) % 7}`, value: index + at })
    await Promise.all(Array.from({ length: TOGETHER }, observe))
  }
}

async function listEvents(stage: FlowStage): Promise<readonly EventPayload[]> {
  const entries = await stage.runtime().store.listEntries('main', 0, MOST)
  return entries
    .filter(({ envelope }) => envelope.kind === 'event')
    .map(({ payload }) => JSON.parse(payload ?? '{}') as EventPayload)
}

test('a storm of observations wakes no more than was admitted, and leaves one wake-up for each agent', async () => {
  const stage = await openStage(createMemoryBus())
  await observeAll(stage)
  const events = await listEvents(stage)
  const counts = events.map(({ woken }) => woken.length)
  assert.ok(Math.max(...counts) <= 2, 'the table holds')
  const woken = counts.reduce((sum, count) => sum + count, 0)
  assert.equal(woken * TOKENS.expected, TOKENS.per_window, 'the tokens of the window, and no more')
  const { store } = stage.runtime()
  assert.equal((await store.listRecords('timer', 'due', { limit: MOST })).length, 2)
  assert.equal((await stage.engine().runDue()).opened, 2)
  assert.equal((await stage.flows()).length, 2)
  await stage.close()
})

test('what a storm of observations leaves beside the record is gone when its flows are over', async () => {
  const stage = await openStage(createMemoryBus())
  await observeAll(stage)
  const { store } = stage.runtime()
  for (let round = 0; round < 3; round++) {
    await stage.engine().runDue()
    while ((await stage.engine().bus.send()) > 0);
    await stage.clock.advance(601_000)
  }
  assert.deepEqual(
    (await stage.flows()).map(({ state }) => state),
    ['ABORTED', 'ABORTED'],
    'nobody took them up',
  )
  for (const [record, group] of [
    ['timer', 'due'],
    ['bus_letter', 'due'],
    ['bus_letter', 'dead'],
    ['flow_claim', 'open'],
    ['event', 'open'],
    ['state_snapshot', 'events'],
  ] as const)
    assert.deepEqual(await store.listRecords(record, group, { limit: MOST }), [], record)
  await stage.close()
})
