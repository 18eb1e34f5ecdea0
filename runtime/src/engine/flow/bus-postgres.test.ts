/** Two engines on one database with one bus: every event is worked on once. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createMemoryBus } from '../../adapters/memory/bus.ts'
import { describeWithServer } from '../../adapters/postgres/testing.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import { openTwoEngines } from './two-engines.test-support.ts'

const AGENT = 'a_bot'
const EVENTS = 12

describeWithServer('a bus between engines on Postgres', () => {
  it('works on each event once, whichever engine opens its flow, and nobody hears of it twice', async (t) => {
    const worked: string[] = []
    const { engines, sent } = await openTwoEngines(t, { bus: createMemoryBus() })
    const [one] = engines
    await one.deploy({
      ...CONTRACT,
      agent_id: AGENT,
      permissions: { policy_kinds: ['REFUND'], subscriptions: [{ topic: 'market.*' }] },
    })
    const heard: string[][] = engines.map(() => [])
    for (const [nth, { engine, ...runtime }] of engines.entries()) {
      const hear = heard[nth] ?? assert.fail('there are two')
      const subscribed = await engine.bus.subscribe(AGENT, 'market.*', ({ dfid }) =>
        hear.push(dfid),
      )
      assert.ok(subscribed.ok)
      runtime.on(AGENT, async (flow) => {
        worked.push(flow.dfid)
        const params = { order: flow.dfid, amount: '1.00' }
        assert.equal((await flow.propose({ policy_kind: 'REFUND', params })).outcome, 'ACCEPTED')
      })
    }
    // On a path each: an agent that has not been woken yet is woken by the newer of two events about one.
    await Promise.all(
      Array.from({ length: EVENTS }, (_, nth) =>
        (engines[nth % 2] ?? one).observe({ path: `market.p${nth}`, value: '1' }),
      ),
    )
    for (let look = 0; look < 1_000 && sent.length < EVENTS; look++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    const flows = await one.store.listFlows({ agent_id: AGENT, limit: 100 })
    const names = flows.map(({ dfid }) => dfid).toSorted()
    assert.equal(new Set(flows.map(({ event }) => event?.event_id)).size, EVENTS)
    for (const list of [worked, sent]) assert.deepEqual(list.toSorted(), names)
    // A hint that comes after its flow has ended says nothing any more; none is heard twice.
    for (const list of heard) {
      assert.equal(new Set(list).size, list.length)
      assert.ok(list.every((dfid) => names.includes(dfid)))
    }
  })
})
