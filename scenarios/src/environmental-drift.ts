/**
 * Nothing is wrong with the agent: the market is. Clicks cost more every cycle, always below the cap,
 * until they cost more than a customer is ever worth. Five such cycles in a row stop it.
 */
import type { Answer } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import type { Scenario, Stage } from '../../server/src/demo/stage.ts'
import { formatTrip, readAgentStatus, readTrips } from './trips.ts'

const AGENT = 'ads_buyer'
const COST = 'ads.cost_per_click'
const WORTH = 'customers.lifetime_value'
const GOOD = ['1.20', '1.82', '1.40', '1.60', '1.75', '1.80']
const BAD = ['1.82', '1.86', '1.90', '1.94', '1.98']

export const scenario: Scenario = { name: 'environmental-drift', play }

async function play(stage: Stage): Promise<void> {
  const bought: string[] = []
  const runtime = await stage.openRuntime({
    sources: [
      { source_id: 'exchange', label: 'trusted', paths: [COST] },
      { source_id: 'finance', label: 'operator', paths: [WORTH] },
    ],
    capabilities: [buyCapability(bought)],
  })
  await runtime.deploy(
    buildContract(AGENT, ['BUY_CLICKS'], {
      mission: 'Buy attention that pays for itself.',
      permissions: { max_cost_per_click: '2.00' },
    }),
  )
  await runtime.monitor({
    api_version: 'rubicon/v1',
    kind: 'Monitor',
    name: 'negative_cycles',
    agents: [AGENT],
    policy_kinds: ['BUY_CLICKS'],
    statistic: {
      kind: 'streak',
      value: 'measure:cost_per_click',
      when: { above: `state:${WORTH}` },
      length: 5,
    },
  })
  await runtime.observe({ path: WORTH, value: '1.80', source: 'finance' })

  for (const cost of GOOD.slice(0, -1)) await playCycle(runtime, cost)
  const fair = await playCycle(runtime, '1.80')
  stage.recordDecision('six cycles, the last at 1.80: what a customer is worth', fair, {
    outcome: 'ACCEPTED',
  })
  for (const cost of BAD.slice(0, -1)) await playCycle(runtime, cost)
  await runtime.engine.oversight.sweepMonitors()
  stage.check('four negative cycles stop nobody', (await readTrips(runtime)).length === 0)
  // Opened before the fifth: a server sweeps by itself, and who is suspended opens nothing.
  const waiting = await open(runtime)
  const fifth = await playCycle(runtime, '1.98')
  stage.recordDecision('the fifth, at 1.98 and below the cap of 2.00', fifth, {
    outcome: 'ACCEPTED',
  })

  await runtime.engine.oversight.sweepMonitors()
  const [trip] = await readTrips(runtime)
  stage.addInfo(trip === undefined ? 'nothing tripped' : formatTrip(trip))
  stage.check('the five flows are named', trip?.flows.length === 5 && trip.value === '5')
  stage.check('the agent is suspended', (await readAgentStatus(runtime, AGENT)) === 'SUSPENDED')
  stage.recordDecision('a sixth', await buy(waiting), {
    outcome: 'REJECTED',
    reason_code: 'AGENT_SUSPENDED',
  })
  stage.check(`${bought.length} purchases were made`, bought.length === GOOD.length + BAD.length)
  await stage.close(runtime)
}

type Flow = Awaited<ReturnType<Runtime['open']>>

/** The market has moved; the agent does what it always does. */
async function playCycle(runtime: Runtime, cost: string): Promise<Answer> {
  await runtime.observe({ path: COST, value: cost, source: 'exchange' })
  return buy(await open(runtime))
}

function open(runtime: Runtime): Promise<Flow> {
  return runtime.open({ agent: AGENT, trigger: 'the hourly cycle', state: [COST, WORTH] })
}

function buy(flow: Flow): Promise<Answer> {
  return flow.propose({ policy_kind: 'BUY_CLICKS', params: { campaign: 'spring' } })
}

function buyCapability(bought: string[]): Capability {
  return {
    kind: 'BUY_CLICKS',
    summary: 'buy clicks for a campaign at the market price',
    effect: 'keyed',
    risk: 'medium',
    params: {
      type: 'object',
      properties: { campaign: { type: 'string', maxLength: 32 } },
      required: ['campaign'],
      additionalProperties: false,
    },
    reads: () => ({ state: [COST, WORTH] }),
    measures: { cost_per_click: (_params, view) => view.state(COST)?.value },
    execute({ dfid }) {
      bought.push(dfid)
      return { result: { order: `ad_${bought.length}` } }
    },
  }
}
