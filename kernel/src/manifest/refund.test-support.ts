/** A manifest that says everything a manifest can say. */
import type { JsonObject } from '../canonical/json-value.ts'
import { patched } from '../compile/case-patch.test-support.ts'

export const REFUND: JsonObject = {
  manifest: 'rubicon/tool/1',
  kind: 'REFUND',
  version: '1',
  summary: 'pays an order back',
  params: {
    type: 'object',
    properties: {
      order: { type: 'string' },
      amount: { type: 'string' },
      account: { type: 'string' },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          properties: { price: { type: 'string' }, count: { type: 'number' } },
        },
      },
    },
    required: ['order', 'amount'],
    additionalProperties: false,
  },
  result: { type: 'object' },
  effect: 'keyed',
  reversible: false,
  reducing: false,
  risk: 'medium',
  measures: {
    amount_usd: { mul: [{ param: '/amount' }, { fact: 'fx.{/account}' }] },
    lines_usd: { sum: { mul: [{ item: '/price' }, { item: '/count' }] }, of: '/lines/*' },
  },
  exposure: { measure: 'amount_usd', threshold: '500.00' },
  scopes: { accounts: '/account' },
  resources: [
    { id: 'order:{/order}' },
    { id: 'till', amount: { param: '/amount' }, capacity: { fact: 'till.size' } },
  ],
  reads: { world: [{ kind: 'customer', id: '{/account}' }] },
  jit_fields: {
    balance: { path: 'balance.{/account}', kind: 'balance' },
    status: 'order.{/order}',
  },
  sinks: { '/account': ['trusted', 'operator'] },
  accepts: { 'fx.*': 'external' },
  cost: { usd: { const: '0.01' }, volume: { param: '/amount' } },
  precondition: [
    {
      require: { le: [{ param: '/amount' }, { fact: 'paid.{/order}' }] },
      else: 'no more than was paid',
    },
  ],
  postcondition: [
    { require: { eq: [{ result: '/state' }, { const: 'done' }] }, else: 'it is done' },
  ],
  delta: [
    { op: 'create', kind: 'refund', id: '{/order}', value: { of: { $: { param: '/amount' } } } },
    { op: 'replace', kind: 'order', id: '{/order}', value: 'refunded' },
    { op: 'increment', kind: 'till', id: 'main', by: { neg: { param: '/amount' } }, field: 'cash' },
    { op: 'retract', kind: 'cart', id: '{/order}' },
  ],
  compensations: {
    REVERT: {
      http: {
        method: 'POST',
        url: 'https://pay.example/refunds/{/order}/undo',
        idempotency_header: 'Idempotency-Key',
        applied: [200],
      },
    },
  },
  idempotency: { carrier: 'Idempotency-Key', window_s: 86_400 },
  probe: {
    absence_authoritative: true,
    max_late_arrival_s: 30,
    executor: {
      http: { method: 'GET', url: 'https://pay.example/refunds/{/order}', applied: [200, 404] },
    },
    applied: { eq: [{ result: '/state' }, { const: 'done' }] },
    absent: { eq: [{ status: true }, { const: 404 }] },
  },
  labels: { result: 'external' },
  executor: {
    http: {
      method: 'POST',
      url: 'https://pay.example:8443/v1/refunds/{/order}',
      query: { dry: { const: 'no' } },
      headers: { Authorization: { secret: 'pay', format: 'Bearer {secret}' }, 'X-Shop': 'tea' },
      body: { amount: { $: { param: '/amount' } }, lines: [{ $: { param: '/lines' } }] },
      idempotency_header: 'Idempotency-Key',
      applied: [200, 201],
      not_applied: [400, 409, 503],
      transient: [503],
      result: '/refund',
      timeout_ms: 5_000,
      max_bytes: 10_000,
    },
  },
}

/** With these members instead; null takes one away. */
export function withRefund(patch: JsonObject): JsonObject {
  return patched(REFUND, patch)
}
