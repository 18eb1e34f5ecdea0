/**
 * Sell A, buy B; B fails after A succeeded. Half a job stands: its agent does nothing else until the
 * agent above has chosen what is done about it, and what is not known is found out first.
 */
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import { type Capability, type Effect, NotApplied } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import { createMovableClock, type Scenario, type Stage } from '../../server/src/demo/stage.ts'

const TRADER = 'rotation_trader'
const DESK = 'rotation_desk'

export const scenario: Scenario = { name: 'saga', play }

/** What the market is told, and what it does with it. */
type Market = { readonly told: string[]; noOffers: boolean; losesAnswers: boolean }

async function play(stage: Stage): Promise<void> {
  const market: Market = { told: [], noOffers: false, losesAnswers: false }
  const clock = createMovableClock()
  const runtime = await stage.openRuntime({
    capabilities: [createSellCapability(market), createBuyCapability(market)],
    background: false,
    clock,
  })
  const kinds = ['SELL', 'BUY', 'COMPENSATE']
  const compensation = ['REVERT', 'ALERT_HUMAN']
  await runtime.deploy({ ...buildContract(DESK, [...kinds, 'SPAWN_CHILD']), compensation })
  await runtime.deploy({ ...buildContract(TRADER, kinds), parent_agent: DESK, compensation })
  await playHalfDone(stage, runtime, market)
  await playUnknownFirst(stage, runtime, market, () => clock.ahead(5_000))
  await stage.close(runtime)
}

async function playHalfDone(stage: Stage, runtime: Runtime, market: Market): Promise<void> {
  const asked: Flow[] = []
  runtime.on(DESK, (flow) => void asked.push(flow))
  const flow = await runtime.open({ agent: TRADER, trigger: 'rotate A into B', steps: 'many' })
  stage.recordDecision('SELL A', await sell(flow, 'A'), { outcome: 'ACCEPTED' })
  market.noOffers = true
  const failed = await buy(flow, 'B')
  stage.recordDecision('BUY B, which the market refuses', failed, { outcome: 'ACCEPTED' })
  const row = await runtime.store.readFlow(flow.dfid)
  stage.check('B failed, and the flow is DIRTY', row?.tags.includes('DIRTY') === true)

  const other = await runtime.open({ agent: TRADER, trigger: 'something else', steps: 'many' })
  stage.recordDecision(
    'SELL C, while half a job stands',
    await sell(other, 'C'),
    { outcome: 'REJECTED', reason_code: 'AGENT_MAINTENANCE' },
    'MAINTENANCE_MODE: only what puts it right passes',
  )
  await runtime.engine.runDue()
  const [desk] = asked
  stage.check('the desk is told', desk?.context.trigger === `compensate ${flow.dfid}`)
  if (desk === undefined) return
  const repair = await desk.compensate(flow.dfid, 'BUY_A_LITTLE_OF_C', { step_id: 'idea' })
  stage.recordDecision(
    'the desk has an idea',
    repair,
    { outcome: 'REJECTED', reason_code: 'COMPENSATION_MENU' },
    'it is not on the menu',
  )
  const revert = await desk.compensate(flow.dfid, 'REVERT')
  stage.recordDecision('the desk picks REVERT', revert, { outcome: 'ACCEPTED' })
  const after = await runtime.store.readFlow(flow.dfid)
  stage.check('A was bought back, once', market.told.at(-1) === 'undo SELL A')
  stage.check('the flow is COMPENSATED', after?.tags.join() === 'COMPENSATED')
  market.noOffers = false
  stage.recordDecision('SELL C, afterwards', await sell(other, 'C'), { outcome: 'ACCEPTED' })
}

async function playUnknownFirst(
  stage: Stage,
  runtime: Runtime,
  market: Market,
  later: () => void,
): Promise<void> {
  const whole = await runtime.open({ agent: DESK, trigger: 'three legs', steps: 'many' })
  const openLeg = (trigger: string): Promise<Flow> =>
    runtime.open({ agent: TRADER, trigger, parent: whole.dfid })
  stage.recordDecision('leg 1: SELL D', await sell(await openLeg('leg 1'), 'D'), {
    outcome: 'ACCEPTED',
  })
  market.losesAnswers = true
  const lost = await sell(await openLeg('leg 2'), 'E')
  stage.recordDecision('leg 2: SELL E, whose answer is lost', lost, { outcome: 'ACCEPTED' })
  stage.check('its outcome is UNKNOWN', lost.execution?.status === 'UNKNOWN')
  market.losesAnswers = false
  market.noOffers = true
  await buy(await openLeg('leg 3'), 'F')
  stage.recordDecision(
    'leg 3 failed; the desk picks REVERT',
    await whole.compensate(whole.dfid, 'REVERT'),
    { outcome: 'REJECTED', reason_code: 'COMPENSATION_WAITS' },
    'what is not known to have happened cannot be taken back',
  )
  later()
  await runtime.engine.reconcile()
  stage.check('a probe finds that E was sold', market.told.includes('ask SELL E'))
  const told = market.told.length
  const revert = await whole.compensate(whole.dfid, 'REVERT')
  stage.recordDecision('the desk picks REVERT again', revert, { outcome: 'ACCEPTED' })
  const undone = market.told.slice(told).join(', ')
  stage.check('both are taken back, the last first', undone === 'undo SELL E, undo SELL D')
  const row = await runtime.store.readFlow(whole.dfid)
  stage.check('the whole is COMPENSATED', row?.tags.join() === 'COMPENSATED')
}

function sell(flow: Flow, asset: string): ReturnType<Flow['propose']> {
  return flow.propose({ policy_kind: 'SELL', step_id: `sell-${asset}`, params: { asset } })
}

function buy(flow: Flow, asset: string): ReturnType<Flow['propose']> {
  return flow.propose({ policy_kind: 'BUY', step_id: `buy-${asset}`, params: { asset } })
}

const PARAMS = {
  type: 'object',
  properties: { asset: { type: 'string', maxLength: 16 } },
  required: ['asset'],
  additionalProperties: false,
} as const

/** It can be asked about, and taken back by buying the asset again. */
function createSellCapability(market: Market): Capability {
  return {
    kind: 'SELL',
    effect: 'queryable',
    risk: 'medium',
    reversible: true,
    params: PARAMS,
    execute({ params: { asset } }) {
      market.told.push(`SELL ${asset}`)
      if (market.losesAnswers) throw new Error('connection reset')
      return buildSaleEffect(asset)
    },
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 60,
      ask({ params: { asset } }) {
        market.told.push(`ask SELL ${asset}`)
        return { finding: 'applied', effect: buildSaleEffect(asset) }
      },
    },
    compensate({ params: { asset } }) {
      market.told.push(`undo SELL ${asset}`)
      return {}
    },
  }
}

function buildSaleEffect(asset: unknown): Effect {
  return { delta: [{ op: 'create', kind: 'sale', id: String(asset), value: 'filled' }] }
}

function createBuyCapability(market: Market): Capability {
  return {
    kind: 'BUY',
    effect: 'keyed',
    risk: 'medium',
    reversible: true,
    params: PARAMS,
    execute({ params: { asset } }) {
      market.told.push(`BUY ${asset}`)
      if (market.noOffers) throw new NotApplied('nobody sells it')
      return {}
    },
  }
}
