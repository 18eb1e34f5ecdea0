/** A rule in force, in words. */
import type { LoadedPolicy, LoadedRule } from 'rubicon-agents/client'
import type { Standing } from '../../parts/status.tsx'

/** What it does where it speaks. */
export function describeEffect({ effect, channel }: LoadedRule): {
  readonly standing: Standing
  readonly word: string
} {
  if (effect === 'permit') return { standing: 'allowed', word: 'permits' }
  if (channel === null) return { standing: 'rejected', word: 'refuses' }
  return { standing: 'waiting', word: `asks ${channel}` }
}

/** Whom it holds: what its head names, within what its policy is for. */
export function listActions(
  { applies_to }: Pick<LoadedPolicy, 'applies_to'>,
  { actions }: Pick<LoadedRule, 'actions'>,
): readonly string[] | null {
  if (actions === null) return applies_to
  return applies_to === null ? actions : actions.filter((kind) => applies_to.includes(kind))
}

/** The policies that may speak of an action. Of a policy in code nothing more is known than what it is for. */
export function listPoliciesOf(policies: readonly LoadedPolicy[], kind: string): readonly string[] {
  return policies.filter((policy) => isAbout(policy, kind)).map(({ name }) => name)
}

function isAbout(policy: LoadedPolicy, kind: string): boolean {
  const { applies_to, rules } = policy
  if (applies_to !== null && !applies_to.includes(kind)) return false
  return rules.length === 0 || rules.some(({ actions }) => actions?.includes(kind) ?? true)
}
