/** Problems as they are found: each once, no more than are reported, in an order that does not depend on how claims were given. */
import type { ClaimSet } from './claim.ts'
import { COMPOSITION_LIMITS } from './limits.ts'
import type { CompositionProblem } from './problem.ts'

export class Findings {
  readonly #found = new Map<string, CompositionProblem>()

  add(problem: CompositionProblem): void {
    const { kind, between, artifact, path } = problem
    const place = JSON.stringify([kind, between, artifact, path])
    if (!this.isFull() && !this.#found.has(place)) this.#found.set(place, problem)
  }

  /** Nothing more is looked for. */
  isFull(): boolean {
    return this.#found.size >= COMPOSITION_LIMITS.problems
  }

  hasBetween(one: ClaimSet, other: ClaimSet): boolean {
    const keys = JSON.stringify(toKeys(one, other))
    return [...this.#found.values()].some(({ between }) => JSON.stringify(between) === keys)
  }

  list(): readonly CompositionProblem[] {
    return [...this.#found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
  }
}

export function toKeys(one: ClaimSet, other: ClaimSet): readonly string[] {
  return one.key <= other.key ? [one.key, other.key] : [other.key, one.key]
}
