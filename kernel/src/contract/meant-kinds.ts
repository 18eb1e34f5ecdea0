/** Reads `applies_to`: the kinds that a rule of a contract is about. */
import type { Contract } from './contract.ts'
import { kinds } from './read-list.ts'
import { describeValue, type Place, type Read } from './reader.ts'

/** The kinds that a contract speaks of. */
export type NamedKinds = Pick<Contract['permissions'], 'forbidden_kinds' | 'policy_kinds'>

/** A rule for no kind at all would look like a rule and be none. */
export const readSomeKinds: Read<readonly string[]> = (value, place) => {
  const list = kinds(value, place)
  if (Array.isArray(value) && value.length === 0) place.refuse('must name at least one kind')
  return list
}

/**
 * A misspelt kind would leave a rule that never applies. `place` is that of the rule. A forbidden kind may be named, so that its
 * bounds are there before somebody allows it.
 */
export function checkMeant(
  applies_to: readonly string[] | undefined,
  { policy_kinds, forbidden_kinds }: NamedKinds,
  place: Place,
): void {
  applies_to?.forEach((kind, nth) => {
    if (kind === '' || policy_kinds.includes(kind) || forbidden_kinds.includes(kind)) return
    place
      .stepInto('applies_to')
      .stepInto(nth)
      .refuse(`${describeValue(kind)} is not a kind of this contract`)
  })
}
