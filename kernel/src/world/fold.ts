/**
 * The world in memory: the fold over a trajectory's deltas, for replay and for the browser.
 *
 * Invariants:
 * 1. A delta that fails changes nothing.
 * 2. `root` equals `trieRoot` over all resources; it costs only what changed since it was asked.
 * 3. A fork and its origin share no later change.
 * 4. Of an erased commit only leaves are left: the root is known from them until a delta needs a value
 *    that is gone, and again once every such resource was stated whole.
 */
import { assert } from '../assert.ts'
import { decodeHex, encodeHex } from '../canonical/bytes.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { ok, type Result } from '../result.ts'
import { applyDelta, type DeltaFailure } from './apply.ts'
import type { Delta } from './delta.ts'
import { ErasedKeys } from './erased-keys.ts'
import { selectReadableDelta, type WorldLeaf } from './erased-leaves.ts'
import { LayeredMap } from './layered-map.ts'
import { hashKeyedLeaf, hashResourceKey, type Resource, toResourceName } from './resource.ts'
import { type LeafChange, type TrieNode, updateTrie } from './trie.ts'

/** What the deltas of a ledger add up to. */
export type World = {
  /** The inverse of the delta, or why it does not apply. */
  readonly apply: (delta: Delta, entryId: string) => Result<Delta, DeltaFailure>
  /** What an erased delta made of the resources that it changed. */
  readonly applyErased: (leaves: readonly WorldLeaf[]) => void
  /** False: a leaf depends on a value that was erased, and the root does with it. */
  readonly isKnown: () => boolean
  /** Of its trie. */
  readonly root: () => Uint8Array
  /** A resource, as it is now. */
  readonly get: (kind: string, id: string) => Resource | undefined
  /** All of them. */
  readonly resources: () => Iterable<Resource>
  /** Shares what is there: however often a World is forked, it is kept once. */
  readonly fork: () => World
}

type State = {
  readonly resources: LayeredMap<Resource>
  readonly pages: LayeredMap<TrieNode>
  /** Resources that the pages do not show yet. */
  readonly unhashed: Map<string, Resource>
  readonly erased: ErasedKeys
}

export function createWorld(sha256: Sha256): World {
  const state: State = {
    resources: new LayeredMap(),
    pages: new LayeredMap(),
    unhashed: new Map(),
    erased: new ErasedKeys(),
  }
  return createWorldOver(state, sha256)
}

function createWorldOver(state: State, sha256: Sha256): World {
  const { resources, pages, unhashed, erased } = state
  const computeKey = (kind: string, id: string): string =>
    encodeHex(hashResourceKey(kind, id, sha256))
  const isErased = ({ kind, id }: { readonly kind: string; readonly id: string }): boolean =>
    erased.size > 0 && erased.has(computeKey(kind, id))
  const get = (kind: string, id: string): Resource | undefined => {
    if (!isIdentifier(kind) || isErased({ kind, id })) return undefined
    return resources.get(toResourceName(kind, id))
  }

  const apply = (delta: Delta, entryId: string): Result<Delta, DeltaFailure> => {
    const readable = erased.size === 0 ? undefined : selectReadableDelta(delta, isErased)
    const findBefore = (kind: string, id: string): Resource | undefined =>
      readable?.stated.get(toResourceName(kind, id)) ?? get(kind, id)
    const applied = applyDelta(findBefore, readable?.delta ?? delta, entryId)
    if (!applied.ok) return applied
    for (const resource of applied.value.resources) {
      const name = toResourceName(resource.kind, resource.id)
      if (readable?.stated.has(name)) erased.delete(computeKey(resource.kind, resource.id))
      resources.set(name, resource)
      unhashed.set(name, resource)
    }
    for (const name of readable?.unknown ?? []) erased.set(computeNameKey(name, sha256), 'unknown')
    return ok(applied.value.inverse)
  }

  const computeRoot = (): Uint8Array => {
    const changes = [...unhashed.values()].map((resource) => {
      const key = hashResourceKey(resource.kind, resource.id, sha256)
      return { key, hash: hashKeyedLeaf(key, resource, sha256) }
    })
    unhashed.clear()
    return writeLeaves(pages, changes, sha256)
  }

  const applyErased = (leaves: readonly WorldLeaf[]): void => {
    // What came before must not be written over what comes now.
    computeRoot()
    const changes: LeafChange[] = []
    for (const { key, leaf } of leaves) {
      erased.set(key, leaf === null ? 'unknown' : 'leaf')
      if (leaf !== null) changes.push({ key: toBytes(key), hash: toBytes(leaf) })
    }
    writeLeaves(pages, changes, sha256)
  }

  const isKnown = (): boolean => erased.unknown === 0

  const fork = (): World => {
    // Else each of many forks would hash the same.
    computeRoot()
    const copies = { resources: resources.copy(), pages: pages.copy(), erased: erased.copy() }
    return createWorldOver({ ...copies, unhashed: new Map() }, sha256)
  }

  return {
    apply,
    applyErased,
    isKnown,
    root: computeRoot,
    get,
    resources: () => resources.values(),
    fork,
  }
}

/** The root after the changes; the pages hold them from then on. */
function writeLeaves(
  pages: State['pages'],
  changes: readonly LeafChange[],
  sha256: Sha256,
): Uint8Array {
  const update = updateTrie((prefix) => pages.get(prefix), changes, sha256)
  for (const [prefix, page] of update.writes) pages.set(prefix, page)
  return update.root
}

function computeNameKey(name: string, sha256: Sha256): string {
  const split = name.indexOf('\0')
  return encodeHex(hashResourceKey(name.slice(0, split), name.slice(split + 1), sha256))
}

function toBytes(text: string): Uint8Array {
  const bytes = decodeHex(text)
  assert(bytes !== undefined, 'keys and leaves are written in hex')
  return bytes
}
