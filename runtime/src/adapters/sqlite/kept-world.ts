/**
 * The World as its root says it is: a page is the one that the page above names, the first one that of
 * the trajectory's root, and a resource is its leaf. What somebody changed in the tables is not folded
 * into what is signed next, and no decision is made on it.
 */
import {
  branchHash,
  equalBytes,
  hex,
  leafOf,
  type PageReader,
  type Resource,
  type Sha256,
  type TrieNode,
  updateTrie,
} from 'rubicon-kernel'
import { StoreError } from '../../ports/store.ts'
import { StoreDiverged } from '../../ports/store-diverged.ts'

/** Where a page is looked for, and what the World of its trajectory comes to. */
export type Above = {
  readonly trajectory: string
  readonly root: string
  readonly read: PageReader
}

/** Throws a `StoreDiverged` unless the page, as it was read, is the one that is named above it. */
export function checkPage(prefix: string, page: TrieNode, above: Above, sha256: Sha256): void {
  const { trajectory, root, read } = above
  if (prefix === '') {
    if (hex(updateTrie(() => page, [], sha256).root) === root) return
  } else {
    const slot = Number.parseInt(prefix.slice(-1), 16)
    const child = read(prefix.slice(0, -1))?.children[slot] ?? null
    const hash = branchHash(page.children, sha256)
    if (child?.kind === 'node' && equalBytes(child.hash, hash)) return
  }
  throw pageDiverged(prefix, trajectory, 'it has another hash')
}

/** Throws a `StoreDiverged` unless the World has exactly this under the key; undefined: nothing. */
export function checkResource(
  key: Uint8Array,
  resource: Resource | undefined,
  above: Above,
  sha256: Sha256,
): void {
  const { trajectory } = above
  const leaf = leafAt(key, above)
  if (leaf === null && resource === undefined) return
  const isLeaf =
    leaf !== null && resource !== undefined && equalBytes(leaf, leafOf(key, resource, sha256))
  if (isLeaf) return
  const name = resource === undefined ? hex(key) : `${resource.kind} ${resource.id}`
  throw new StoreDiverged(`resource \`${name}\` of \`${trajectory}\``, 'it has another value')
}

/** The hash that the World has for a key; null: it has none. */
function leafAt(key: Uint8Array, { trajectory, root, read }: Above): Uint8Array | null {
  const path = hex(key)
  for (let depth = 0; depth < path.length; depth++) {
    const prefix = path.slice(0, depth)
    const page = read(prefix)
    if (page === undefined && prefix === '' && root === EMPTY_WORLD) return null
    if (page === undefined) throw pageDiverged(prefix, trajectory, 'it is gone')
    const child = page.children[Number.parseInt(path[depth] ?? '0', 16)] ?? null
    if (child === null) return null
    if (child.kind === 'leaf') return equalBytes(child.key, key) ? child.hash : null
  }
  return null
}

function pageDiverged(prefix: string, trajectory: string, detail: string): StoreDiverged {
  return new StoreDiverged(`page \`${prefix}\` of the World of \`${trajectory}\``, detail)
}

/** The root of a World in which there is nothing. */
export const EMPTY_WORLD: string = '0'.repeat(64)

export function damagedPage(trajectory: string, prefix: string): StoreError {
  return new StoreError(
    'STORE_CORRUPT',
    `page \`${prefix}\` of the World of \`${trajectory}\` is damaged`,
    'restore a backup; the World can be rebuilt from the ledger',
  )
}
