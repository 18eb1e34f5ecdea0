/**
 * Rules of a contract that a capability does not answer.
 *
 * A resource set is a promise only if somebody says which parameter names a resource of it, a bound
 * on movement only if somebody watches the value, a limit only if somebody computes the measure. What
 * nobody answers is not a rule that holds by itself: it refuses. A capability that touches nothing
 * needs no rules.
 */
import type { CapabilityDescription } from '../execution/capability.ts'
import { listNamedFields } from '../jit/envelope.ts'
import { isApplicable, selectEnvelope, selectResources } from './applies.ts'
import type { Contract, Limit } from './contract.ts'

export type Answers = Pick<CapabilityDescription, 'scopes' | 'measures' | 'jit_fields' | 'touches'>

/** The paths of such rules in the contract, for one kind of those that it grants. */
export function findUnansweredRules(
  contract: Contract,
  policyKind: string,
  { scopes, measures, jit_fields = [], touches }: Answers,
): readonly string[] {
  if (touches === 'none') return []
  const sets = Object.keys(selectResources(contract, policyKind))
  const bounds = Object.entries(selectEnvelope(contract, policyKind))
  const limits = contract.permissions.limits.filter(({ applies_to }) =>
    isApplicable(applies_to, policyKind),
  )
  return [
    ...sets
      .filter((set) => !Object.hasOwn(scopes, set))
      .map((set) => `permissions.resources.${set}`),
    ...bounds
      .filter(
        ([name, bound]) => !listNamedFields(name, bound).some((one) => jit_fields.includes(one)),
      )
      .map(([name]) => `jit_verification.drift_envelope.${name}`),
    ...limits
      .filter((limit) => !isMeasured(limit, measures))
      .map(({ id }) => `permissions.limits.${id}`),
  ]
}

/** A parameter and a fact are there or not, whatever the capability says. */
export function isMeasured(limit: Limit, measures: readonly string[]): boolean {
  switch (limit.kind) {
    case 'range':
    case 'set':
      return limit.measure === undefined || measures.includes(limit.measure)
    case 'ratio':
      return measures.includes(limit.measure) && measures.includes(limit.of)
    case 'state_match':
      return true
  }
}
