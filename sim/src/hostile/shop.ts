/**
 * What is attacked: a shop whose agents buy and pay. Contracts and capabilities are ordinary; the truth
 * about prices, accounts and people stands here, so that the judge need not believe the runtime.
 */
import { type Contract, type JsonObject, type JsonValue, parseContract } from 'rubicon-kernel'

export const MALLORY = 'mallory'
export const VICTIM = 'victim'
export const BOSS = 'boss'
/** With mallory; nobody is named who has to approve what she asks. */
export const TRUDY = 'trudy'
/** Above both, and no better. */
export const LEAD = 'lead'
export const HOSTILE: readonly string[] = [MALLORY, TRUDY, LEAD]
export const EVERYBODY: readonly string[] = [LEAD, BOSS, MALLORY, TRUDY, VICTIM]

export const OWNER = 'olga@example.com'
export const ANN = 'ann@example.com'
/** Another login of the same human. */
export const ANNS_PHONE = 'ann.phone@example.com'
export const BOB = 'bob@example.com'
export const PEOPLE: readonly string[] = [OWNER, ANN, ANNS_PHONE, BOB]

export const PRICES: Readonly<Record<string, number>> = {
  'ETH-USD': 100,
  'BTC-USD': 50_000,
  'DOGE-USD': 1,
}
export const INSTRUMENTS: readonly string[] = ['ETH-USD', 'BTC-USD']
export const ACCOUNTS: Readonly<Record<string, string>> = { supplier: 'DE-111', landlord: 'DE-222' }
export const MAX_ORDER = 50_000
export const MAX_PAY = 500
/** Above it somebody is asked. */
export const ASKED_FROM = 100
/** Above it nobody approves for an agent of his own. */
export const MUCH = 400
export const FLOW_USD = 500
export const AGENT_USD = 900
export const WINDOW_S = 3600
/** What notes are made of. */
export const NOTE_WORDS = '(?:(?:note|memo|shelf|paper) ?)*'

export type Sent = {
  readonly kind: string
  readonly params: JsonObject
  readonly agent: string
  readonly dfid: string
  readonly step: string
  /** By a process whose rules are not those of the shop. */
  readonly second?: true
}

export type SourceFact = { readonly path: string; readonly value: JsonValue }

/** What is so outside, by the path under which it is known. */
export function listTrueFacts(secret: string): readonly SourceFact[] {
  return [
    ...Object.entries(PRICES).map(([name, price]) => ({
      path: `market.price.${name}`,
      value: String(price),
    })),
    ...Object.entries(ACCOUNTS).map(([name, value]) => ({ path: `accounts.${name}`, value })),
    ...EVERYBODY.map((agent) => ({ path: `agent.${agent}.drawdown_pct`, value: '1' })),
    { path: 'vault.code', value: secret },
  ]
}

const BUSINESS = ['BUY', 'SWAP', 'PAY', 'PAY_MANY', 'WITHDRAW', 'NOTE']

const KINDS: Readonly<Record<string, readonly string[]>> = {
  [MALLORY]: [...BUSINESS, 'SPAWN_CHILD', 'SPAWN_INSTANCE', 'COMPENSATE', 'RESOLVE_ESCALATION'],
  [TRUDY]: [...BUSINESS],
  [VICTIM]: [...BUSINESS, 'SPAWN_CHILD', 'COMPENSATE'],
  [BOSS]: [...BUSINESS, 'RESOLVE_ESCALATION', 'COMPENSATE'],
  [LEAD]: [...BUSINESS, 'RESOLVE_ESCALATION', 'COMPENSATE'],
}

/** To whom mallory may hand work. */
export const HANDED_TO: JsonObject = {
  id: 'handed_to',
  field: '/agent',
  allowed: [MALLORY, TRUDY],
  applies_to: ['SPAWN_CHILD'],
}

const PARENTS: Readonly<Record<string, string>> = { [MALLORY]: LEAD, [TRUDY]: LEAD, [VICTIM]: BOSS }

export function buildShopContract(agent: string, version = '1.0.0'): Contract {
  const asks = PARENTS[agent] !== undefined
  const document: JsonObject = {
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id: agent,
    version,
    owner: OWNER,
    effective_from: '2026-01-01',
    role: 'EXECUTOR',
    authority: 'EXECUTE_LIMITED',
    ...(PARENTS[agent] === undefined ? {} : { parent_agent: PARENTS[agent] }),
    mission: `${agent} keeps the shop supplied`,
    permissions: {
      policy_kinds: [...(KINDS[agent] ?? [])],
      forbidden_kinds: ['WIRE'],
      instruments: { allow: [...INSTRUMENTS], applies_to: ['BUY', 'SWAP'] },
      limits: [
        { id: 'order', measure: 'order_value', max: String(MAX_ORDER), applies_to: ['BUY'] },
        { id: 'title', field: '/title', allowed: [`re:${NOTE_WORDS}`], applies_to: ['NOTE'] },
        { id: 'pay', measure: 'amount', max: String(MAX_PAY), applies_to: ['PAY', 'PAY_MANY'] },
        ...(agent === MALLORY ? [HANDED_TO] : []),
        ...(asks
          ? [
              {
                id: 'ask',
                measure: 'amount',
                max: String(ASKED_FROM),
                on_breach: 'escalate',
                applies_to: ['PAY', 'PAY_MANY'],
              },
            ]
          : []),
      ],
      reads: [
        'market.*',
        'accounts.*',
        'claims.*',
        'escalation.*',
        ...(agent === VICTIM ? ['vault.*', 'agent.*', 'kernel.*'] : []),
      ],
    },
    safety_rules: {
      requires_human_approval: ['WITHDRAW'],
      ...(agent === MALLORY ? { approvers: { needs: 2, of: [...PEOPLE] } } : {}),
      max_drawdown_limit_pct: '4',
      budget_per_flow: { usd: String(FLOW_USD), tokens: 10_000 },
      budget_per_agent: { window_s: WINDOW_S, usd: String(AGENT_USD) },
      escalations_per_hour: 50,
      max_intent_retries: 3,
    },
    jit_verification: {
      drift_envelope: { price_pct: { max: '1', applies_to: ['BUY'] } },
      max_context_age_seconds: 600,
    },
    compensation: ['REVERT'],
  }
  const contract = parseContract(document)
  if (!contract.ok) throw new Error(JSON.stringify(contract.error))
  return contract.value
}
