/**
 * An agent of the ROA kind: it explains what it sees, turns that into a policy, checks itself, and
 * only then proposes. A model does the first two; what it says is read strictly, and is a claim like any other. Two
 * agents have the same model and see the same facts, under different missions.
 */
import {
  type AgentAnswer,
  type AgentConnection,
  type AgentFlow,
  type AgentModel,
  type AgentProposal,
  connectInProcess,
  type ExplainResult,
  type ModelReply,
  type ModelTool,
  RoaAgent,
} from 'rubicon-agents'
import { isObject, parseJson, type WorkingContext } from 'rubicon-kernel'
import type { Runtime, Script } from 'rubicon-runtime/compose'
import type { Capability, DeclaredSource } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import { createHeldSource, type Scenario, type Stage } from '../../server/src/demo/stage.ts'
import {
  buildCall,
  countGenerations,
  createModelOfFlow,
  createScriptedModels,
  MODEL_BUDGET,
} from './scripted-agent.ts'

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
        safety_rules: { escalate_on_uncertainty: '0.65', budget_per_flow: MODEL_BUDGET },
      }),
    )

  const growth = connectInProcess(runtime, { agent: GROWTH })
  const defensive = connectInProcess(runtime, { agent: DEFENSIVE })
  const sure = await decideOnce(runtime, growth)
  stage.recordDecision(sure.summary, sure.answer, { outcome: 'ACCEPTED' }, '0.82 against 0.65')
  const careful = await decideOnce(runtime, defensive)
  stage.recordDecision(careful.summary, careful.answer, { outcome: 'ACCEPTED' })
  const differ = orders.join() === 'BUY,SELL'
  stage.check('same facts, same model, different missions, different proposals', differ)

  signal[SIGNAL] = '0.55'
  await playDoubt(stage, runtime, growth)
  signal[SIGNAL] = 'closed'
  const flow = await defensive.open(MARKET)
  const held = await createTrader(runtime, defensive, flow).decide(flow)
  stage.check(
    'a model that says nothing that can be read has nothing proposed',
    held.kind === 'held',
  )
  await flow.cancel('nothing to decide')
  stage.check('nothing more was ordered', orders.length === 2)

  const entries = await runtime.store.listFlowEntries(sure.answer.dfid)
  const explained = entries.some(({ payload }) => payload?.includes('"explained"') === true)
  stage.check('why it bought stands in the ledger, beside what it bought', explained)
  const asked = await countGenerations(runtime.store, sure.answer.dfid)
  stage.check('and so does what its model was asked, with what that cost', asked === 1)
  await stage.close(runtime)
  await playAfterRestart(stage, orders, desk)
}

async function playDoubt(stage: Stage, runtime: Runtime, growth: AgentConnection): Promise<void> {
  // Without its own check: the runtime says the same.
  const unsure = await decideOnce(runtime, growth, { selfCheck: () => undefined })
  const wanted = { outcome: 'ESCALATED', reason_code: 'UNCERTAINTY' } as const
  const why = '0.55 against 0.65: a person is asked'
  stage.recordDecision(unsure.summary, unsure.answer, wanted, why)
  const checked = await growth.open(MARKET)
  const asked = await createTrader(runtime, growth, checked).decide(checked)
  const isSame = asked.kind === 'escalated' && asked.reason.includes('0.55 is below 0.65')
  stage.check('its own check would have asked a person too, before anything is sent', isSame)
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
  const models = createScriptedModels(readMarket)
  return stage.openRuntime({ capabilities, sources: [desk], models, background: false })
}

const SEES = { state: [SIGNAL] } as const
const MARKET = { trigger: 'the market opens', ...SEES } as const

/** How the model says what it wants. It proposes nothing by that. */
const DECIDE: ModelTool = {
  name: 'decide',
  description: 'say what should be done, and how sure you are',
  params: {
    type: 'object',
    properties: { action: { enum: ['BUY', 'SELL'] }, confidence: { type: 'number' } },
    required: ['action', 'confidence'],
    additionalProperties: false,
  },
}

/** The model: the mission decides what the same fact means. It is as sure as its only signal is strong. */
const readMarket: Script = ({ system = '', messages }) => {
  const momentum = /"value":"([0-9.]+)"/.exec(messages[0]?.text ?? '')?.[1]
  if (momentum === undefined) return 'I would rather talk about the weather.'
  const isStrong = Number(momentum) >= 0.5
  const action = system.startsWith('Grow') === isStrong ? 'BUY' : 'SELL'
  return buildCall(DECIDE.name, { action, confidence: Number(momentum) }, `momentum is ${momentum}`)
}

/** What the model takes from the facts, beside its words; null: nothing that can be read. */
type Reading = ExplainResult & { readonly wants: Wanted | null }
type Wanted = { readonly action: 'BUY' | 'SELL'; readonly confidence: number }

class Trader extends RoaAgent<Reading> {
  readonly #model: AgentModel
  /** What it wanted last. */
  wanted: Wanted | null = null

  constructor(model: AgentModel) {
    super()
    this.#model = model
  }

  override async explain({ mission, state }: WorkingContext): Promise<Reading> {
    const reply = await this.#model.generate({
      system: mission,
      messages: [{ role: 'user', text: JSON.stringify(state) }],
      tools: [DECIDE],
      max_tokens: 200,
    })
    this.wanted = parseWanted(reply)
    return { narrative: reply.text, identified_signals: [SIGNAL], wants: this.wanted }
  }

  /** How sure it is grants nothing. */
  override policy({ wants }: Reading): AgentProposal | null {
    if (wants === null) return null
    const { action: policy_kind, confidence } = wants
    return { policy_kind, params: { instrument: 'ETH-USD' }, confidence }
  }
}

function parseWanted({ calls: [call, ...others] }: ModelReply): Wanted | null {
  if (call?.name !== DECIDE.name || others.length > 0) return null
  const given = parseJson(call.arguments)
  if (!given.ok || !isObject(given.value)) return null
  const { action, confidence } = given.value
  if ((action !== 'BUY' && action !== 'SELL') || typeof confidence !== 'number') return null
  return { action, confidence }
}

function createTrader(runtime: Runtime, { agent }: AgentConnection, { dfid }: AgentFlow): Trader {
  return new Trader(createModelOfFlow(runtime, agent, dfid))
}

type Reasoned = { readonly answer: AgentAnswer; readonly summary: string }

async function decideOnce(
  runtime: Runtime,
  agent: AgentConnection,
  changed: Partial<Pick<Trader, 'selfCheck'>> = {},
): Promise<Reasoned> {
  const flow = await agent.open(MARKET)
  const trader = Object.assign(createTrader(runtime, agent, flow), changed)
  const decision = await trader.decide(flow)
  if (decision.kind === 'held') throw new Error('it wants something, and nothing is wrong with it')
  const { action, confidence } = trader.wanted ?? {}
  const summary = `${agent.agent}: ${action} with confidence ${confidence}`
  return { answer: decision.answer, summary }
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
