/** What a capability needs of a writ's ceiling, which follows from how its effect behaves. */
import type { CapabilityDescription } from '../execution/capability.ts'
import type { EffectCeiling } from './writ.ts'

export type CeilingFlag = keyof EffectCeiling

export const CEILING_FLAGS: readonly CeilingFlag[] = ['read', 'write', 'external', 'irreversible']

type Effect = Pick<CapabilityDescription, 'effect' | 'world_only' | 'reversible'>

/** A read leaves nothing behind, so there is nothing that could be irreversible. */
export function deriveNeededCeiling({ effect, world_only, reversible }: Effect): EffectCeiling {
  if (effect === 'read') return { read: true, write: false, external: false, irreversible: false }
  return { read: false, write: true, external: !world_only, irreversible: !reversible }
}

/** Null when the ceiling is high enough, else what is missing. */
export function findMissingCeiling(
  ceiling: EffectCeiling,
  description: Effect,
): readonly CeilingFlag[] | null {
  const needed = deriveNeededCeiling(description)
  const missing = CEILING_FLAGS.filter((flag) => needed[flag] && !ceiling[flag])
  return missing.length === 0 ? null : missing
}
