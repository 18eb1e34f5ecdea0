/** Who acts in the kill test, and under which rules. */
import type { JsonObject, TopicRow } from 'rubicon-kernel'
import { createCanary } from '../canary.ts'

/** One for every job that is half done: an agent with one does nothing else. */
export const MASONS: readonly string[] = ['mason-1', 'mason-2', 'mason-3', 'mason-4']
export const RUNNERS: readonly string[] = ['runner-1', 'runner-2', 'runner-3', 'runner-4']
export const LEAD = 'lead'
/** They answer the same alarms; one of each is carried out. */
export const RIVALS: readonly string[] = ['rival-1', 'rival-2', 'rival-3']
export const ALARM = 'alarm'
/** Under load agents are slow; the window ends when all of them have spoken. */
export const TOPICS: readonly TopicRow[] = [{ topic: ALARM, arbitration: { window_ms: 2_000 } }]

const COMMON: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2020-01-01',
  role: 'EXECUTOR',
  authority: 'EXECUTE_LIMITED',
  mission: `survive ${createCanary('mission')}`,
}

const KINDS = ['LOOKUP', 'PAY', 'ORDER', 'WIRE']
const BUDGET: JsonObject = {
  budget_per_flow: { usd: '100' },
  escalations_per_hour: 1_000_000,
  rejections_per_hour: 1_000_000,
}

function buildContract(agent_id: string, change: JsonObject = {}): JsonObject {
  return {
    ...COMMON,
    agent_id,
    permissions: { policy_kinds: KINDS },
    safety_rules: BUDGET,
    ...change,
  }
}

/** In the order in which they are deployed: the one above comes first. */
export const CONTRACTS: readonly JsonObject[] = [
  buildContract(LEAD, {
    permissions: { policy_kinds: [...KINDS, 'RESOLVE_ESCALATION', 'COMPENSATE'] },
    compensation: ['REVERT'],
  }),
  ...RUNNERS.map((runner) => buildContract(runner)),
  buildContract('spare'),
  buildContract('asker', { safety_rules: { ...BUDGET, requires_human_approval: ['PAY'] } }),
  buildContract('child', {
    parent_agent: LEAD,
    permissions: {
      policy_kinds: KINDS,
      limits: [{ id: 'alone', measure: 'amount', max: '10', on_breach: 'escalate' }],
    },
  }),
  ...MASONS.map((mason) => buildContract(mason, { parent_agent: LEAD, compensation: ['REVERT'] })),
  buildContract('watched'),
  ...RIVALS.map((rival, index) =>
    buildContract(rival, {
      priority: 10 + index,
      permissions: { policy_kinds: KINDS, subscriptions: [{ topic: ALARM }] },
    }),
  ),
]

/** The second large payment in a row stops who makes it. */
export const MONITOR: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'Monitor',
  name: 'mean_amount',
  agents: ['watched'],
  statistic: { kind: 'mean', value: 'measure:amount', max: '20' },
  window: { executions: 2 },
  min_samples: 2,
}
