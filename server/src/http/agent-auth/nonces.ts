/**
 * Which requests of agents were seen, for as long as their signatures are young enough to count.
 *
 * Boundary: it remembers in this process. Whoever starts later knows nothing of before, and takes
 * nothing that was signed before.
 *
 * N1 what was taken is not taken again while it counts.
 * N2 an agent has room for so many; one more is not taken.
 */
import { LIMITS } from 'rubicon-kernel'

export type Taken = 'new' | 'known' | 'full'

/** A signature counts for so long on either side of now, and is forgotten in spans of that length. */
const SPAN = LIMITS.proofMs / 1000

export class Nonces {
  /** By the span in which it was signed, then by agent. */
  readonly #spans = new Map<number, Map<string, Set<string>>>()

  has(agent: string, created: number, nonce: string): boolean {
    return this.#spans.get(toSpan(created))?.get(agent)?.has(nonce) === true
  }

  /** `now` in seconds, like `created`. */
  take(agent: string, created: number, nonce: string, now: number): Taken {
    this.#forget(toSpan(now) - 1)
    if (this.has(agent, created, nonce)) return 'known'
    if (this.#count(agent) >= LIMITS.proofNonces) return 'full'
    const span = this.#spans.get(toSpan(created)) ?? new Map<string, Set<string>>()
    const seen = span.get(agent) ?? new Set<string>()
    this.#spans.set(toSpan(created), span.set(agent, seen.add(nonce)))
    return 'new'
  }

  #count(agent: string): number {
    const spans = [...this.#spans.values()]
    return spans.reduce((sum, span) => sum + (span.get(agent)?.size ?? 0), 0)
  }

  #forget(before: number): void {
    for (const span of this.#spans.keys()) if (span < before) this.#spans.delete(span)
  }
}

function toSpan(seconds: number): number {
  return Math.floor(seconds / SPAN)
}
