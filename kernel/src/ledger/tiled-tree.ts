/**
 * The tree of a log, kept so that it can grow and be taken up again without its leaves: whole runs of
 * 256 leaves are tiles, known by their hash, and only the leaves behind the last tile count singly.
 *
 * Invariants:
 * 1. Its root is the RFC 6962 root over all leaves: the hashes of both frontiers, one after the other,
 *    are the frontier of the whole.
 * 2. Every node is hashed once, however the leaves arrive.
 * 3. A tree is never changed; extending one makes another.
 */
import { assert } from '../assert.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import {
  computeFrontierRoot,
  emptyFrontier,
  extendFrontier,
  extendFrontierAll,
  type Frontier,
} from './frontier.ts'

export const TILE_LEAVES = 256

export type TiledTree = {
  readonly size: number
  /** Over the hashes of whole tiles. */
  readonly tiles: Frontier
  /** Over the leaves behind them; always fewer than a tile. */
  readonly rest: Frontier
}

export const emptyTree: TiledTree = { size: 0, tiles: emptyFrontier, rest: emptyFrontier }

/** The tree over whole tiles, known by their hashes. */
export function buildTiledTree(tiles: Iterable<Uint8Array>, sha256: Sha256): TiledTree {
  const frontier = extendFrontierAll(emptyFrontier, tiles, sha256)
  return { size: frontier.size * TILE_LEAVES, tiles: frontier, rest: emptyFrontier }
}

/** The larger tree, and the hashes of the tiles that became whole with it, in order. */
export function extendTree(
  tree: TiledTree,
  leaves: readonly Uint8Array[],
  sha256: Sha256,
): { readonly tree: TiledTree; readonly whole: readonly Uint8Array[] } {
  const whole: Uint8Array[] = []
  let { tiles, rest } = tree
  for (let from = 0; from < leaves.length; ) {
    const to = Math.min(leaves.length, from + TILE_LEAVES - rest.size)
    rest = extendFrontierAll(rest, leaves.slice(from, to), sha256)
    from = to
    if (rest.size < TILE_LEAVES) continue
    const [hash] = rest.hashes
    assert(hash !== undefined, 'a whole tile is one subtree')
    whole.push(hash)
    tiles = extendFrontier(tiles, hash, sha256)
    rest = emptyFrontier
  }
  return { tree: { size: tree.size + leaves.length, tiles, rest }, whole }
}

export function computeTiledRoot({ size, tiles, rest }: TiledTree, sha256: Sha256): Uint8Array {
  return computeFrontierRoot({ size, hashes: [...tiles.hashes, ...rest.hashes] }, sha256)
}
