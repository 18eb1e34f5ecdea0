/**
 * An agent of the ROA kind: it explains what it sees, turns that into a policy, checks itself, and
 * only then proposes. Two of them see the same facts under different missions.
 */
import {
  type AgentAnswer,
  type AgentConnection,
  type AgentProposal,
  connectInProcess,
  type ExplainResult,
  RoaAgent,
} from 'rubicon-agents'
import type { WorkingContext } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import type { Capability, DeclaredSource } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import { createHeldSource, type Scenario, type Stage } from '../../server/src/demo/stage.ts'

const GROWTH = 'roa_growth'
const DEFENSIVE = 'roa_defensive'
const SIGNAL = 'market.momentum'
const MISSIONS: Readonly<Record<string, string>> = {
  [GROWTH]: 'Grow the portfolio: buy into strength.',
  [DEFENSIVE]: 'Protect the portfolio: take profits when others get greedy.',
}

export const scenario: Scenario = { name: 'roa-agent', play }

async function play(stage: Stage): Promise<void> {
  const orders: string[] = []
  const signal = { [SIGNAL]: '0.82' }
  const desk = createHeldSource('desk', signal)
  const runtime = await open(stage, orders, desk)
  for (const agent of [GROWTH, DEFENSIVE])
    await runtime.deploy(
      buildContract(agent, ['BUY', 'SELL'], {
        mission: MISSIONS[agent] ?? '',
        safety_rules: { escalate_on_uncertainty: '0.65' },
      }),
    )

  const growth = connectInProcess(runtime, { agent: GROWTH })
  const defensive = connectInProcess(runtime, { agent: DEFENSIVE })
  const sure = await decideOnce(growth, new Trader())
  stage.recordDecision(sure.summary, sure.answer, { outcome: 'ACCEPTED' }, '0.82 against 0.65')
  const careful = await decideOnce(defensive, new Trader())
  stage.recordDecision(careful.summary, careful.answer, { outcome: 'ACCEPTED' })
  const differ = orders.join() === 'BUY,SELL'
  stage.check('same facts, different missions, different proposals', differ)

  signal[SIGNAL] = '0.55'
  // Without its own check: the runtime says the same.
  const careless = Object.assign(new Trader(), { selfCheck: () => undefined })
  const unsure = await decideOnce(growth, careless)
  const wanted = { outcome: 'ESCALATED', reason_code: 'UNCERTAINTY' } as const
  stage.recordDecision(
    unsure.summary,
    unsure.answer,
    wanted,
    '0.55 against 0.65: a person is asked',
  )
  const checked = await growth.open({ trigger: 'the market opens', ...SEES })
  const asked = await new Trader().decide(checked)
  const isSame = asked.kind === 'escalated' && asked.reason.includes('0.55 is below 0.65')
  stage.check('its own check would have asked a person too, before anything is sent', isSame)
  stage.check('nothing more was ordered', orders.length === 2)

  const entries = await runtime.store.listFlowEntries(sure.answer.dfid)
  const explained = entries.some(({ payload }) => payload?.includes('"explained"') === true)
  stage.check('why it bought stands in the ledger, beside what it bought', explained)
  await stage.close(runtime)
  await playAfterRestart(stage, orders, desk)
}

/** The process ends. What the agents did is remembered; one of them retires. */
async function playAfterRestart(
  stage: Stage,
  orders: string[],
  desk: DeclaredSource,
): Promise<void> {
  const runtime = await open(stage, orders, desk)
  const flow = await runtime.open({ agent: GROWTH, trigger: 'a new day', ...SEES })
  const told = flow.context.memory.map(({ outcome }) => outcome)
  stage.check(`it remembers: ${told.join(', ')}`, told.join() === 'SUCCESS,ESCALATED,SUCCESS')
  const defensive = connectInProcess(runtime, { agent: DEFENSIVE })
  const late = await defensive.open({ trigger: 'a new day', ...SEES })
  await defensive.retire('the mission is over')
  stage.check('the defensive agent retires', true)
  const wanted = { outcome: 'REJECTED', reason_code: 'AGENT_RETIRED' } as const
  const answer = await late.propose({ policy_kind: 'SELL', params: { instrument: 'ETH-USD' } })
  stage.recordDecision('it still wants to sell', answer, wanted, 'and proposes nothing')
  await stage.close(runtime)
}

function open(stage: Stage, orders: string[], desk: DeclaredSource): Promise<Runtime> {
  const capabilities = [createOrderCapability('BUY', orders), createOrderCapability('SELL', orders)]
  return stage.openRuntime({ capabilities, sources: [desk], background: false })
}

const SEES = { state: [SIGNAL] } as const

/** What it takes from the facts, beside its words. */
type Reading = ExplainResult & { readonly momentum: string }

class Trader extends RoaAgent<Reading> {
  override explain({ state }: WorkingContext): Reading {
    const fact = state.find(({ path }) => path === SIGNAL)
    const momentum = typeof fact?.value === 'string' ? fact.value : '0'
    const narrative = `momentum is ${momentum}, as ${fact?.source ?? 'nobody'} says`
    return { momentum, narrative, identified_signals: [SIGNAL] }
  }

  /** The mission decides what the same fact means. It is as sure as its only signal is strong, which grants nothing. */
  override policy({ momentum }: Reading, { mission }: WorkingContext): AgentProposal {
    const isStrong = Number(momentum) >= 0.5
    const policy_kind = mission.startsWith('Grow') === isStrong ? 'BUY' : 'SELL'
    return { policy_kind, params: { instrument: 'ETH-USD' }, confidence: Number(momentum) }
  }
}

type Reasoned = { readonly answer: AgentAnswer; readonly summary: string }

async function decideOnce(agent: AgentConnection, trader: Trader): Promise<Reasoned> {
  const flow = await agent.open({ trigger: 'the market opens', ...SEES })
  const { policy_kind, confidence } = trader.policy(trader.explain(flow.context), flow.context)
  const decision = await trader.decide(flow)
  if (decision.kind === 'held') throw new Error('it wants something, and nothing is wrong with it')
  const { answer } = decision
  return { answer, summary: `${agent.agent}: ${policy_kind} with confidence ${confidence}` }
}

function createOrderCapability(kind: 'BUY' | 'SELL', orders: string[]): Capability {
  return {
    kind,
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    idempotency: { carrier: 'header', window_s: 86_400 },
    params: {
      type: 'object',
      properties: { instrument: { type: 'string', maxLength: 16 } },
      required: ['instrument'],
      additionalProperties: false,
    },
    execute() {
      orders.push(kind)
      return { receipt: `order-${orders.length}` }
    },
  }
}
