/** Two engines on one database: agents of one event speak to either, and both close its window. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeWithServer } from '../../adapters/postgres/testing.ts'
import type { Runtime } from '../../compose.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import { openTwoEngines } from '../flow/two-engines.test-support.ts'

const AGENTS = ['a_bot', 'b_bot', 'c_bot', 'd_bot'] as const
const ROUNDS = 3

describeWithServer('arbitration on Postgres', () => {
  it('of proposals that reach two engines at once the first in the order is carried out, alone', async (t) => {
    const { engines, sent } = await openTwoEngines(t, {
      topics: [{ topic: 'market.*', arbitration: { window_ms: 60_000 } }],
    })
    const [one] = engines
    for (const [index, agent_id] of AGENTS.entries())
      await one.deploy({
        ...CONTRACT,
        agent_id,
        priority: 40 - index,
        permissions: {
          policy_kinds: ['REFUND'],
          subscriptions: [{ topic: 'market.price' }],
        },
      })
    for (let round = 0; round < ROUNDS; round++) {
      await one.observe({ path: 'market.price', value: String(round) })
      const flows = await waitForFlows(one, AGENTS.length)
      const answers = await Promise.all(
        flows.map(({ dfid, agent_id }, index) => {
          const params = { order: `${agent_id} ${round}`, amount: '1.00' }
          const engine = engines[index % 2]?.engine ?? assert.fail('there are two')
          return engine.propose(dfid, { policy_kind: 'REFUND', params })
        }),
      )
      const won = answers.filter(({ outcome }) => outcome === 'ACCEPTED')
      assert.deepEqual(
        won.map(({ dfid }) => flows.find((flow) => flow.dfid === dfid)?.agent_id),
        ['d_bot'],
      )
      for (const { reason_code, outcome } of answers.filter((answer) => !won.includes(answer)))
        assert.deepEqual([outcome, reason_code], ['REJECTED', 'PREEMPTED'])
      for (const { dfid, agent_id } of flows) if (agent_id !== 'd_bot') await one.engine.close(dfid)
    }
    assert.deepEqual(
      sent,
      Array.from({ length: ROUNDS }, (_, round) => `d_bot ${round}`),
    )
  })
})

type Woken = { readonly dfid: string; readonly agent_id: string }

/** Whichever engine opens them. */
async function waitForFlows({ store }: Runtime, count: number): Promise<readonly Woken[]> {
  for (let look = 0; look < 200; look++) {
    const flows = await store.listFlows({ state: ['ACTIVE'], limit: 100 })
    if (flows.length === count) return flows
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  assert.fail('not everybody was woken')
}
