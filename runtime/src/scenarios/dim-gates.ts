/** Five gates: for each an agent whose proposal fails only there, and one that passes them all. */
import type { Answer } from 'rubicon-kernel'
import type { FlowProposal, Runtime } from '../compose.ts'
import type { Capability } from '../ports/capability.ts'
import { contractFor } from './contract.ts'
import type { Scenario, Stage, Wanted } from './stage.ts'

type Gate = {
  readonly agent: string
  readonly summary: string
  readonly kind?: string
  readonly more?: Readonly<Record<string, unknown>>
  readonly wanted: Wanted
}

const rejected = (reason_code: string): Wanted => ({ outcome: 'REJECTED', reason_code })

const GATES: readonly Gate[] = [
  {
    agent: 'gate_1_agent',
    summary: 'gate 1, schema: a member that nobody knows',
    more: { urgency: 'extreme' },
    wanted: rejected('SCHEMA_INVALID'),
  },
  {
    agent: 'gate_2_agent',
    summary: 'gate 2, authority: a kind that is not in its contract',
    kind: 'WITHDRAW',
    wanted: rejected('RBAC_DENIED'),
  },
  {
    agent: 'gate_3_agent',
    summary: 'gate 3, context: decided on another snapshot',
    more: { context_ref: 'a-snapshot-of-yesterday' },
    wanted: rejected('STALE_CONTEXT'),
  },
  {
    agent: 'gate_4_agent',
    summary: 'gate 4, resources: a list that leaves out the cash',
    more: { resources: [{ id: 'inventory', amount: '1' }] },
    wanted: rejected('RESOURCES_MISMATCH'),
  },
  {
    agent: 'gate_5_agent',
    summary: 'gate 5, mission: working on another one',
    more: { mission_context_hash: 'another-mission' },
    wanted: rejected('MISSION_DISSONANCE'),
  },
  { agent: 'good_agent', summary: 'all five gates', wanted: { outcome: 'ACCEPTED' } },
]

export const scenario: Scenario = { name: 'dim-gates', play }

async function play(stage: Stage): Promise<void> {
  const runs: string[] = []
  const runtime = await stage.runtime({
    capabilities: [capability('PLACE_ORDER', runs), capability('WITHDRAW', runs)],
  })
  for (const gate of GATES) {
    await runtime.deploy(contractFor(gate.agent, ['PLACE_ORDER']))
    const answer = await propose(runtime, gate)
    stage.decided(gate.summary, answer, gate.wanted)
    const reached = Number(gate.agent.split('_')[1])
    if (Number.isInteger(reached))
      stage.check(`the answer names gate ${reached}`, answer.gate === reached)
  }
  stage.info('gate 4 is shown by RESOURCES_MISMATCH; contention and liquidity land with locks')
  const { statuses } = await runtime.engine.context.authorities.latest()
  stage.check(
    'the agent with the other mission is suspended',
    statuses.get('gate_5_agent') === 'SUSPENDED',
  )
  stage.check('only the order that passed was placed', runs.length === 1)
  await stage.close(runtime)
}

async function propose(runtime: Runtime, gate: Gate): Promise<Answer> {
  const flow = await runtime.open({ agent: gate.agent, trigger: gate.summary })
  const proposal: FlowProposal = {
    policy_kind: gate.kind ?? 'PLACE_ORDER',
    params: { item: 'chair' },
    ...gate.more,
  }
  return flow.propose(proposal)
}

function capability(kind: string, runs: string[]): Capability {
  return {
    kind,
    effect: 'keyed',
    risk: 'low',
    params: {
      type: 'object',
      properties: { item: { type: 'string' } },
      required: ['item'],
      additionalProperties: false,
    },
    resources: () => [
      { id: 'cash', amount: '10' },
      { id: 'inventory', amount: '1' },
    ],
    execute({ dfid }) {
      runs.push(dfid)
      return {}
    },
  }
}
