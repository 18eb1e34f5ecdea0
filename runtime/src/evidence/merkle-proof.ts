/**
 * Proofs from a store. The kernel makes proofs synchronously, so the nodes that it will ask for are
 * found by a dry run and fetched first; a node above 256 leaves is put together from stored tiles.
 *
 * P1 only whole subtrees are remembered: the ledger grows, they never change.
 */
import {
  buildConsistencyProof,
  buildInclusionProof,
  computeTreeRoot,
  hashLeaf,
  type NodeReader,
  type Sha256,
  toLeafInput,
} from 'rubicon-kernel'
import type { Store } from '../ports/store.ts'

const TILE_LEVEL = 8
const NODES_KEPT = 65_536
const BLANK = new Uint8Array(32)

type Proof = readonly Uint8Array[]

export class Prover {
  readonly #store: Pick<Store, 'listLeafIds' | 'listTiles'>
  readonly #sha256: Sha256
  readonly #nodes = new Map<string, Uint8Array>()

  constructor(store: Pick<Store, 'listLeafIds' | 'listTiles'>, sha256: Sha256) {
    this.#store = store
    this.#sha256 = sha256
  }

  /** That the leaf stands in the tree of the first `size` leaves. */
  proveInclusion(leaf: number, size: number): Promise<Proof> {
    return this.#prove((node) => buildInclusionProof(leaf, size, node, this.#sha256))
  }

  /** That the tree of the first `before` leaves is the beginning of the one of the first `size`. */
  proveConsistency(before: number, size: number): Promise<Proof> {
    return this.#prove((node) => buildConsistencyProof(before, size, node, this.#sha256))
  }

  async #prove(make: (node: NodeReader) => Proof): Promise<Proof> {
    const wanted: [number, number][] = []
    make((level, index) => {
      wanted.push([level, index])
      return BLANK
    })
    const nodes = new Map<string, Uint8Array>()
    for (const [level, index] of wanted)
      nodes.set(formatNodeName(level, index), await this.#readNode(level, index))
    return make((level, index) => nodes.get(formatNodeName(level, index)) ?? BLANK)
  }

  async #readNode(level: number, index: number): Promise<Uint8Array> {
    const name = formatNodeName(level, index)
    const known = this.#nodes.get(name)
    if (known !== undefined) return known
    const node = await this.#readSubtree(level, index)
    if (this.#nodes.size >= NODES_KEPT) this.#nodes.clear()
    this.#nodes.set(name, node)
    return node
  }

  async #readSubtree(level: number, index: number): Promise<Uint8Array> {
    if (level < TILE_LEVEL) return this.#computeLeavesRoot(index * 2 ** level, 2 ** level)
    if (level > TILE_LEVEL) {
      const halves = [
        await this.#readNode(level - 1, 2 * index),
        await this.#readNode(level - 1, 2 * index + 1),
      ]
      return computeTreeRoot(halves, this.#sha256)
    }
    const width = 2 ** TILE_LEVEL
    const [tile] = await this.#store.listTiles(index, 1)
    return tile ?? this.#computeLeavesRoot(index * width, width)
  }

  async #computeLeavesRoot(from: number, count: number): Promise<Uint8Array> {
    const ids = await this.#store.listLeafIds(from, count)
    const hashes = ids.map((id) => hashLeaf(toLeafInput(id), this.#sha256))
    return computeTreeRoot(hashes, this.#sha256)
  }
}

function formatNodeName(level: number, index: number): string {
  return `${level}/${index}`
}
