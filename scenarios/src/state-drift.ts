/**
 * The outside does not wait for agents. A price that left its envelope voids the decision, whether
 * it moved while the agent thought or after the kernel had accepted; on fresh context it goes on.
 */
import type { Answer, JsonObject } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import {
  createHeldSource,
  type ExpectedAnswer,
  type Scenario,
  type Stage,
} from '../../server/src/demo/stage.ts'

const AGENT = 'momentum_trader'
const PRICE = 'market.price.ACME'
const DRIFT: ExpectedAnswer = { outcome: 'REJECTED', reason_code: 'STATE_DRIFT_DETECTED' }

export const scenario: Scenario = { name: 'state-drift', play }

async function play(stage: Stage): Promise<void> {
  const orders: JsonObject[] = []
  const market = { [PRICE]: '99.50' }
  let afterVerdict = (): void => {}
  const runtime = await stage.openRuntime({
    sources: [createHeldSource('exchange', market)],
    executors: 'separate',
    capabilities: [buyCapability(orders)],
    failpoints: {
      reach: (point) => (point === 'propose.after_compile' ? afterVerdict() : undefined),
    },
  })
  await runtime.deploy(
    buildContract(AGENT, ['BUY'], { jit_verification: { drift_envelope: { price_pct: '0.5' } } }),
  )

  const flow = await open(runtime)
  stage.check('the agent is shown 99.50', getShownPrice(flow) === '99.50')
  market[PRICE] = '101.20'
  const late = await buy(flow)
  stage.recordDecision(
    'BUY; while the agent thought, the price moved',
    late,
    DRIFT,
    describeMove(late),
  )
  stage.check('nothing was sent', orders.length === 0)
  const { transient, fix } = late.feedback ?? {}
  stage.check(`the agent is told to ${fix}; it costs it no retry`, transient === true)
  stage.check('and is shown 101.20', getShownPrice(flow) === '101.20')
  stage.recordDecision('BUY, decided on that', await buy(flow), { outcome: 'ACCEPTED' })
  stage.check('sent once', orders.length === 1)

  market[PRICE] = '99.50'
  const between = await open(runtime)
  afterVerdict = () => {
    market[PRICE] = '101.20'
  }
  stage.recordDecision('BUY at 99.50; the price moved after the verdict', await buy(between), DRIFT)
  const entries = await runtime.store.listFlowEntries(between.dfid)
  const kinds = entries.map(({ envelope }) => envelope.kind)
  stage.check('it was accepted', kinds.includes('accepted'))
  stage.check('and never dispatched', !kinds.includes('dispatch') && orders.length === 1)
  await between.refresh()
  stage.check('the agent looks again and sees 101.20', getShownPrice(between) === '101.20')
  stage.recordDecision('BUY, decided on that', await buy(between), { outcome: 'ACCEPTED' })
  await stage.close(runtime)
}

function open(runtime: Runtime): Promise<Flow> {
  return runtime.open({ agent: AGENT, trigger: 'ACME breaks out', state: [PRICE] })
}

function buy(flow: Flow): Promise<Answer> {
  return flow.propose({ policy_kind: 'BUY', params: { instrument: 'ACME' } })
}

function getShownPrice({ context }: Flow): string {
  return String(context.state[0]?.value)
}

function describeMove({ feedback }: Answer): string {
  const { was, is, percent } = feedback?.details ?? {}
  return `from ${was} to ${is} is ${percent} %, the envelope is 0.5 %`
}

function buyCapability(orders: JsonObject[]): Capability {
  return {
    kind: 'BUY',
    summary: 'buy at the market',
    effect: 'keyed',
    risk: 'high',
    params: {
      type: 'object',
      properties: { instrument: { type: 'string', maxLength: 16 } },
      required: ['instrument'],
      additionalProperties: false,
    },
    jit_fields: ['price'],
    jit: ({ instrument }) => ({ price: { path: `market.price.${instrument}`, kind: 'telemetry' } }),
    execute({ params }) {
      orders.push(params)
      return { result: { order: `ord_${orders.length}` } }
    },
  }
}
