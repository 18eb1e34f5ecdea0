/**
 * Chance from a seed: xoshiro128**, seeded by splitmix32. Small, fast, and ours, so that no other
 * version of anything changes what a seed means.
 */
import type { Random } from '../../runtime/src/ports/random.ts'

export class Rng implements Random {
  readonly #state: Uint32Array = new Uint32Array(4)

  constructor(seed: number) {
    let x = seed >>> 0
    for (let i = 0; i < 4; i++) {
      x = (x + 0x9e3779b9) >>> 0
      let z = x
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
      this.#state[i] = (z ^ (z >>> 16)) >>> 0
    }
  }

  /** 32 bits. */
  drawUint32(): number {
    const s = this.#state
    const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = s
    const product = Math.imul(s1, 5)
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0
    const t2 = s2 ^ s0
    const t3 = s3 ^ s1
    s[1] = s1 ^ t2
    s[0] = s0 ^ t3
    s[2] = t2 ^ (s1 << 9)
    s[3] = (t3 << 11) | (t3 >>> 21)
    return result
  }

  /** From 0 up to, and without, 1. */
  drawUnit(): number {
    return this.drawUint32() / 0x1_0000_0000
  }

  /** An integer from 0 up to, and without, `below`. */
  drawBelow(below: number): number {
    return Math.floor(this.drawUnit() * below)
  }

  drawBetween(least: number, most: number): number {
    return least + this.drawBelow(most - least + 1)
  }

  drawChance(probability: number): boolean {
    return this.drawUnit() < probability
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.drawBelow(from.length)]
    if (picked === undefined) throw new Error('there is something to pick from')
    return picked
  }

  /** One of the names, in proportion to its weight. */
  pickWeighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const names = Object.keys(weights) as T[]
    const total = names.reduce((sum, name) => sum + weights[name], 0)
    let at = this.drawUnit() * total
    for (const name of names) {
      at -= weights[name]
      if (at < 0) return name
    }
    return this.pick(names)
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.drawUint32() >>> 24)
  }

  /** A stream of its own, so that one part's draws do not shift another's. */
  fork(): Rng {
    return new Rng(this.drawUint32())
  }
}
