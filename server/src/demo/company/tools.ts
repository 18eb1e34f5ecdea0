/** What the agents of the demo can do. */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { isObject } from 'rubicon-kernel'
import { type Capability, type Effect, NotApplied } from 'rubicon-runtime/ports'
import { refundCapability } from '../refunds.ts'
import { type Outside, toPricePath } from './outside.ts'

export function createCompanyTools(outside: Outside): readonly Capability[] {
  return [
    refundCapability([]),
    REPLY,
    OFFER,
    SET_BUDGET,
    createDeployTool(outside),
    createSellTool(outside),
    createBuyTool(outside),
    PAY_INVOICE,
  ]
}

const AMOUNT = { type: 'string', pattern: '^[0-9]{1,7}(\\.[0-9]{2})?$' } as const
const NAME = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' } as const

function buildParams(properties: JsonObject): JsonObject {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

const REPLY: Capability = {
  kind: 'REPLY',
  summary: 'answer a customer',
  effect: 'keyed',
  risk: 'low',
  reversible: true,
  touches: 'none',
  params: buildParams({ ticket: NAME, text: { type: 'string', maxLength: 500 } }),
  execute: ({ params: { ticket } }) => ({ result: { sent: `message for ${ticket}` } }),
}

const OFFER: Capability = {
  kind: 'OFFER',
  summary: 'offer a discount to a customer who wants to leave',
  effect: 'keyed',
  risk: 'low',
  reversible: true,
  params: buildParams({ ticket: NAME, discount: { type: 'string', pattern: '^0\\.[0-9]{2}$' } }),
  measures: { discount: ({ discount }) => discount },
  execute: ({ params: { ticket, discount } }) => ({ result: { ticket, discount } as JsonObject }),
}

const SET_BUDGET: Capability = {
  kind: 'SET_BUDGET',
  summary: 'set what a campaign may spend in a day',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  params: buildParams({ campaign: NAME, usd: AMOUNT }),
  scopes: { campaigns: '/campaign' },
  measures: { usd: ({ usd }) => usd },
  exposure: { measure: 'usd', threshold: '5000.00' },
  reads: ({ campaign }) => ({ world: [{ kind: 'campaign', id: String(campaign) }] }),
  preview: ({ campaign, usd = null }, view) => [
    {
      subject: `campaign ${campaign}`,
      field: 'budget a day',
      before: readBudget(view.world('campaign', String(campaign))?.value),
      after: usd,
      unit: 'USD',
    },
  ],
  execute({ params: { campaign, usd = null } }, { world }) {
    const id = String(campaign)
    const held = world('campaign', id)
    const value = { usd }
    return {
      result: { campaign: id, usd },
      delta: [
        held?.value === undefined
          ? { op: 'create', kind: 'campaign', id, value }
          : { op: 'replace', kind: 'campaign', id, expected_version: held.version, value },
      ],
    }
  },
}

function readBudget(value: JsonValue | undefined): JsonValue {
  return isObject(value) ? (value.usd ?? null) : null
}

/** Of this one the cluster never says whether it runs. */
export const MUTE_VERSION = '9.0.0'

/** It can be asked about afterwards, and rolled back. */
function createDeployTool(outside: Outside): Capability {
  return {
    kind: 'DEPLOY',
    summary: 'bring a version of a service into an environment',
    effect: 'queryable',
    risk: 'high',
    reversible: true,
    params: buildParams({
      service: NAME,
      version: NAME,
      environment: { type: 'string', enum: ['staging', 'production'] },
    }),
    scopes: { services: '/service' },
    measures: { production: ({ environment }) => (environment === 'production' ? '1' : '0') },
    resources: ({ service, environment }) => [{ id: `${environment}:${service}`, amount: '1' }],
    preview: ({ service, version = null, environment }) => [
      { subject: `${service} in ${environment}`, field: 'version', before: null, after: version },
    ],
    execute({ params }) {
      if (outside.losesAnswer) throw new Error('the connection to the cluster was reset')
      return buildDeployment(params)
    },
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 30,
      ask: ({ params }) =>
        params.version === MUTE_VERSION
          ? { finding: 'inconclusive', detail: 'the cluster does not list what it starts' }
          : { finding: 'applied', effect: buildDeployment(params) },
    },
    compensate: ({ params: { service } }) => ({ result: { rolled_back: service ?? null } }),
  }
}

function buildDeployment({ service, version, environment }: JsonObject): Effect {
  return { result: { running: `${service} ${version} in ${environment}` } }
}

const TRADE = buildParams({
  currency: { type: 'string', enum: ['EUR', 'GBP', 'JPY'] },
  usd: AMOUNT,
})

const trade = {
  risk: 'medium',
  params: TRADE,
  scopes: { currencies: '/currency' },
  measures: { order_usd: ({ usd }: JsonObject) => usd },
  costOf: ({ usd }: JsonObject) => ({ order_usd: String(usd) }),
  exposure: { measure: 'order_usd', threshold: '20000.00' },
  jit_fields: ['price'],
  jit: ({ currency }: JsonObject) => ({
    price: { path: toPricePath(String(currency)), kind: 'telemetry' as const },
  }),
} as const

const PAY_INVOICE: Capability = {
  ...trade,
  kind: 'PAY_INVOICE',
  summary: 'pay a supplier',
  effect: 'keyed',
  params: buildParams({
    supplier: NAME,
    currency: { type: 'string', enum: ['EUR', 'GBP', 'JPY'] },
    usd: AMOUNT,
  }),
  execute: ({ params: { supplier, usd } }) => ({ result: { paid: `${usd} USD to ${supplier}` } }),
}

function createSellTool(outside: Outside): Capability {
  return {
    ...trade,
    kind: 'SELL',
    summary: 'sell a currency for dollars',
    effect: 'queryable',
    reversible: true,
    execute({ params }) {
      if (outside.losesAnswer) throw new Error('the exchange did not answer')
      return buildTrade(params)
    },
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 30,
      ask: ({ params }) => ({ finding: 'applied', effect: buildTrade(params) }),
    },
    compensate: ({ params: { currency } }) => ({ result: { bought_back: currency ?? null } }),
  }
}

function createBuyTool(outside: Outside): Capability {
  return {
    ...trade,
    kind: 'BUY',
    summary: 'buy a currency with dollars',
    effect: 'keyed',
    reversible: true,
    execute({ params }) {
      if (outside.hasNoOffers) throw new NotApplied('nobody sells it at this price')
      return buildTrade(params)
    },
  }
}

function buildTrade({ currency, usd }: JsonObject): Effect {
  return { result: { filled: `${usd} USD of ${currency}` } }
}
