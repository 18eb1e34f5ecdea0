/** Who acts in a filled store, what they may do, and what becomes of it in the provider's hands. */
import type { JsonObject } from 'rubicon-kernel'
import { type Capability, NotApplied } from 'rubicon-runtime'

export const AGENTS: readonly string[] = [
  'refunds_eu',
  'refunds_us',
  'refunds_apac',
  'returns_desk',
  'goodwill_bot',
  'marketplace_bot',
  'subscriptions_bot',
  'travel_refunds',
  'warranty_bot',
  'chargeback_bot',
  'loyalty_bot',
  'night_shift',
]

/** What an agent may refund alone, and what nobody may. */
export const ALONE = 500
export const EVER = 5_000
/** Orders of which the provider wants nothing, and those of which it says nothing. */
export const DECLINED = 'declined'
export const SILENT = 'silent'

export function buildFillContract(agent_id: string): JsonObject {
  return {
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id,
    version: '1.0.0',
    owner: 'jane.doe@example.com',
    effective_from: '2025-01-01',
    role: 'EXECUTOR',
    authority: 'EXECUTE_LIMITED',
    mission: 'Give customers back what they are owed, and not a cent more.',
    permissions: {
      policy_kinds: ['REFUND', 'PAY_OUT', 'SPAWN_CHILD'],
      limits: [
        { id: 'alone', measure: 'refund_usd', max: `${ALONE}.00`, on_breach: 'escalate' },
        { id: 'ever', measure: 'refund_usd', max: `${EVER}.00` },
      ],
    },
    safety_rules: {
      escalations_per_hour: 1_000,
      rejections_per_hour: 10_000_000,
      budget_per_flow: { calls: '100' },
    },
  }
}

/** Most refunds are small; that they stay so is watched. */
export const MONITOR: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'Monitor',
  name: 'large_refunds',
  agents: [...AGENTS],
  statistic: { kind: 'rate', value: 'measure:refund_usd', when: { above: '400' }, max: '0.9' },
  window: { executions: 200 },
}

const params: JsonObject = {
  type: 'object',
  properties: {
    order: { type: 'string', maxLength: 64 },
    amount: { type: 'string', pattern: '^[0-9]{1,9}\\.[0-9]{2}$' },
  },
  required: ['order', 'amount'],
  additionalProperties: false,
}

const refund: Capability = {
  kind: 'REFUND',
  summary: 'pay a customer back',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  idempotency: { carrier: 'Idempotency-Key', window_s: 86_400 },
  params,
  measures: { refund_usd: ({ amount }) => amount },
  exposure: { measure: 'refund_usd', threshold: '2500.00' },
  preview: ({ order, amount = null }) => [
    { subject: `order ${order}`, field: 'paid back', before: null, after: amount, unit: 'USD' },
  ],
  execute({ dfid, params }) {
    const order = String(params.order)
    if (order.startsWith(DECLINED)) throw new NotApplied('the card was declined')
    const value = { order, amount: params.amount ?? null }
    return {
      result: { refund: `re_${order}` },
      receipt: `r_${order}`,
      delta: [{ op: 'create', kind: 'refund', id: dfid, value }],
    }
  },
}

/** No key, no probe: when nothing is heard of it, only a person can say what happened. */
const payOut: Capability = {
  kind: 'PAY_OUT',
  summary: 'send money to an account',
  effect: 'unsafe',
  risk: 'high',
  reversible: true,
  params,
  measures: { refund_usd: ({ amount }) => amount },
  execute({ params }) {
    if (String(params.order).startsWith(SILENT)) throw new Error('the bank did not answer')
    return { result: { paid: params.amount ?? null }, receipt: `p_${params.order}` }
  },
}

export const FILL_CAPABILITIES: readonly Capability[] = [refund, payOut]
