/** The root of the first entries of the ledger. */
import {
  buildTiledTree,
  computeTiledRoot,
  extendTree,
  hashLeaf,
  TILE_LEAVES,
  toLeafInput,
} from 'rubicon-kernel'
import type { Deps } from '../deps.ts'

/** From tiles, which the signed head vouches for, and the ids behind the last of them. */
export async function computePrefixRoot(
  { store, sha256 }: Pick<Deps, 'store' | 'sha256'>,
  size: number,
): Promise<Uint8Array> {
  const tiles = await store.listTiles(0, Math.floor(size / TILE_LEAVES))
  const tiled = buildTiledTree(tiles, sha256)
  const ids = await store.listLeafIds(tiled.size, size - tiled.size)
  const leaves = ids.map((id) => hashLeaf(toLeafInput(id), sha256))
  return computeTiledRoot(extendTree(tiled, leaves, sha256).tree, sha256)
}
