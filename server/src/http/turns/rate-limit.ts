/**
 * How much anybody may ask: a bucket for each name, which fills by itself and holds so much at most.
 *
 * Boundary: it only counts. It knows no more names than it may remember; whoever was silent while so many
 * others asked is forgotten, which gives them a full bucket again and nobody else theirs.
 */
import type { Clock } from 'rubicon-runtime/ports'
import { Recent } from 'rubicon-runtime/recent'

export type Rate = { readonly perSecond: number; readonly atOnce: number }

/** Of local operators: whoever holds the machine is kept from nothing. */
export const NO_LIMIT: Rate = {
  perSecond: Number.MAX_SAFE_INTEGER,
  atOnce: Number.MAX_SAFE_INTEGER,
}

type Bucket = { level: number; at: number }

export class RateLimit {
  readonly #rate: Rate
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #buckets: Recent<Bucket>

  constructor(rate: Rate, most: number, clock: Pick<Clock, 'monotonic'>) {
    this.#rate = rate
    this.#buckets = new Recent(most)
    this.#clock = clock
  }

  /** False: it has asked too much. `count`: of what comes as one and is many, all or none. */
  take(name: string, count = 1): boolean {
    const bucket = this.#computeBucket(name)
    this.#buckets.set(name, bucket)
    if (bucket.level < count) return false
    bucket.level -= count
    return true
  }

  /** Nothing is charged: it only says whether the next would be refused, behind so many that are to be charged. */
  isEmpty(name: string, before = 0): boolean {
    return this.#computeBucket(name).level < before + 1
  }

  /** More of them at the same time no bucket can hold. */
  get atOnce(): number {
    return this.#rate.atOnce
  }

  #computeBucket(name: string): Bucket {
    const now = this.#clock.monotonic()
    const { perSecond, atOnce } = this.#rate
    const known = this.#buckets.get(name)
    if (known === undefined) return { level: atOnce, at: now }
    const level = Math.min(atOnce, known.level + ((now - known.at) / 1000) * perSecond)
    return { level, at: now }
  }
}
