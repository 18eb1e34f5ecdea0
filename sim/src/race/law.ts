/** What the racers are allowed: one agent, one action, a pool of 1,000 and a budget of 1,000. */
import type { JsonObject } from 'rubicon-kernel'
import type { Capability, Effect } from '../../../runtime/src/ports/capability.ts'

export const AGENT = 'racer'
export const POOL = '1000'
export const SHARE = '10'

export const CONTRACT: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  agent_id: AGENT,
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-01-01',
  role: 'EXECUTOR',
  authority: 'EXECUTE_FULL',
  mission: 'Take what there is, and not more.',
  permissions: { policy_kinds: ['TAKE', 'SPEND'] },
  safety_rules: { budget_per_flow: { calls: '100000', usd: POOL }, rejections_per_hour: 1_000_000 },
}

/** `TAKE` holds a share of the pool until it is answered; `SPEND` spends of its writ. */
export function buildRacerCapabilities(
  answer: () => Promise<Effect> | Effect,
): readonly Capability[] {
  const common = {
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    idempotency: { carrier: 'header', window_s: 86_400 },
    params: { type: 'object' },
    execute: answer,
  } as const
  return [
    {
      ...common,
      kind: 'TAKE',
      resources: () => [{ id: 'pool', amount: SHARE, capacity: POOL }],
    },
    { ...common, kind: 'SPEND', cost: { usd: SHARE } },
  ]
}
