/** An agent that argues: the third rejection ends its flow, and a restart does not forgive. */
import type { Answer } from 'rubicon-kernel'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import type { Scenario, Stage } from '../../server/src/demo/stage.ts'

const AGENT = 'stubborn_agent'

export const scenario: Scenario = { name: 'retry-governor', play }

async function play(stage: Stage): Promise<void> {
  const payments: string[] = []
  const before = await stage.openRuntime({ capabilities: [payCapability(payments)] })
  await before.deploy(
    buildContract(AGENT, ['PAY'], {
      permissions: { limits: [{ id: 'payment', measure: 'pay_usd', max: '100' }] },
    }),
  )
  const flow = await before.open({ agent: AGENT, trigger: 'invoice 17' })
  const argue = (amount: string, justification: string) => ({
    policy_kind: 'PAY',
    params: { amount },
    justification,
  })
  const refused = { outcome: 'REJECTED', reason_code: 'LIMIT_EXCEEDED' } as const
  stage.recordDecision('PAY 900', await flow.propose(argue('900', 'the invoice says so')), refused)
  stage.recordDecision(
    'PAY 899, "rounded down"',
    await flow.propose(argue('899', 'rounded')),
    refused,
  )
  await stage.close(before)
  stage.addInfo('the runtime is closed and opened again')

  const after = await stage.openRuntime({ capabilities: [payCapability(payments)] })
  const engine = await after.start()
  const propose = (amount: string): Promise<Answer> =>
    engine.propose(flow.dfid, {
      dfid: flow.dfid,
      agent_id: AGENT,
      context_ref: flow.context.snapshot_id,
      mission_context_hash: flow.context.mission_context_hash,
      ...argue(amount, 'please'),
    })
  stage.recordDecision(
    'PAY 898, "please": the third rejection aborts the flow',
    await propose('898'),
    {
      outcome: 'EXHAUSTED',
      reason_code: 'REASONING_EXHAUSTION',
    },
  )
  stage.recordDecision('PAY 50, which would have passed', await propose('50'), {
    outcome: 'REJECTED',
    reason_code: 'FLOW_NOT_OPEN',
  })
  stage.check('nothing was paid', payments.length === 0)
  await stage.close(after)
}

function payCapability(payments: string[]): Capability {
  return {
    kind: 'PAY',
    effect: 'keyed',
    risk: 'medium',
    params: {
      type: 'object',
      properties: { amount: { type: 'string' } },
      required: ['amount'],
      additionalProperties: false,
    },
    measures: { pay_usd: ({ amount }) => amount },
    execute(_intent, { idempotencyKey }) {
      payments.push(idempotencyKey)
      return {}
    },
  }
}
