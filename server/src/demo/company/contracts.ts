/** A small company: seven agents at work, one above them that decides what it may, and people for the rest. */
import type { Contract, JsonObject } from 'rubicon-kernel'
import { buildContract } from '../contract.ts'

export const LEAD = 'operations_lead'
export const REFUNDS = 'refunds'
export const DEPLOYER = 'deployer'
export const TRADER = 'treasury'
export const MARKETING = 'marketing'
export const SUPPORT = 'support_desk'
export const LOYALTY = 'loyalty'
export const ANALYST = 'analyst'

/** What they were before they heard of alarms, paid invoices and had budgets was 1.0.0; whoever has it gets the next version. */
const SECOND: JsonObject = { version: '1.1.0' }

/** An error rate of the shop that is worth somebody's attention. */
const ALARMS: JsonObject = {
  subscriptions: [{ topic: 'shop.error_rate', wake_if: { above: '2' } }],
  reads: ['shop.*'],
}

/** Whoever looks at the demo sees it for hours: what would stop an agent that asks so often is raised. */
const WATCHED: JsonObject = { escalations_per_hour: 1_000, rejections_per_hour: 10_000 }

/** Of whoever trades: what one job may move. */
const JOB: JsonObject = { calls: '100', order_usd: '100000.00' }

export function buildCompanyContracts(): readonly Contract[] {
  return [buildLead(), ...buildWorkers(), buildLoyalty(), buildAnalyst()]
}

function buildLead(): Contract {
  return buildContract(LEAD, ['REFUND', 'SELL', 'BUY', 'RESOLVE_ESCALATION', 'COMPENSATE'], {
    ...SECOND,
    role: 'STRATEGIST',
    mission: 'Decide small exceptions quickly, and put right what was left half done.',
    permissions: {
      currencies: { allow: ['EUR', 'GBP', 'JPY'], applies_to: ['SELL', 'BUY'] },
      limits: [{ id: 'own', measure: 'refund_usd', max: '1000.00', applies_to: ['REFUND'] }],
    },
    compensation: ['REVERT', 'ALERT_HUMAN'],
    safety_rules: { ...WATCHED, budget_per_flow: JOB },
  })
}

function buildWorkers(): readonly Contract[] {
  return [
    buildContract(REFUNDS, ['REFUND'], {
      ...SECOND,
      parent_agent: LEAD,
      mission: 'Give customers back what they are owed, and not a cent more.',
      permissions: {
        limits: [
          { id: 'alone', measure: 'refund_usd', max: '500.00', on_breach: 'escalate' },
          { id: 'ever', measure: 'refund_usd', max: '5000.00' },
        ],
      },
      aggregate_thresholds: { max_average_refund_usd_20x: '400.00' },
      safety_rules: WATCHED,
    }),
    buildContract(DEPLOYER, ['DEPLOY'], {
      ...SECOND,
      priority: 10,
      mission: 'Bring what passed its tests to customers, at hours when somebody is awake.',
      permissions: {
        ...ALARMS,
        services: { allow: ['shop', 'checkout', 'search', 'mailer'] },
        limits: [{ id: 'production', measure: 'production', max: '0', on_breach: 'escalate' }],
      },
      safety_rules: WATCHED,
    }),
    buildContract(TRADER, ['SELL', 'BUY', 'PAY_INVOICE'], {
      ...SECOND,
      parent_agent: LEAD,
      mission: 'Keep three months of supplier invoices covered in their currencies.',
      permissions: {
        currencies: { allow: ['EUR', 'GBP'] },
        limits: [{ id: 'order', measure: 'order_usd', max: '50000.00' }],
        reads: ['market.*'],
      },
      aggregate_thresholds: { max_average_order_usd_10x: '7000.00' },
      jit_verification: { drift_envelope: { price_pct: '0.5' } },
      compensation: ['REVERT', 'ALERT_HUMAN'],
      safety_rules: {
        ...WATCHED,
        budget_per_flow: JOB,
        budget_per_agent: { window_s: 86_400, order_usd: '1000000.00' },
      },
    }),
    buildContract(MARKETING, ['SET_BUDGET'], {
      ...SECOND,
      mission: 'Spend on campaigns that bring in more than they cost.',
      permissions: {
        ...ALARMS,
        campaigns: { allow: ['spring*', 'brand', 'retargeting'] },
        limits: [
          { id: 'alone', measure: 'usd', max: '2000.00', on_breach: 'escalate' },
          { id: 'ever', measure: 'usd', max: '20000.00' },
        ],
      },
      aggregate_thresholds: { max_average_usd_5x: '4000.00' },
      safety_rules: WATCHED,
    }),
    buildContract(SUPPORT, ['REPLY', 'OFFER'], {
      ...SECOND,
      mission: 'Answer every customer within the hour; keep those who want to leave.',
      permissions: {
        ...ALARMS,
        limits: [{ id: 'offer', measure: 'discount', max: '0.15', applies_to: ['OFFER'] }],
      },
      aggregate_thresholds: { max_average_discount_10x: '0.10' },
      safety_rules: WATCHED,
    }),
  ]
}

/** Its monitor stops it, and nobody starts it again: that is for whoever looks. */
function buildLoyalty(): Contract {
  return buildContract(LOYALTY, ['OFFER'], {
    parent_agent: LEAD,
    mission: 'Thank good customers, so that they come back.',
    permissions: { limits: [{ id: 'offer', measure: 'discount', max: '0.15' }] },
    aggregate_thresholds: { max_average_discount_5x: '0.12' },
    safety_rules: WATCHED,
  })
}

/** Nine answers of ten in a month are given: its budget is nearly used up when somebody looks. */
function buildAnalyst(): Contract {
  return buildContract(ANALYST, ['REPLY'], {
    mission: 'Answer questions about the figures of the shop.',
    safety_rules: { ...WATCHED, budget_per_agent: { window_s: 30 * 86_400, calls: 10 } },
  })
}
