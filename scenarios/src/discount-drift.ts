/**
 * Every offer keeps the cap of 15 %, and together they give the margin away. A limit sees one offer;
 * the mean of the last twenty sees all of them.
 */
import type { Answer } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import type { Scenario, Stage } from '../../server/src/demo/stage.ts'
import { formatTrip, readAgentStatus, readTrips } from './trips.ts'

const AGENT = 'retention_bot'
const MODEST = '0.05'
const MOST = '0.15'

export const scenario: Scenario = { name: 'discount-drift', play }

async function play(stage: Stage): Promise<void> {
  const offers: string[] = []
  const runtime = await stage.openRuntime({ capabilities: [offerCapability(offers)] })
  await runtime.deploy(
    buildContract(AGENT, ['OFFER'], {
      mission: 'Keep customers who want to leave, at a price that is worth it.',
      permissions: { max_discount: MOST },
      aggregate_thresholds: { max_average_discount_20x: '0.10' },
    }),
  )
  const over = await offer(runtime, '0.16')
  stage.recordDecision('an offer of 16 %', over, {
    outcome: 'REJECTED',
    reason_code: 'LIMIT_EXCEEDED',
  })
  await playDrift(stage, runtime)
  await playReactivation(stage, runtime)
  await stage.close(runtime)
}

async function playDrift(stage: Stage, runtime: Runtime): Promise<void> {
  for (let i = 0; i < 10; i += 1) await offer(runtime, MODEST)
  for (let i = 0; i < 9; i += 1) await offer(runtime, MOST)
  const twentieth = await offer(runtime, MOST)
  stage.recordDecision('twenty offers, ten of 5 % and ten of 15 %', twentieth, {
    outcome: 'ACCEPTED',
  })
  await runtime.engine.oversight.sweepMonitors()
  stage.check('their mean is 10 %, which is still fine', (await readTrips(runtime)).length === 0)

  // Opened before the mean is too high: a server sweeps by itself, and who is suspended opens nothing.
  const waiting = await runtime.open({ agent: AGENT, trigger: 'the next customer' })
  const last = await offer(runtime, MOST)
  stage.recordDecision('one more of 15 %, inside the cap like all of them', last, {
    outcome: 'ACCEPTED',
  })
  await runtime.engine.oversight.sweepMonitors()
  const [trip] = await readTrips(runtime)
  stage.addInfo(trip === undefined ? 'nothing tripped' : formatTrip(trip))
  stage.check('the mean of the last twenty is 10.5 %', trip?.value === '0.105')
  stage.check('twenty flows are named', trip?.flows.length === 20)
  stage.check('the agent is suspended', (await readAgentStatus(runtime, AGENT)) === 'SUSPENDED')
  const refused = await waiting.propose({ policy_kind: 'OFFER', params: { discount: MODEST } })
  stage.recordDecision('even a modest offer', refused, {
    outcome: 'REJECTED',
    reason_code: 'AGENT_SUSPENDED',
  })
}

/** A handshake lifts nothing; a person does, and says why. */
async function playReactivation(stage: Stage, runtime: Runtime): Promise<void> {
  const { engine } = runtime
  await engine.handshake({ agent: AGENT })
  stage.check(
    'a handshake does not lift it',
    (await readAgentStatus(runtime, AGENT)) === 'SUSPENDED',
  )
  const move = { agent_id: AGENT, to: 'ACTIVE', actor: 'operator' } as const
  const silent = await engine.moveAgent({ ...move, justification: '' })
  stage.recordAnswer('a person who says nothing lifts it', silent, {
    outcome: 'REJECTED',
    reason_code: 'JUSTIFICATION_REQUIRED',
  })
  const lifts = await engine.moveAgent({ ...move, justification: 'goals changed, see note 12' })
  stage.recordAnswer('a person lifts it, with a reason', lifts, { outcome: 'ACCEPTED' })
  stage.recordDecision('an offer of 15 %', await offer(runtime, MOST), { outcome: 'ACCEPTED' })
  await engine.oversight.sweepMonitors()
  stage.check('the monitor starts anew', (await readAgentStatus(runtime, AGENT)) === 'ACTIVE')
  const { monitors } = await engine.oversight.monitors()
  stage.check('and has no data, which is not fine', monitors[0]?.verdict.kind === 'no_data')
}

async function offer(runtime: Runtime, discount: string): Promise<Answer> {
  const flow = await runtime.open({ agent: AGENT, trigger: 'a customer wants to leave' })
  return flow.propose({ policy_kind: 'OFFER', params: { discount } })
}

function offerCapability(offers: string[]): Capability {
  return {
    kind: 'OFFER',
    summary: 'offer a discount to a customer',
    effect: 'keyed',
    risk: 'low',
    params: {
      type: 'object',
      properties: { discount: { type: 'string', pattern: '^0\\.[0-9]{2}$' } },
      required: ['discount'],
      additionalProperties: false,
    },
    measures: { discount: ({ discount }) => discount },
    execute({ params }) {
      offers.push(String(params.discount))
      return { result: { offer: `of_${offers.length}` } }
    },
  }
}
