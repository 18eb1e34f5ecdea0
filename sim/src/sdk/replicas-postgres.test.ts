/** Two engines on one database with one bus, and two processes of each agent, each at an engine of its own. */
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { connectAgent } from 'rubicon-agents'
import { createMemoryBus } from '../../../runtime/src/adapters/memory/bus.ts'
import {
  createEmptyDatabase,
  describeWithServer,
} from '../../../runtime/src/adapters/postgres/testing.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { type Served, served } from '../../../server/src/http/served.test-support.ts'

const RISK = 'risk_bot'
const STRATEGY = 'strategy_bot'
const AGENTS = [RISK, STRATEGY] as const
const ROUNDS = 3
const LOOKS = 1_200
const LOOK_MS = 25

type Worked = { readonly agent: string; readonly replica: number; readonly dfid: string }

const subscribed = { subscriptions: [{ topic: 'market.price' }] }
const CONTRACTS = AGENTS.map((agent, index) =>
  buildContract(agent, ['REFUND'], { priority: 10 + index, permissions: subscribed }),
)

describeWithServer('replicas on Postgres', () => {
  it('of two processes of an agent one works on a flow that an event woke, and of the agents one is carried out', async (t) => {
    const calls: string[] = []
    const place = {
      store: await createEmptyDatabase(),
      stateDirectory: temporaryFolder(),
      bus: createMemoryBus(),
      topics: [{ topic: 'market.*', arbitration: { window_ms: 60_000 } }],
      contracts: CONTRACTS,
      calls,
    }
    const servers = [await served(t, place), await served(t, place)]
    const [first] = servers
    assert.ok(first !== undefined)
    const worked: Worked[] = []
    const answers: string[] = []
    for (const agent of AGENTS) {
      const key = await first.key(agent)
      for (const [replica, server] of servers.entries())
        await handle(t, server, { agent, key, replica, worked, answers })
    }
    for (let round = 1; round <= ROUNDS; round++) {
      const observer = servers[round % 2] ?? first
      await observer.runtime.observe({ path: 'market.price', value: String(round) })
      await waitFor(() => answers.length === round * AGENTS.length)
      const said = answers.slice(-AGENTS.length).toSorted()
      assert.deepEqual(said, [`${RISK} ACCEPTED`, `${STRATEGY} PREEMPTED`])
    }
    assert.equal(new Set(worked.map(({ dfid }) => dfid)).size, worked.length, 'each flow once')
    assert.equal(worked.length, ROUNDS * AGENTS.length)
    assert.equal(calls.length, ROUNDS)
  })
})

type Handling = {
  readonly agent: string
  readonly key: Awaited<ReturnType<Served['key']>>
  readonly replica: number
  readonly worked: Worked[]
  readonly answers: string[]
}

async function handle(
  t: TestContext,
  { server }: Served,
  { agent, key, replica, worked, answers }: Handling,
): Promise<void> {
  const connection = await connectAgent({ url: server.url, agent, key })
  t.after(() => connection.close())
  connection.handleFlows(async (flow) => {
    worked.push({ agent, replica, dfid: flow.dfid })
    const params = { order: flow.dfid, amount: '1.00' }
    const answer = await flow.propose({ policy_kind: 'REFUND', params })
    const why = answer.outcome === 'REJECTED' ? answer.reason_code : answer.outcome
    answers.push(`${agent} ${why}`)
    if (answer.outcome !== 'ACCEPTED') await flow.close()
  })
}

async function waitFor(isDone: () => boolean): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    if (isDone()) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  assert.fail('not everybody has answered')
}
