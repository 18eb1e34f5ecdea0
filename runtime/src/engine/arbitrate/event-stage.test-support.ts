/** A desk of agents that one price wakes: risk sounds alarms, strategy and sentiment trade. */
import assert from 'node:assert/strict'
import type { Answer, JsonObject, TopicRow } from 'rubicon-kernel'
import type { RuntimeOptions } from '../../compose.ts'
import type { Capability } from '../../ports/capability.ts'
import type { Failpoint } from '../../ports/failpoint.ts'
import type { FlowRow } from '../../ports/store.ts'
import { type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'

export const RISK = 'agent_risk'
export const STRATEGY = 'agent_strategy'
export const SENTIMENT = 'agent_sentiment'

export type EventStage = FlowStage & {
  /** What was carried out: `KIND what`. */
  readonly sent: string[]
  /** An observation that wakes everybody; returns the event. */
  wake(value?: string): Promise<string>
  /** Of the event that was woken last. */
  flowOf(agent: string): Promise<FlowRow>
  /** Does not wait for the outcome. */
  bid(agent: string, kind: string, params?: JsonObject): Promise<Answer>
  /** The last word of the record about an agent's flow: kind of entry and reason. */
  lastWord(agent: string): Promise<string>
  /** Lets the window pass. */
  closeWindow(): Promise<void>
}

const TOPICS: readonly TopicRow[] = [{ topic: 'market.*', arbitration: { window_ms: 2_000 } }]

/** Trades, notes and alarms; `stock` is what is traded and held. */
function createDeskCapability(kind: string, sent: string[]): Capability {
  return {
    kind,
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    params: {
      type: 'object',
      properties: { what: { type: 'string' }, stock: { type: 'string' } },
      required: ['what'],
      additionalProperties: false,
    },
    resources: ({ stock }) => (stock === undefined ? [] : [{ id: String(stock), amount: '1' }]),
    execute: ({ params }) => {
      sent.push(`${kind} ${String(params.what)}`)
      return { result: { done: params.what ?? null } }
    },
  }
}

type EventStageOptions = RuntimeOptions & {
  /** Null: nothing is arbitrated. */
  readonly arbitration?: TopicRow['arbitration'] | null
  /** Of every agent. */
  readonly safety_rules?: JsonObject
  /** What strategy may propose beside trades. */
  readonly alsoGranted?: readonly string[]
}

export async function eventStage({
  arbitration,
  safety_rules = {},
  alsoGranted = [],
  ...options
}: EventStageOptions = {}): Promise<EventStage> {
  const sent: string[] = []
  const rows: readonly TopicRow[] =
    arbitration === null
      ? []
      : arbitration === undefined
        ? TOPICS
        : [{ topic: 'market.*', arbitration }]
  const capabilities = ['BUY', 'SELL', 'ALERT'].map((kind) => createDeskCapability(kind, sent))
  const stage = await flowStage({ capabilities, topics: rows, ...options })
  const deploy = (agent_id: string, role: string, kinds: readonly string[]): Promise<void> =>
    stage.deploy({
      agent_id,
      role,
      safety_rules,
      permissions: {
        policy_kinds: [...kinds],
        subscriptions: [{ topic: 'market.price' }],
        reads: ['market.*'],
      },
    })
  await deploy(STRATEGY, 'STRATEGIST', ['BUY', 'SELL', ...alsoGranted])
  await deploy(RISK, 'MONITOR', ['SELL', 'ALERT', 'HALT'])
  await deploy(SENTIMENT, 'EXECUTOR', ['BUY', 'SELL'])
  let event_id = ''
  let price = 100
  const flowOf = async (agent: string): Promise<FlowRow> => {
    const flows = await stage.flows()
    const found = flows.find((one) => one.agent_id === agent && one.event?.event_id === event_id)
    return found ?? assert.fail(`${agent} was not woken`)
  }
  return {
    ...stage,
    sent,
    async wake(value) {
      await stage.clock.advance(1_000)
      price += 10
      await stage.runtime().observe({ path: 'market.price', value: value ?? String(price) })
      await stage.engine().runDue()
      const [flow] = await stage.flows()
      event_id = flow?.event?.event_id ?? assert.fail('nobody was woken')
      return event_id
    },
    flowOf,
    async bid(agent, policy_kind, params = { what: agent }) {
      const { dfid } = await flowOf(agent)
      return stage.engine().propose(dfid, { policy_kind, params }, { waitMs: 0 })
    },
    async lastWord(agent) {
      const { dfid } = await flowOf(agent)
      const [kind = '', payload] = (await stage.entries(dfid)).at(-1) ?? []
      return payload?.reason_code === undefined ? kind : `${kind} ${String(payload.reason_code)}`
    },
    async closeWindow() {
      await stage.clock.advance(2_000)
      await stage.engine().runDue()
      await stage.engine().context.inFlight.awaitDrained()
    },
  }
}

/** Dies at a failpoint, once it is armed, once. */
export function dieAt(point: Failpoint): {
  readonly options: Pick<RuntimeOptions, 'failpoints'>
  arm(): void
} {
  let isArmed = false
  const reach = (reached: Failpoint): void => {
    if (!isArmed || reached !== point) return
    isArmed = false
    throw new Error('killed')
  }
  return {
    options: { failpoints: { reach } },
    arm() {
      isArmed = true
    },
  }
}
