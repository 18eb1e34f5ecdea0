import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPayload } from 'rubicon-kernel'
import { flowStage } from './flow-stage.test-support.ts'

const AGENTS = ['a_bot', 'b_bot', 'c_bot']
const ROUNDS = 10
const PER_ROUND = 20

test('a storm of observations wakes no more agents than the tokens of the window are worth, and leaves nothing behind', async () => {
  const tokens = { per_window: 45, window_s: 600, expected: 10 }
  const stage = await flowStage({ topics: [{ topic: 'market.*', admission: { tokens } }] })
  const permissions = { policy_kinds: ['REFUND'], subscriptions: [{ topic: 'market.*' }] }
  for (const agent_id of AGENTS) await stage.deploy({ agent_id, permissions })
  const { store } = stage.runtime()
  let opened = 0
  for (let round = 0; round < ROUNDS; round++) {
    await stage.clock.advance(10)
    await Promise.all(
      Array.from({ length: PER_ROUND }, (_, at) =>
        stage.runtime().observe({ path: `market.p${at}`, value: round }),
      ),
    )
    const waiting = await store.listRecords('timer', 'due', { limit: 100 })
    assert.ok(waiting.length <= AGENTS.length, `${waiting.length} wait`)
    opened += (await stage.engine().runDue()).opened
  }
  const events = (await store.listEntries('main', 0, 1_000))
    .filter(({ envelope }) => envelope.kind === 'event')
    .map(({ payload }) => JSON.parse(payload ?? '{}') as EventPayload)
  const woken = events.reduce((sum, event) => sum + event.woken.length, 0)
  assert.equal(woken, 4, 'of 45 tokens four wake-ups of ten')
  assert.ok(opened <= woken)
  for (const { woken: by, not_woken, admission } of events)
    assert.equal(by.length + not_woken.length, admission.candidates)
  await stage.clock.advance(600_000)
  await stage.engine().runDue()
  await stage.clock.advance(600_000)
  await stage.engine().runDue()
  assert.deepEqual(await store.listRecords('timer', 'due', { limit: 9 }), [])
  assert.deepEqual(await store.listRecords('state_snapshot', 'events', { limit: 9 }), [])
  assert.deepEqual(await store.listRecords('event', 'open', { limit: 9 }), [])
  await stage.close()
})
