/** Five gates: for each an agent whose proposal fails only there, and one that passes them all. */
import type { Answer } from 'rubicon-kernel'
import type { FlowProposal, Runtime } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import type { ExpectedAnswer, Scenario, Stage } from '../../server/src/demo/stage.ts'

type Gate = {
  readonly agent: string
  readonly summary: string
  readonly kind?: string
  readonly params?: Readonly<Record<string, string>>
  /** What another flow is ordering at the same time. */
  readonly meanwhile?: string
  readonly more?: Readonly<Record<string, unknown>>
  readonly wanted: ExpectedAnswer
}

const expectRejection = (reason_code: string): ExpectedAnswer => ({
  outcome: 'REJECTED',
  reason_code,
})

const GATES: readonly Gate[] = [
  {
    agent: 'gate_1_agent',
    summary: 'gate 1, schema: a member that nobody knows',
    more: { urgency: 'extreme' },
    wanted: expectRejection('SCHEMA_INVALID'),
  },
  {
    agent: 'gate_2_agent',
    summary: 'gate 2, authority: a kind that is not in its contract',
    kind: 'WITHDRAW',
    wanted: expectRejection('RBAC_DENIED'),
  },
  {
    agent: 'gate_3_agent',
    summary: 'gate 3, context: decided on another snapshot',
    more: { context_ref: 'a-snapshot-of-yesterday' },
    wanted: expectRejection('STALE_CONTEXT'),
  },
  {
    agent: 'gate_4_agent',
    summary: 'gate 4, resources: another flow is still working on the chair',
    meanwhile: 'chair',
    wanted: expectRejection('RESOURCE_CONTENTION'),
  },
  {
    agent: 'gate_4_poor_agent',
    summary: 'gate 4, resources: more cash than there is',
    params: { item: 'table', price: '1000' },
    wanted: expectRejection('INSUFFICIENT_LIQUIDITY'),
  },
  {
    agent: 'gate_5_agent',
    summary: 'gate 5, mission: working on another one',
    more: { mission_context_hash: 'another-mission' },
    wanted: expectRejection('MISSION_DISSONANCE'),
  },
  { agent: 'good_agent', summary: 'all five gates', wanted: { outcome: 'ACCEPTED' } },
]

export const scenario: Scenario = { name: 'dim-gates', play }

async function play(stage: Stage): Promise<void> {
  const shop = openShop()
  const runtime = await stage.openRuntime({
    capabilities: [createCapability('PLACE_ORDER', shop), createCapability('WITHDRAW', shop)],
  })
  await runtime.deploy(buildContract('other_agent', ['PLACE_ORDER']))
  for (const gate of GATES) {
    await runtime.deploy(buildContract(gate.agent, ['PLACE_ORDER']))
    const other = await begin(runtime, shop, gate.meanwhile)
    const answer = await propose(runtime, gate)
    await other.end()
    stage.recordDecision(gate.summary, answer, gate.wanted)
    const reached = Number(gate.agent.split('_')[1])
    if (Number.isInteger(reached))
      stage.check(`the answer names gate ${reached}`, answer.gate === reached)
  }
  const { statuses } = await runtime.engine.context.authorities.loadLatest()
  stage.check(
    'the agent with the other mission is suspended',
    statuses.get('gate_5_agent') === 'SUSPENDED',
  )
  stage.check('only the order that passed was placed, and the other one', shop.orders.length === 2)
  await stage.close(runtime)
}

async function propose(runtime: Runtime, gate: Gate): Promise<Answer> {
  const flow = await runtime.open({ agent: gate.agent, trigger: gate.summary })
  const proposal: FlowProposal = {
    policy_kind: gate.kind ?? 'PLACE_ORDER',
    params: gate.params ?? { item: 'chair' },
    ...gate.more,
  }
  return flow.propose(proposal)
}

/** It answers at once, unless it is told to take its time. */
type Shop = { readonly orders: string[]; answers: Promise<void> }

function openShop(): Shop {
  return { orders: [], answers: Promise.resolve() }
}

/** Another flow orders the item, and is not answered until this one has been. */
async function begin(
  runtime: Runtime,
  shop: Shop,
  item: string | undefined,
): Promise<{ end(): Promise<void> }> {
  if (item === undefined) return { end: async () => {} }
  const answered = Promise.withResolvers<void>()
  shop.answers = answered.promise
  const flow = await runtime.open({ agent: 'other_agent', trigger: 'somebody was faster' })
  const answer = flow.propose({ policy_kind: 'PLACE_ORDER', params: { item } })
  while (shop.orders.length === 0) await new Promise((resolve) => setImmediate(resolve))
  return {
    async end() {
      answered.resolve()
      await answer
    },
  }
}

function createCapability(kind: string, shop: Shop): Capability {
  return {
    kind,
    effect: 'keyed',
    risk: 'low',
    params: {
      type: 'object',
      properties: { item: { type: 'string' }, price: { type: 'string' } },
      required: ['item'],
      additionalProperties: false,
    },
    resources: ({ item, price }) => [
      { id: 'cash', amount: typeof price === 'string' ? price : '10', capacity: '100' },
      { id: `stock:${item}`, amount: '1' },
    ],
    async execute({ dfid }) {
      shop.orders.push(dfid)
      await shop.answers
      return {}
    },
  }
}
