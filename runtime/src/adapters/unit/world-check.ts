/**
 * The World as its root says it is: a page is the one that the page above names, the first one that of
 * the trajectory's root, and a resource is its leaf. What somebody changed in the tables is not folded
 * into what is signed next, and no decision is made on it.
 *
 * W1 a page that was found good is not hashed again while it is remembered.
 */
import {
  encodeHex,
  hashBranch,
  hashKeyedLeaf,
  hashResourceKey,
  isEqualBytes,
  type PageReader,
  type Resource,
  type Sha256,
  type TrieNode,
  updateTrie,
} from 'rubicon-kernel'
import { StoreError } from '../../ports/store.ts'
import { StoreDiverged } from '../../ports/store-diverged.ts'
import type { UnitState } from './unit-state.ts'

/** The World of a trajectory: what it comes to, and where its pages are read. */
export type CheckedWorld = {
  readonly trajectory: string
  readonly root: string
  /** Pages that were found good, each below the one that names it. */
  readonly read: PageReader
}

/** The Worlds that a batch reads rows of. */
export class CheckedWorlds {
  readonly #state: Pick<UnitState, 'findHead' | 'findPage'>
  readonly #sha256: Sha256
  readonly #good: WeakSet<TrieNode> = new WeakSet()

  constructor(state: Pick<UnitState, 'findHead' | 'findPage'>, sha256: Sha256) {
    this.#state = state
    this.#sha256 = sha256
  }

  verifyPage(trajectory: string, prefix: string, page: TrieNode): TrieNode {
    if (!this.#good.has(page))
      checkPage(prefix, page, this.#buildCheckedWorld(trajectory), this.#sha256)
    this.#good.add(page)
    return page
  }

  verifyResource(
    {
      trajectory,
      kind,
      id,
    }: { readonly trajectory: string; readonly kind: string; readonly id: string },
    resource: Resource | undefined,
  ): Resource | undefined {
    const key = hashResourceKey(kind, id, this.#sha256)
    checkResource(key, resource, this.#buildCheckedWorld(trajectory), this.#sha256)
    return resource
  }

  #buildCheckedWorld(trajectory: string): CheckedWorld {
    const root = this.#state.findHead(trajectory)?.world_root ?? EMPTY_WORLD
    return { trajectory, root, read: (prefix) => this.#state.findPage(trajectory, prefix) }
  }
}

/** Throws a `StoreDiverged` unless the page, as it was read, is the one that is named above it. */
export function checkPage(
  prefix: string,
  page: TrieNode,
  world: CheckedWorld,
  sha256: Sha256,
): void {
  const { trajectory, root, read } = world
  if (
    page.children.some((child, slot) => child?.kind === 'leaf' && !isBelow(child.key, prefix, slot))
  )
    throw createPageDivergence(prefix, trajectory, 'it has a leaf of another place')
  if (prefix === '') {
    if (encodeHex(updateTrie(() => page, [], sha256).root) === root) return
  } else {
    const slot = Number.parseInt(prefix.slice(-1), 16)
    const child = read(prefix.slice(0, -1))?.children[slot] ?? null
    const hash = hashBranch(page.children, sha256)
    if (child?.kind === 'node' && isEqualBytes(child.hash, hash)) return
  }
  throw createPageDivergence(prefix, trajectory, 'it has another hash')
}

/** Throws a `StoreDiverged` unless the World has exactly this under the key; undefined: nothing. */
export function checkResource(
  key: Uint8Array,
  resource: Resource | undefined,
  world: CheckedWorld,
  sha256: Sha256,
): void {
  const leaf = findLeafHash(key, world)
  if (leaf === null && resource === undefined) return
  const isLeaf =
    leaf !== null &&
    resource !== undefined &&
    isEqualBytes(leaf, hashKeyedLeaf(key, resource, sha256))
  if (isLeaf) return
  const name = resource === undefined ? encodeHex(key) : `${resource.kind} ${resource.id}`
  const detail = resource === undefined ? 'it is missing' : 'it has another value'
  throw new StoreDiverged(`resource \`${name}\` of \`${world.trajectory}\``, detail)
}

/** The hash that the World has for a key; null: it has none. */
function findLeafHash(
  key: Uint8Array,
  { trajectory, root, read }: CheckedWorld,
): Uint8Array | null {
  const path = encodeHex(key)
  for (let depth = 0; depth < path.length; depth++) {
    const prefix = path.slice(0, depth)
    const page = read(prefix)
    if (page === undefined && prefix === '' && root === EMPTY_WORLD) return null
    if (page === undefined) throw createPageDivergence(prefix, trajectory, 'it is missing')
    const child = page.children[Number.parseInt(path[depth] ?? '0', 16)] ?? null
    if (child === null) return null
    if (child.kind === 'leaf') return isEqualBytes(child.key, key) ? child.hash : null
  }
  return null
}

function isBelow(key: Uint8Array, prefix: string, slot: number): boolean {
  return encodeHex(key).startsWith(`${prefix}${slot.toString(16)}`)
}

export function createPageDivergence(
  prefix: string,
  trajectory: string,
  detail: string,
): StoreDiverged {
  return new StoreDiverged(`page \`${prefix}\` of the World of \`${trajectory}\``, detail)
}

/** The root of a World in which there is nothing. */
export const EMPTY_WORLD: string = '0'.repeat(64)

export function createDamagedPageError(trajectory: string, prefix: string): StoreError {
  return new StoreError(
    'STORE_CORRUPT',
    `page \`${prefix}\` of the World of \`${trajectory}\` is damaged`,
    'restore a backup; the World can be rebuilt from the ledger',
  )
}
