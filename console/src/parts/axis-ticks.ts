/** Round numbers for an axis from zero: four steps at most, the last at or above what is shown. */
export function computeTicks(most: number): readonly number[] {
  if (!(most > 0)) return [0, 1]
  const rough = most / STEPS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, power * (ROUND.find((size) => size * power >= rough) ?? 10))
  const count = Math.ceil(most / step)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

const STEPS = 4
const ROUND: readonly number[] = [1, 2, 5, 10]
