/** An honest ledger of agents that one price wakes: one preempts another, two share nothing, one delegates, one halts. */
import type { JsonObject } from 'rubicon-kernel'
import type { Capability, Runtime } from 'rubicon-runtime'
import { buildContract } from '../../../server/src/demo/contract.ts'
import type { Rng } from '../rng.ts'
import type { HonestLedger } from './honest-ledger.ts'
import { recordLedger } from './record-ledger.ts'

const RISK = 'agent_risk'
const STRATEGY = 'agent_strategy'
const SENTIMENT = 'agent_sentiment'
/** Nothing wakes it: strategy delegates to it. */
const HAND = 'agent_hand'

const TRADE: Omit<Capability, 'kind'> = {
  effect: 'keyed',
  risk: 'low',
  reversible: true,
  idempotency: { carrier: 'header', window_s: 86_400 },
  params: {
    type: 'object',
    properties: { stock: { type: 'string' } },
    required: ['stock'],
    additionalProperties: false,
  },
  resources: ({ stock }) => [{ id: String(stock), amount: '1' }],
  execute: ({ params }) => ({ result: params.stock ?? null }),
}

export function makeEventsLedger(rng: Rng): Promise<HonestLedger> {
  const options = {
    capabilities: [
      { ...TRADE, kind: 'BUY' },
      { ...TRADE, kind: 'ALERT' },
    ],
    topics: [
      { topic: 'market.*', arbitration: { window_ms: 60_000 } },
      { topic: 'desk.*', arbitration: { exclusive: 'resources' } },
    ],
    executors: rng.drawChance(0.5) ? 'separate' : 'inline',
  } as const
  return recordLedger(rng, options, async (runtime) => {
    await deploy(runtime, STRATEGY, 'STRATEGIST', ['BUY', 'SPAWN_CHILD'])
    await deploy(runtime, RISK, 'MONITOR', ['BUY', 'ALERT', 'HALT'])
    await deploy(runtime, SENTIMENT, 'EXECUTOR', ['BUY'])
    await runtime.deploy(buildContract(HAND, ['BUY']))
    await playEvent(runtime, 'market.price', [
      [STRATEGY, 'BUY', { stock: 'eth' }],
      [SENTIMENT, 'BUY', { stock: 'btc' }],
      [RISK, 'BUY', { stock: 'gold' }],
    ])
    await playEvent(runtime, 'desk.news', [
      [STRATEGY, 'BUY', { stock: 'eth' }],
      [SENTIMENT, 'BUY', { stock: 'eth' }],
      [RISK, 'ALERT', { stock: 'gold' }],
    ])
    await playEvent(runtime, 'desk.rumour', [
      [STRATEGY, 'SPAWN_CHILD', { agent: HAND, trigger: 'desk.rumour, the purchase' }],
      [HAND, 'BUY', { stock: 'tin' }],
      [SENTIMENT, 'BUY', { stock: 'btc' }],
      [RISK, 'BUY', { stock: 'gold' }],
    ])
    await playEvent(runtime, 'market.volume', [
      [STRATEGY, 'BUY', { stock: 'eth' }],
      [RISK, 'HALT', { reason: 'the feed is wrong' }],
    ])
  })
}

function deploy(
  runtime: Runtime,
  agent: string,
  role: string,
  kinds: readonly string[],
): Promise<unknown> {
  const contract = buildContract(agent, kinds)
  const permissions = contract.permissions as JsonObject
  const subscriptions = [{ topic: 'market.*' }, { topic: 'desk.*' }]
  return runtime.deploy({ ...contract, role, permissions: { ...permissions, subscriptions } })
}

type Word = readonly [agent: string, kind: string, params: JsonObject]

async function playEvent(runtime: Runtime, path: string, words: readonly Word[]): Promise<void> {
  await runtime.observe({ path, value: '100' })
  await runtime.engine.runDue()
  for (const [agent, policy_kind, params] of words) {
    const flows = await runtime.store.listFlows({ state: ['ACTIVE'], limit: 20 })
    const flow = flows.find((one) => one.agent_id === agent && one.trigger.startsWith(path))
    if (flow === undefined) throw new Error(`${agent} was not woken`)
    const answer = await runtime.engine.propose(
      flow.dfid,
      { policy_kind, params },
      { wait: 'dispatched' },
    )
    if (answer.outcome !== 'ACCEPTED') throw new Error(`${agent}: ${answer.reason_code}`)
    if (policy_kind === 'SPAWN_CHILD') await runtime.engine.context.inFlight.awaitDrained()
  }
  await runtime.engine.context.inFlight.awaitDrained()
}
