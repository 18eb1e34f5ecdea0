/** Whole numbers below a bound, the same for the same seed. */
export function seededDraws(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    // A linear congruential generator is random enough to choose what to damage.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
