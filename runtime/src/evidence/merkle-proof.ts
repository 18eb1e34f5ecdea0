/**
 * Inclusion proofs from a store. The kernel makes proofs synchronously, so the nodes that it will
 * ask for are found by a dry run and fetched first; a node above 256 leaves is put together from
 * stored tiles.
 */
import { inclusionProof, leafHash, leafInput, type Sha256, treeRoot } from 'rubicon-kernel'
import type { Store } from '../ports/store.ts'

const TILE_LEVEL = 8

export async function proveInclusion(
  store: Store,
  leaf: number,
  size: number,
  sha256: Sha256,
): Promise<readonly Uint8Array[]> {
  const wanted: [number, number][] = []
  const blank = new Uint8Array(32)
  inclusionProof(
    leaf,
    size,
    (level, index) => {
      wanted.push([level, index])
      return blank
    },
    sha256,
  )
  const nodes = new Map<string, Uint8Array>()
  for (const [level, index] of wanted)
    nodes.set(`${level}/${index}`, await subtree(store, level, index, sha256))
  return inclusionProof(
    leaf,
    size,
    (level, index) => nodes.get(`${level}/${index}`) ?? blank,
    sha256,
  )
}

async function subtree(
  store: Store,
  level: number,
  index: number,
  sha256: Sha256,
): Promise<Uint8Array> {
  if (level < TILE_LEVEL) return leavesRoot(store, index * 2 ** level, 2 ** level, sha256)
  const tiles: Uint8Array[] = []
  const count = 2 ** (level - TILE_LEVEL)
  for (let tile = index * count; tile < (index + 1) * count; tile++) {
    const stored = await store.tile(tile)
    const width = 2 ** TILE_LEVEL
    tiles.push(stored ?? (await leavesRoot(store, tile * width, width, sha256)))
  }
  return treeRoot(tiles, sha256)
}

async function leavesRoot(
  store: Store,
  from: number,
  count: number,
  sha256: Sha256,
): Promise<Uint8Array> {
  const entries = await store.leaves(from, count)
  return treeRoot(
    entries.map(({ id }) => leafHash(leafInput(id), sha256)),
    sha256,
  )
}
