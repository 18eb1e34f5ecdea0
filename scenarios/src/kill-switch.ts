/** A contract is revoked while a flow is between acceptance and dispatch: nothing is sent. */
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import type { Scenario, Stage } from '../../server/src/demo/stage.ts'

const AGENT = 'payments_bot'

export const scenario: Scenario = { name: 'kill-switch', play }

async function play(stage: Stage): Promise<void> {
  const paid: string[] = []
  const reached = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  let isArmed = true
  const runtime = await stage.openRuntime({
    executors: 'separate',
    capabilities: [createPaymentCapability(paid)],
    failpoints: {
      async reach(point) {
        if (point !== 'dispatch.before_commit' || !isArmed) return
        isArmed = false
        reached.resolve()
        await resumed.promise
      },
    },
  })
  await runtime.deploy(buildContract(AGENT, ['PAY']))
  const flow = await runtime.open({ agent: AGENT, trigger: 'invoice 4711' })
  const answer = flow.propose({ policy_kind: 'PAY', params: { amount: '100.00' } })
  await reached.promise
  const accepted = await runtime.store.readFlow(flow.dfid)
  stage.check('the payment is accepted, and not yet dispatched', accepted?.state === 'ACCEPTED')

  const revoked = await runtime.engine.revoke({
    target: 'contract',
    id: AGENT,
    reason: 'the operator pulls the kill switch',
  })
  stage.check('the contract is revoked', revoked.ok)
  resumed.resolve()
  stage.recordDecision('PAY 100.00, revoked between acceptance and dispatch', await answer, {
    outcome: 'REJECTED',
    reason_code: 'CONTRACT_REVOKED',
  })
  const ended = await runtime.store.readFlow(flow.dfid)
  stage.check('the flow is aborted', ended?.state === 'ABORTED')
  stage.check('nothing was sent', paid.length === 0)
  const opened = await runtime.open({ agent: AGENT, trigger: 'invoice 4712' }).catch(() => null)
  stage.check('no further flow can be opened', opened === null)
  await stage.close(runtime)
}

function createPaymentCapability(paid: string[]): Capability {
  return {
    kind: 'PAY',
    effect: 'keyed',
    risk: 'high',
    params: {
      type: 'object',
      properties: { amount: { type: 'string', maxLength: 16 } },
      required: ['amount'],
      additionalProperties: false,
    },
    execute({ params }) {
      paid.push(String(params.amount))
      return { receipt: 'p-1' }
    },
  }
}
