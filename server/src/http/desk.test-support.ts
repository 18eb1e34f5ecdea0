/** A trading desk that prices wake: risk sounds alarms, strategy trades, and a third is woken only by large moves. */
import assert from 'node:assert/strict'
import type { Answer, Contract, JsonObject } from 'rubicon-kernel'
import type { Runtime, RuntimeOptions } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../demo/contract.ts'

export const RISK = 'desk_risk'
export const STRATEGY = 'desk_strategy'
export const SENTIMENT = 'desk_sentiment'
export const PRICE = 'market.price.ACME'
export const TOPIC = 'market.*'

export const DESK: Pick<RuntimeOptions, 'capabilities' | 'topics' | 'background'> = {
  background: false,
  capabilities: ['BUY', 'ALERT'].map(createDeskCapability),
  topics: [
    {
      topic: TOPIC,
      arbitration: { window_ms: 60_000 },
      admission: {
        table: [
          { from: '0', agents: 1 },
          { from: '5', agents: 2 },
        ],
      },
    },
  ],
}

export const DESK_CONTRACTS: readonly Contract[] = [
  buildDeskContract(RISK, 'MONITOR', ['ALERT', 'HALT']),
  buildDeskContract(STRATEGY, 'STRATEGIST', ['BUY']),
  buildDeskContract(SENTIMENT, 'EXECUTOR', ['BUY']),
]

function buildDeskContract(agent: string, role: string, kinds: readonly string[]): Contract {
  const subscriptions = [{ topic: TOPIC, wake_if: { abs_change_pct: '0.5' } }]
  return buildContract(agent, kinds, { role, permissions: { subscriptions, reads: [TOPIC] } })
}

function createDeskCapability(kind: string): Capability {
  return {
    kind,
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    params: {
      type: 'object',
      properties: { what: { type: 'string' } },
      required: ['what'],
      additionalProperties: false,
    },
    execute: ({ params }) => ({ result: params.what ?? null }),
  }
}

/** What an agent of the newest event proposes; it is not waited for. */
export type DeskWord = readonly [agent: string, kind: string, params?: JsonObject]

/** An observation, and what is proposed about it; the event. */
export async function playDesk(
  { engine, store, ...runtime }: Runtime,
  price: string,
  words: readonly DeskWord[],
): Promise<string> {
  await runtime.observe({ path: PRICE, value: price })
  await engine.runDue()
  const [newest] = await store.listFlows({ limit: 1 })
  const event_id = newest?.event?.event_id ?? assert.fail('nobody was woken')
  const flows = await store.listFlows({ limit: 10 })
  for (const [agent, policy_kind, params = { what: 'ACME' }] of words) {
    const flow = flows.find((one) => one.agent_id === agent && one.event?.event_id === event_id)
    if (flow === undefined) assert.fail(`${agent} was not woken`)
    const answer: Answer = await engine.propose(flow.dfid, { policy_kind, params }, { waitMs: 0 })
    assert.ok(answer.outcome !== 'REPEATED')
  }
  await engine.runDue()
  await engine.context.inFlight.awaitDrained()
  return event_id
}
