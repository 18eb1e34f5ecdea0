/** Problems as they are found: each once, no more than are reported, in an order that does not depend on how claims were given. */
import type { ClaimSet } from './claim.ts'
import { COMPOSITION_LIMITS } from './limits.ts'
import type { CompositionProblem } from './problem.ts'

export class ProblemList {
  readonly #found = new Map<string, CompositionProblem>()
  readonly #between = new Set<string>()

  add(problem: CompositionProblem): void {
    const { kind, between, artifact, path } = problem
    const place = JSON.stringify([kind, between, artifact, path])
    const known = this.#found.get(place)
    if (known === undefined ? this.isFull() : toText(known) <= toText(problem)) return
    this.#found.set(place, problem)
    this.#between.add(JSON.stringify(between))
  }

  /** Nothing more is looked for. */
  isFull(): boolean {
    return this.#found.size >= COMPOSITION_LIMITS.problems
  }

  hasBetween(one: ClaimSet, other: ClaimSet): boolean {
    return this.#between.has(JSON.stringify(toKeys(one, other)))
  }

  list(): readonly CompositionProblem[] {
    return [...this.#found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
  }
}

/** Of two that say the same, the one that comes first is kept. */
function toText({ claims, fixes }: CompositionProblem): string {
  return JSON.stringify([claims, fixes])
}

export function toKeys(one: ClaimSet, other: ClaimSet): readonly string[] {
  return one.key <= other.key ? [one.key, other.key] : [other.key, one.key]
}
