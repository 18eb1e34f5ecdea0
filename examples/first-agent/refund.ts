/** What the agent may ask for. Only this code acts, and only it would hold a credential. */
import type { Capability } from 'rubicon-runtime'

export const refund: Capability = {
  kind: 'REFUND',
  summary: 'pay an order back',
  effect: 'keyed', // the provider knows our key: asking twice pays once
  risk: 'low',
  reversible: true,
  idempotency: { carrier: 'Idempotency-Key', window_s: 86_400 },
  params: {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'string' } },
    required: ['order', 'amount'],
    additionalProperties: false,
  },
  measures: { refund_usd: ({ amount }) => amount }, // the limit of the contract is checked on this
  execute({ params }, { idempotencyKey }) {
    // Here you call your payment provider, with `idempotencyKey`.
    return { result: { refund: `re_${params.order}`, key: idempotencyKey } }
  },
}
