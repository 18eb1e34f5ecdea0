/**
 * Which strategies a claim is under.
 *
 * N1 the innermost container that names a strategy decides about what lies in it.
 * N2 what writes a whole subtree writes what lies in the containers within it too: it is under the strategies of all of them.
 * N3 a claim that is under several satisfies each.
 */
import type { SymbolPath, WriteClaim } from './claim.ts'
import { isWithinPath } from './overlap.ts'
import type { Strategy, StrategyTree } from './strategy.ts'

export class StrategyIndex {
  readonly #root: Strategy
  /** By artifact (null: any) and path. */
  readonly #named = new Map<string, Strategy>()
  readonly #within: NonNullable<StrategyTree['within']>

  constructor(tree: StrategyTree) {
    this.#root = tree
    this.#within = tree.within ?? []
    for (const { artifact, path, strategy } of this.#within)
      this.#named.set(toKey(artifact ?? null, path), strategy)
  }

  /** Whether anywhere a write of a part is in the way of what lies below it. */
  hasSubtrees(): boolean {
    return [this.#root, ...this.#named.values()].some(
      ({ granularity }) => granularity === 'subtree',
    )
  }

  /** N1: of what lies directly in a container. */
  findOfMembers(artifact: string, container: SymbolPath): Strategy {
    for (let length = this.#named.size === 0 ? -1 : container.length; length >= 0; length -= 1) {
      const path = container.slice(0, length)
      const named =
        this.#named.get(toKey(artifact, path)) ?? this.#named.get(toKey(null, path)) ?? null
      if (named !== null) return named
    }
    return this.#root
  }

  /** Of a symbol: that of the container which it lies in. */
  findOf(artifact: string, path: SymbolPath): Strategy {
    return this.#named.size === 0 ? this.#root : this.findOfMembers(artifact, path.slice(0, -1))
  }

  listOfWrite(artifact: string, { path, part }: WriteClaim): readonly Strategy[] {
    const own = this.findOf(artifact, path)
    if (part !== 'subtree' || this.#within.length === 0) return [own]
    // N2.
    const inner = this.#within.filter(
      (one) => (one.artifact ?? artifact) === artifact && isWithinPath(one.path, path),
    )
    return [...new Set([own, ...inner.map(({ strategy }) => strategy)])]
  }
}

function toKey(artifact: string | null, path: SymbolPath): string {
  return JSON.stringify([artifact, ...path])
}
