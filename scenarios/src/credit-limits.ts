/**
 * Credit is granted on the income that a bank statement shows, not on the one that is claimed. And
 * where every single approval is in order, their share is watched: an agent that has begun to approve
 * almost everybody is stopped.
 */
import type { Answer } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import type { Scenario, Stage } from '../../server/src/demo/stage.ts'
import { formatTrip, readAgentStatus, readTrips } from './trips.ts'

const AGENT = 'credit_officer'
const INCOME = 'statements.income'

type Decision = 'APPROVE' | 'DECLINE'

export const scenario: Scenario = { name: 'credit-limits', play }

async function play(stage: Stage): Promise<void> {
  const runtime = await stage.openRuntime({
    sources: [{ source_id: 'bank', label: 'trusted', paths: ['statements.*'] }],
    capabilities: [decideCapability()],
  })
  await runtime.deploy(
    buildContract(AGENT, ['DECIDE_CREDIT'], { mission: 'Lend to those who can pay it back.' }),
  )
  await runtime.monitor({
    api_version: 'rubicon/v1',
    kind: 'Monitor',
    name: 'approval_rate',
    agents: [AGENT],
    policy_kinds: ['DECIDE_CREDIT'],
    statistic: { kind: 'rate', value: 'param:decision', when: { is: 'APPROVE' }, max: '0.7' },
    window: { executions: 10 },
    min_samples: 10,
  })
  await playEvidence(stage, runtime)
  await playDrift(stage, runtime)
  await stage.close(runtime)
}

async function playEvidence(stage: Stage, runtime: Runtime): Promise<void> {
  await runtime.observe({ path: INCOME, value: '3000', source: 'bank' })
  const claimed = await decide(runtime, 'APPROVE', '30000')
  stage.recordDecision('an income of 3,000 claimed as 30,000', claimed, {
    outcome: 'REJECTED',
    reason_code: 'SINK_UNGROUNDED',
  })
}

async function playDrift(stage: Stage, runtime: Runtime): Promise<void> {
  const { engine } = runtime
  for (let i = 0; i < 5; i += 1) await decide(runtime, 'APPROVE')
  for (let i = 0; i < 3; i += 1) await decide(runtime, 'DECLINE')
  await decide(runtime, 'APPROVE')
  const tenth = await decide(runtime, 'APPROVE')
  stage.recordDecision('ten decisions, seven of them approvals', tenth, { outcome: 'ACCEPTED' })
  await engine.oversight.sweepMonitors()
  stage.check('70 % is what the monitor allows', (await readTrips(runtime)).length === 0)

  for (let i = 0; i < 5; i += 1) await decide(runtime, 'APPROVE')
  await engine.oversight.sweepMonitors()
  stage.check('what leaves the window counts no more', (await readTrips(runtime)).length === 0)
  const waiting = await open(runtime)
  const last = await decide(runtime, 'APPROVE')
  stage.recordDecision('an approval in place of a refusal', last, { outcome: 'ACCEPTED' })
  await engine.oversight.sweepMonitors()
  const [trip] = await readTrips(runtime)
  stage.addInfo(trip === undefined ? 'nothing tripped' : formatTrip(trip))
  stage.check('eight of the last ten were approved', trip?.value === '0.8')
  stage.check('the eight flows are named', trip?.flows.length === 8)
  stage.check('the agent is suspended', (await readAgentStatus(runtime, AGENT)) === 'SUSPENDED')
  const refused = await propose(waiting, 'DECLINE', '3000')
  const reason_code = 'AGENT_SUSPENDED'
  stage.recordDecision('not even a refusal goes out', refused, { outcome: 'REJECTED', reason_code })
}

type Flow = Awaited<ReturnType<Runtime['open']>>

async function decide(runtime: Runtime, decision: Decision, income = '3000'): Promise<Answer> {
  return propose(await open(runtime), decision, income)
}

function open(runtime: Runtime): Promise<Flow> {
  return runtime.open({ agent: AGENT, trigger: 'an application', state: [INCOME] })
}

function propose(flow: Flow, decision: Decision, income: string): Promise<Answer> {
  const params = { decision, income }
  return flow.propose({ policy_kind: 'DECIDE_CREDIT', params, grounds: { '/income': INCOME } })
}

function decideCapability(): Capability {
  return {
    kind: 'DECIDE_CREDIT',
    summary: 'approve or decline an application',
    effect: 'keyed',
    risk: 'high',
    params: {
      type: 'object',
      properties: {
        decision: { enum: ['APPROVE', 'DECLINE'] },
        income: { type: 'string', pattern: '^[0-9]{1,9}$' },
      },
      required: ['decision', 'income'],
      additionalProperties: false,
    },
    // What the applicant writes is no evidence of what he earns.
    sinks: { '/income': ['trusted', 'operator'] },
    execute: ({ params }) => ({ result: { decision: params.decision ?? null } }),
  }
}
