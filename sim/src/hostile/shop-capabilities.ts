/** What the shop can do. Each says what it answers for, but for one that answers for nothing. */
import type { JsonObject } from 'rubicon-kernel'
import { type Capability, NotApplied } from '../../../runtime/src/ports/capability.ts'
import { MUCH, NOTE_WORDS, type Sent } from './shop.ts'

const text = { type: 'string', minLength: 1, maxLength: 64 } as const
const decimal = { type: 'string', pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,8})?$' } as const

/** What the bank never pays for. */
export const NOT_PAID = 'not to be paid'
/** The longest that the bank takes. */
const MEMO = 140

export function buildShopCapabilities(sent: (one: Sent) => void): readonly Capability[] {
  const executeInShop: Capability['execute'] = ({
    policy_kind,
    params,
    agent_id,
    dfid,
    step_id,
  }) => {
    const { memo } = params
    if (memo === NOT_PAID) throw new NotApplied('the bank refuses')
    // The bank says no with the words of whoever asks.
    if (typeof memo === 'string' && memo.length > MEMO) throw new Error(memo)
    sent({ kind: policy_kind, params, agent: agent_id, dfid, step: step_id })
    return { result: { done: true } }
  }
  return [
    buy(executeInShop),
    pay('PAY', executeInShop, {
      type: 'object',
      // Open on purpose: what is not declared must not be able to stand for what is.
      properties: {
        to: { type: 'object', properties: { account: text }, required: ['account'] },
        amount: decimal,
      },
      required: ['to', 'amount'],
    }),
    payMany(executeInShop),
    withdraw(executeInShop),
    {
      kind: 'NOTE',
      effect: 'keyed',
      risk: 'low',
      reversible: true,
      params: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          text: { type: 'string', pattern: `^${NOTE_WORDS}$` },
        },
        required: ['title'],
      },
      execute: executeInShop,
    },
    // Answers nothing of what the contract says about instruments.
    {
      kind: 'SWAP',
      effect: 'keyed',
      risk: 'low',
      reversible: true,
      params: { type: 'object', properties: { instrument: text }, required: ['instrument'] },
      execute: executeInShop,
    },
    {
      kind: 'GIFT',
      effect: 'keyed',
      risk: 'low',
      reversible: true,
      params: { type: 'object' },
      execute: executeInShop,
    },
    {
      kind: 'WIRE',
      effect: 'unsafe',
      risk: 'high',
      params: { type: 'object' },
      execute: executeInShop,
    },
  ]
}

function pay(kind: string, execute: Capability['execute'], params: JsonObject): Capability {
  return {
    kind,
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    params,
    sinks: { '/to/account': ['trusted', 'operator'] },
    measures: { amount: ({ amount }) => amount },
    exposure: { measure: 'amount', threshold: String(MUCH) },
    // Whatever its sign: the limit alone must refuse what is below nothing.
    costOf: ({ amount }) => ({ usd: String(amount).replace('-', '') }),
    compensate: () => ({ result: { returned: true } }),
    execute,
  }
}

function buy(execute: Capability['execute']): Capability {
  return {
    kind: 'BUY',
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    params: {
      type: 'object',
      properties: { instrument: text, quantity: decimal },
      required: ['instrument', 'quantity'],
    },
    scopes: { instruments: '/instrument' },
    reads: ({ instrument }) => ({ state: [`market.price.${instrument}`] }),
    measures: {
      order_value: ({ instrument, quantity }, view) => {
        const price = Number(view.state(`market.price.${instrument}`)?.value ?? Number.NaN)
        const value = price * Number(quantity)
        return Number.isFinite(value) ? value.toFixed(2) : undefined
      },
    },
    jit_fields: ['price'],
    jit: ({ instrument }) => ({
      price: { path: `market.price.${instrument}`, kind: 'telemetry' },
    }),
    execute,
  }
}

function payMany(execute: Capability['execute']): Capability {
  return {
    ...pay('PAY_MANY', execute, {
      type: 'object',
      properties: {
        payments: {
          type: 'array',
          minItems: 1,
          maxItems: 8,
          items: {
            type: 'object',
            properties: { account: text },
            required: ['account'],
            additionalProperties: false,
          },
        },
        amount: decimal,
      },
      required: ['payments', 'amount'],
      additionalProperties: false,
    }),
    sinks: { '/payments/*/account': ['trusted', 'operator'] },
  }
}

function withdraw(execute: Capability['execute']): Capability {
  return {
    kind: 'WITHDRAW',
    effect: 'keyed',
    risk: 'medium',
    reversible: true,
    params: { type: 'object', properties: { amount: decimal }, required: ['amount'] },
    measures: { amount: ({ amount }) => amount },
    exposure: { measure: 'amount', threshold: String(MUCH) },
    execute,
  }
}
