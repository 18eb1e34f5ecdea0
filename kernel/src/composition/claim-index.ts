/** Claims by the paths that they are about, so that those in each other's way are found without comparing all with all. */
import type { ClaimSet, InsertClaim, SymbolPath, WriteClaim } from './claim.ts'
import { toInsertedPath } from './overlap.ts'

/** A claim and the set that it is of. */
export type Held<T> = { readonly set: ClaimSet; readonly claim: T }

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

  add(set: ClaimSet): void {
    const { artifact } = set
    for (const claim of set.writes)
      (claim.part === 'subtree' ? this.subtrees : this.parts).add(artifact, claim.path, {
        set,
        claim,
      })
    for (const claim of set.inserts) {
      this.inserts.add(artifact, toInsertedPath(claim), { set, claim })
      if (claim.order === 'fixed') this.fixed.add(artifact, claim.container, { set, claim })
    }
    for (const path of set.redefines) this.redefines.add(artifact, path, set)
    for (const path of set.memberships ?? []) this.memberships.add(artifact, path, set)
  }
}

/** What is filed under paths of artifacts, as a tree of segments. */
export class PathTable<T> {
  readonly #artifacts = new Map<string, PathNode<T>>()

  add(artifact: string, path: SymbolPath, value: T): void {
    let node = getOrAdd(this.#artifacts, artifact)
    for (const segment of path) node = getOrAdd(node.below, segment)
    node.values.push(value)
  }

  get(artifact: string, path: SymbolPath): readonly T[] {
    let node = this.#artifacts.get(artifact)
    for (const segment of path) node = node?.below.get(segment)
    return node?.values ?? []
  }

  /** Of a path and of everything that it lies in, from the outermost on. */
  listOn(artifact: string, path: SymbolPath): readonly (readonly T[])[] {
    const found: (readonly T[])[] = []
    let node = this.#artifacts.get(artifact)
    for (let depth = 0; node !== undefined; depth += 1) {
      if (node.values.length > 0) found.push(node.values)
      const segment = path[depth]
      node = segment === undefined ? undefined : node.below.get(segment)
    }
    return found
  }
}

type PathNode<T> = { readonly values: T[]; readonly below: Map<string, PathNode<T>> }

function getOrAdd<T>(table: Map<string, PathNode<T>>, key: string): PathNode<T> {
  const known = table.get(key)
  if (known !== undefined) return known
  const node: PathNode<T> = { values: [], below: new Map() }
  table.set(key, node)
  return node
}
