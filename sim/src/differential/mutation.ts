/** One change of a case: made to its draft at once, or to what was derived from the draft. */
import type { Derived, Draft } from './case.ts'
import type { Chance } from './chance.ts'

export type Mutation = (draft: Draft, chance: Chance) => void

/** Changes what is known only when the whole draft is: ids, fingerprints, facts about writs. */
export const deferChange =
  (change: (derived: Derived, chance: Chance) => void): Mutation =>
  (draft, chance) => {
    // Numbers are drawn now, so that the order of changes does not matter to the history.
    const seed = chance.below(1 << 30)
    draft.late.push((derived) => change(derived, createFixedChance(seed)))
  }

/** One draw that was made earlier. */
function createFixedChance(seed: number): Chance {
  const drawBelow = (limit: number): number => seed % limit
  return {
    below: drawBelow,
    pick: <const T>(list: readonly T[]): T => list[drawBelow(list.length)] as T,
    once: (times) => drawBelow(times) === 0,
  }
}
