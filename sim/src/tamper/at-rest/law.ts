/** Who acts at the site whose database somebody else holds, and what they can do. */
import type { JsonObject } from 'rubicon-kernel'
import { type Capability, NotApplied } from '../../../../runtime/src/ports/capability.ts'
import type { DeclaredSource } from '../../../../runtime/src/ports/fact-source.ts'

export const PEOPLE: readonly string[] = ['ann@example.com', 'bob@example.com']

const COMMON: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2020-01-01',
  role: 'EXECUTOR',
  authority: 'EXECUTE_LIMITED',
  mission: 'pay what is owed',
}

const KINDS = ['LOOKUP', 'PAY', 'ORDER', 'WIRE', 'TRADE']

const BUDGETS: JsonObject = {
  budget_per_flow: { usd: '100', tokens: '100000' },
  budget_per_agent: { window_s: 604_800, usd: '100000' },
}

function buildContract(agent_id: string, change: JsonObject = {}): JsonObject {
  const safety_rules = BUDGETS
  return { ...COMMON, agent_id, permissions: { policy_kinds: KINDS }, safety_rules, ...change }
}

/** The one above comes first. */
export const CONTRACTS: readonly JsonObject[] = [
  buildContract('lead', {
    permissions: { policy_kinds: [...KINDS, 'SPAWN_CHILD', 'SPAWN_INSTANCE', 'COMPENSATE'] },
  }),
  buildContract('payer', { parent_agent: 'lead' }),
  buildContract('mason', { parent_agent: 'lead', compensation: ['REVERT'] }),
  buildContract('asker', { safety_rules: { ...BUDGETS, requires_human_approval: ['PAY'] } }),
  buildContract('pair', {
    safety_rules: {
      ...BUDGETS,
      requires_human_approval: ['PAY'],
      approvers: { needs: 2, of: [...PEOPLE] },
    },
  }),
  buildContract('trader', {
    permissions: {
      policy_kinds: KINDS,
      limits: [{ id: 'open', kind: 'state_match', field: 'market.status', expected: 'open' }],
    },
  }),
]

export const MONITOR: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'Monitor',
  name: 'mean_amount',
  agents: ['payer'],
  statistic: { kind: 'mean', value: 'param:amount', max: '1000' },
  window: { executions: 100 },
  min_samples: 50,
}

export const SOURCES: readonly DeclaredSource[] = [
  { source_id: 'exchange', label: 'trusted', paths: ['market.*'] },
]

const params: JsonObject = {
  type: 'object',
  properties: { amount: { type: 'string', pattern: '^[0-9]{1,4}$' }, to: { type: 'string' } },
  required: ['amount', 'to'],
  additionalProperties: false,
}

/** The outside: what was applied under which key, however often a runtime is started. */
export class Outside {
  readonly #applied = new Map<string, number>()

  /** Whoever is called `lost` never hears the answer, `nobody` cannot be paid. */
  apply(key: string, to: string): void {
    if (to.startsWith('nobody')) throw new NotApplied('there is no such payee')
    this.#applied.set(key, (this.#applied.get(key) ?? 0) + 1)
    if (to.startsWith('lost')) throw new Error('the answer was lost')
  }

  copy(): Outside {
    const copy = new Outside()
    for (const [key, times] of this.#applied) copy.#applied.set(key, times)
    return copy
  }

  has(key: string): boolean {
    return this.#applied.has(key)
  }

  /** A keyed provider would have noticed; this one counts. */
  get twice(): number {
    return [...this.#applied.values()].filter((times) => times > 1).length
  }
}

export function buildSiteCapabilities(outside: Outside): readonly Capability[] {
  const toEffect = (to: string, key: string, amount: unknown) => ({
    result: { to, amount: String(amount) },
    receipt: { of: key.slice(0, 12) },
    delta: [
      { op: 'create', kind: 'payment', id: key.slice(0, 24), value: String(amount) },
    ] as const,
  })
  const common = {
    risk: 'low',
    reversible: true,
    params,
    sendDeadlineMs: 5_000,
    execute: ({ params: { to, amount } }, { idempotencyKey: key }) => {
      outside.apply(key, String(to))
      return toEffect(String(to), key, amount)
    },
  } as const satisfies Partial<Capability>
  const measures = { amount: ({ amount }: JsonObject) => amount }
  const computeCost = ({ amount }: JsonObject) => ({ usd: String(amount) })
  const listNeeds = ({ to }: JsonObject) => [
    { id: `payee:${String(to)}`, amount: '1', capacity: '3' },
  ]
  return [
    { ...common, kind: 'LOOKUP', effect: 'read' },
    {
      ...common,
      kind: 'PAY',
      effect: 'keyed',
      idempotency: { carrier: 'header', window_s: 86_400 },
      measures,
      costOf: computeCost,
      compensate: () => ({ result: 'taken back' }),
    },
    {
      ...common,
      kind: 'ORDER',
      effect: 'queryable',
      costOf: computeCost,
      resources: listNeeds,
      probe: {
        absence_authoritative: true,
        max_late_arrival_s: 2,
        ask: ({ params: { to, amount } }, { idempotencyKey: key }) =>
          outside.has(key)
            ? { finding: 'applied', effect: toEffect(String(to), key, amount) }
            : { finding: 'absent' },
      },
    },
    { ...common, kind: 'WIRE', effect: 'unsafe', costOf: computeCost, resources: listNeeds },
    {
      ...common,
      kind: 'TRADE',
      effect: 'keyed',
      idempotency: { carrier: 'header', window_s: 3600 },
    },
  ]
}
