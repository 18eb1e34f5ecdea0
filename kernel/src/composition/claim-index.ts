/** Claims by the paths that they are about, so that those in each other's way are found without comparing all with all. */
import type { ClaimSet, InsertClaim, SymbolPath, WriteClaim } from './claim.ts'
import { toInsertedPath } from './overlap.ts'
import type { Strategy } from './strategy.ts'
import type { StrategyIndex } from './strategy-of.ts'

/** A claim, the set that it is of, and the strategies that it is under. */
export type Held<T> = {
  readonly set: ClaimSet
  readonly claim: T
  readonly under: readonly Strategy[]
}

/**
 * Claims whose author has an order, and that are under no strategy which refuses one, follow one another on a symbol. They are apart
 * from all others (`loose`), so that a thousand of them on one symbol are not compared with each other.
 */
export class ClaimIndex {
  /** Writes of whole subtrees, and others: only the first reach what lies below them at every granularity. */
  readonly subtrees: PathTable<Held<WriteClaim>> = new PathTable()
  readonly parts: PathTable<Held<WriteClaim>> = new PathTable()
  /** By the path of what is put in. */
  readonly inserts: PathTable<Held<InsertClaim>> = new PathTable()
  /** Members whose place is part of their meaning, by container. */
  readonly fixed: PathTable<Held<InsertClaim>> = new PathTable()
  readonly redefines: PathTable<ClaimSet> = new PathTable()
  readonly memberships: PathTable<ClaimSet> = new PathTable()
  readonly writesOf: Map<ClaimSet, readonly Held<WriteClaim>[]> = new Map()
  readonly insertsOf: Map<ClaimSet, readonly Held<InsertClaim>[]> = new Map()
  readonly #strategies: StrategyIndex

  constructor(sets: readonly ClaimSet[], strategies: StrategyIndex) {
    this.#strategies = strategies
    for (const set of sets) this.#add(set)
  }

  #add(set: ClaimSet): void {
    const { artifact } = set
    const strategies = this.#strategies
    const writes = set.writes.map((claim) => {
      const held = { set, claim, under: strategies.listOfWrite(artifact, claim) }
      const table = claim.part === 'subtree' ? this.subtrees : this.parts
      table.add(artifact, claim.path, held, isLoose(set, held.under))
      return held
    })
    const inserts = set.inserts.map((claim) => {
      const held = { set, claim, under: [strategies.findOfMembers(artifact, claim.container)] }
      const loose = isLoose(set, held.under)
      this.inserts.add(artifact, toInsertedPath(claim), held, loose)
      if (claim.order === 'fixed') this.fixed.add(artifact, claim.container, held, loose)
      return held
    })
    this.writesOf.set(set, writes)
    this.insertsOf.set(set, inserts)
    for (const path of set.redefines)
      this.redefines.add(artifact, path, set, isLoose(set, [strategies.findOf(artifact, path)]))
    for (const path of set.memberships ?? [])
      this.memberships.add(artifact, path, set, isLoose(set, [strategies.findOf(artifact, path)]))
  }
}

/** It does not simply follow what others with an order do. */
export function isLoose({ order }: ClaimSet, under: readonly Strategy[]): boolean {
  return order === undefined || under.some(({ ordered }) => ordered !== 'sequence')
}

/** Of what is filed: everything, or only what is loose. */
export type Filed = 'all' | 'loose'

/** What is filed under paths of artifacts, as a tree of segments. */
export class PathTable<T> {
  readonly #artifacts = new Map<string, PathNode<T>>()

  add(artifact: string, path: SymbolPath, value: T, loose: boolean): void {
    let node = getOrAdd(this.#artifacts, artifact)
    for (const segment of path) node = getOrAdd(node.below, segment)
    node.all.push(value)
    if (loose) node.loose.push(value)
  }

  get(artifact: string, path: SymbolPath, filed: Filed = 'all'): readonly T[] {
    let node = this.#artifacts.get(artifact)
    for (const segment of path) node = node?.below.get(segment)
    return node?.[filed] ?? []
  }

  /** Of a path and of everything that it lies in, from the outermost on. */
  listOn(artifact: string, path: SymbolPath, filed: Filed = 'all'): readonly (readonly T[])[] {
    const found: (readonly T[])[] = []
    let node = this.#artifacts.get(artifact)
    for (let depth = 0; node !== undefined; depth += 1) {
      if (node[filed].length > 0) found.push(node[filed])
      const segment = path[depth]
      node = segment === undefined ? undefined : node.below.get(segment)
    }
    return found
  }
}

type PathNode<T> = {
  readonly all: T[]
  readonly loose: T[]
  readonly below: Map<string, PathNode<T>>
}

function getOrAdd<T>(table: Map<string, PathNode<T>>, key: string): PathNode<T> {
  const known = table.get(key)
  if (known !== undefined) return known
  const node: PathNode<T> = { all: [], loose: [], below: new Map() }
  table.set(key, node)
  return node
}
