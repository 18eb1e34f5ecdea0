/**
 * An agent of the ROA kind: it explains what it sees, turns that into a policy, checks itself, and
 * only then proposes. Two of them see the same facts under different missions.
 */
import type { Answer } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
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

  const sure = await runAgent(runtime, GROWTH)
  stage.recordDecision(sure.summary, sure.answer, { outcome: 'ACCEPTED' }, '0.82 against 0.65')
  const careful = await runAgent(runtime, DEFENSIVE)
  stage.recordDecision(careful.summary, careful.answer, { outcome: 'ACCEPTED' })
  const differ = orders.join() === 'BUY,SELL'
  stage.check('same facts, different missions, different proposals', differ)

  signal[SIGNAL] = '0.55'
  const unsure = await runAgent(runtime, GROWTH)
  const wanted = { outcome: 'ESCALATED', reason_code: 'UNCERTAINTY' } as const
  stage.recordDecision(
    unsure.summary,
    unsure.answer,
    wanted,
    '0.55 against 0.65: a person is asked',
  )
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
  const engine = await runtime.start()
  const flow = await runtime.open({ agent: GROWTH, trigger: 'a new day', ...SEES })
  const told = flow.context.memory.map(({ outcome }) => outcome)
  stage.check(`it remembers: ${told.join(', ')}`, told.join() === 'SUCCESS,ESCALATED')
  const late = await think(await runtime.open({ agent: DEFENSIVE, trigger: 'a new day', ...SEES }))
  const retired = await engine.requestRetire(DEFENSIVE, { reason: 'the mission is over' })
  stage.check('the defensive agent retires', retired.ok)
  const wanted = { outcome: 'REJECTED', reason_code: 'AGENT_RETIRED' } as const
  stage.recordDecision('it still wants to sell', await late.emit(), wanted, 'and proposes nothing')
  await stage.close(runtime)
}

function open(stage: Stage, orders: string[], desk: DeclaredSource): Promise<Runtime> {
  const capabilities = [createOrderCapability('BUY', orders), createOrderCapability('SELL', orders)]
  return stage.openRuntime({ capabilities, sources: [desk], background: false })
}

type Reasoned = { readonly answer: Answer; readonly summary: string }

const SEES = { state: [SIGNAL] } as const

/** Explain, policy, self-check, emit. */
async function runAgent(runtime: Runtime, agent: string): Promise<Reasoned> {
  const flow = await runtime.open({ agent, trigger: 'the market opens', ...SEES })
  const { emit, summary } = await think(flow)
  return { answer: await emit(), summary: `${agent}: ${summary}` }
}

type Thought = { readonly summary: string; readonly emit: () => Promise<Answer> }

async function think(flow: Flow): Promise<Thought> {
  const { momentum, narrative } = explain(flow)
  const { explain_ref } = await flow.explain({ narrative, identified_signals: [SIGNAL] })
  const policy_kind = choosePolicy(flow.context.mission, momentum)
  const confidence = assessConfidence(momentum)
  const params = { instrument: 'ETH-USD' }
  return {
    summary: `${policy_kind} with confidence ${confidence}`,
    emit: () => flow.propose({ policy_kind, params, confidence, explain_ref }),
  }
}

function explain({ context }: Flow): { readonly momentum: string; readonly narrative: string } {
  const fact = context.state.find(({ path }) => path === SIGNAL)
  const momentum = typeof fact?.value === 'string' ? fact.value : '0'
  return { momentum, narrative: `momentum is ${momentum}, as ${fact?.source ?? 'nobody'} says` }
}

/** The mission decides what the same fact means. */
function choosePolicy(mission: string, momentum: string): 'BUY' | 'SELL' {
  const isStrong = Number(momentum) >= 0.5
  return mission.startsWith('Grow') === isStrong ? 'BUY' : 'SELL'
}

/** It is as sure as its only signal is strong. That grants nothing: it can only hold it back. */
function assessConfidence(momentum: string): number {
  return Number(momentum)
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
