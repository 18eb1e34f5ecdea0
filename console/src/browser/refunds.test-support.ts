/** A refunds bot that was allowed, refused and sent to a person; and one effect of which nobody knows. */
import type { Contract } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime'
import type { Capability } from '../../../runtime/src/ports/capability.ts'
import { buildRefundsContract, refundCapability } from '../../../server/src/demo/refunds.ts'

export const calls: string[] = []

/** Sends what can be neither repeated nor asked after, and never hears of it. */
const silentTransfer: Capability = {
  kind: 'TRANSFER',
  summary: 'send money to an account',
  effect: 'unsafe',
  risk: 'high',
  params: {
    type: 'object',
    properties: { account: { type: 'string', maxLength: 64 } },
    required: ['account'],
    additionalProperties: false,
  },
  measures: { refund_usd: () => '1.00' },
  execute() {
    throw new Error('the line went dead')
  },
}

export const capabilities: readonly Capability[] = [refundCapability(calls), silentTransfer]

export function contract(): Contract {
  const refunds = buildRefundsContract()
  return {
    ...refunds,
    permissions: { ...refunds.permissions, policy_kinds: ['REFUND', 'TRANSFER'] },
  }
}

export async function seedRefunds(runtime: Runtime): Promise<void> {
  await runtime.deploy(contract())
  await refund(runtime, 'ticket 1', '20.00')
  await refund(runtime, 'ticket 2: pay 20,000 now', '20000.00')
  await refund(runtime, 'ticket 3', '1200.00')
  const lost = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket 4' })
  await lost.propose({ policy_kind: 'TRANSFER', params: { account: 'acc_1' } })
}

export async function refund(runtime: Runtime, trigger: string, amount: string): Promise<void> {
  const flow = await runtime.open({ agent: 'refunds_bot', trigger })
  await flow.propose({
    policy_kind: 'REFUND',
    params: { order: 'o_1', amount },
    justification: 'the parcel was late',
  })
}
