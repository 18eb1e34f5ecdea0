/** Numbers from a seed (mulberry32): one seed, one history. */
export type Chance = {
  /** A whole number below `limit`. */
  below(limit: number): number
  /** One of a list that is not empty. */
  pick<const T>(list: readonly T[]): T
  /** True once in `times`. */
  once(times: number): boolean
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const drawUint32 = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const drawBelow = (limit: number): number => Math.floor((drawUint32() / 0x1_0000_0000) * limit)
  return {
    below: drawBelow,
    pick: <const T>(list: readonly T[]): T => list[drawBelow(list.length)] as T,
    once: (times) => drawBelow(times) === 0,
  }
}
