/** The base case as a proposal of a reserved kind, under rules that have hands for it. */
import type { JsonObject } from '../canonical/json-value.ts'
import type { CasePatch } from './case.test-support.ts'

export function reserved(policy_kind: string, more: CasePatch = {}): CasePatch {
  const { proposal = {}, contract = {}, writ = {}, description = {}, ...rest } = more
  return {
    capability: 'reserved',
    description: {
      kind: policy_kind,
      ...RESERVED,
      ...description,
    },
    contract: { permissions: { policy_kinds: [policy_kind] }, ...contract },
    writ: { scopes: [{ kind: policy_kind }], ...writ },
    proposal: { policy_kind, grounds: null, ...proposal },
    ...rest,
  }
}

const RESERVED: JsonObject = {
  effect: 'put_if_match',
  reversible: true,
  risk: 'low',
  world_only: true,
  reducing: true,
  measures: [],
  scopes: { instruments: null },
  sinks: { '/account': null },
  cost: { usd: null },
}
