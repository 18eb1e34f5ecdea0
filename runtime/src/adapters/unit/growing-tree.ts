/**
 * The tree of a store while its process runs: read once, from then on extended by the ids that the
 * process itself writes. What somebody changes in the database is therefore never taken up into it.
 *
 * Invariants:
 * 1. What a batch added counts only after `settle`; `forget` takes it back (a failed transaction).
 * 2. Every leaf is hashed once.
 */
import {
  type Address,
  buildTiledTree,
  computeTiledRoot,
  emptyTree,
  extendTree,
  hashLeaf,
  type Sha256,
  type TiledTree,
  type TreeSize,
  toLeafInput,
} from 'rubicon-kernel'

export type Tile = { readonly index: number; readonly hash: Uint8Array }

export class GrowingTree {
  readonly #sha256: Sha256
  #settled: TiledTree
  #tree: TiledTree
  #whole: Tile[] = []

  private constructor(tree: TiledTree, sha256: Sha256) {
    this.#sha256 = sha256
    this.#settled = tree
    this.#tree = tree
  }

  /** From the hashes of whole tiles and the ids behind them. */
  static read(
    tiles: readonly Uint8Array[],
    idsFrom: (leaf: number) => Iterable<Address>,
    sha256: Sha256,
  ): GrowingTree {
    const tiled = tiles.length === 0 ? emptyTree : buildTiledTree(tiles, sha256)
    const tree = new GrowingTree(tiled, sha256)
    tree.add([...idsFrom(tiled.size)])
    tree.#settled = tree.#tree
    return tree
  }

  get size(): number {
    return this.#tree.size
  }

  /** There is something to write: the batch has added to it, or a tile was missing. */
  get hasGrown(): boolean {
    return this.#tree.size > this.#settled.size || this.#whole.length > 0
  }

  get current(): TreeSize {
    return { size: this.#tree.size, root: computeTiledRoot(this.#tree, this.#sha256) }
  }

  /** Tiles that became whole and are not written yet. */
  get whole(): readonly Tile[] {
    return this.#whole
  }

  add(ids: readonly Address[]): void {
    const sha256 = this.#sha256
    const leaves = ids.map((id) => hashLeaf(toLeafInput(id), sha256))
    const { tree, whole } = extendTree(this.#tree, leaves, sha256)
    const first = this.#tree.tiles.size
    for (const [i, hash] of whole.entries()) this.#whole.push({ index: first + i, hash })
    this.#tree = tree
  }

  /** The batch is durable, with everything that `whole` named. */
  settle(): void {
    this.#settled = this.#tree
    if (this.#whole.length > 0) this.#whole = []
  }

  forget(): void {
    this.#tree = this.#settled
    const known = this.#settled.tiles.size
    this.#whole = this.#whole.filter(({ index }) => index < known)
  }
}
