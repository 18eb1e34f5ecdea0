/**
 * The world in memory: the fold over a trajectory's deltas, for replay and for the browser.
 *
 * Invariants:
 * 1. A delta that fails changes nothing.
 * 2. `root` equals `trieRoot` over all resources; it costs only what changed since it was asked.
 * 3. A fork and its origin share no later change.
 */
import { isIdentifier } from '../canonical/identifier.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { ok, type Result } from '../result.ts'
import { applyDelta, type DeltaFailure } from './apply.ts'
import type { Delta } from './delta.ts'
import { leafOf, type Resource, resourceKey, resourceName } from './resource.ts'
import { type TrieNode, updateTrie } from './trie.ts'

export type World = {
  /** The inverse of the delta, or why it does not apply. */
  readonly apply: (delta: Delta, entryId: string) => Result<Delta, DeltaFailure>
  readonly root: () => Uint8Array
  readonly get: (kind: string, id: string) => Resource | undefined
  readonly resources: () => Iterable<Resource>
  /** Copies two maps, not what is in them. */
  readonly fork: () => World
}

type State = {
  readonly resources: Map<string, Resource>
  readonly pages: Map<string, TrieNode>
  /** Resources that the pages do not show yet. */
  readonly unhashed: Map<string, Resource>
}

export function createWorld(sha256: Sha256): World {
  return worldOver({ resources: new Map(), pages: new Map(), unhashed: new Map() }, sha256)
}

function worldOver(state: State, sha256: Sha256): World {
  const { resources, pages, unhashed } = state
  const get = (kind: string, id: string): Resource | undefined =>
    isIdentifier(kind) ? resources.get(resourceName(kind, id)) : undefined

  const apply = (delta: Delta, entryId: string): Result<Delta, DeltaFailure> => {
    const applied = applyDelta(get, delta, entryId)
    if (!applied.ok) return applied
    for (const resource of applied.value.resources) {
      const name = resourceName(resource.kind, resource.id)
      resources.set(name, resource)
      unhashed.set(name, resource)
    }
    return ok(applied.value.inverse)
  }

  const root = (): Uint8Array => {
    const changes = [...unhashed.values()].map((resource) => {
      const key = resourceKey(resource.kind, resource.id, sha256)
      return { key, hash: leafOf(key, resource, sha256) }
    })
    const update = updateTrie((prefix) => pages.get(prefix), changes, sha256)
    for (const [prefix, page] of update.writes) pages.set(prefix, page)
    unhashed.clear()
    return update.root
  }

  const fork = (): World =>
    worldOver(
      {
        resources: new Map(resources),
        pages: new Map(pages),
        unhashed: new Map(unhashed),
      },
      sha256,
    )

  return { apply, root, get, resources: () => resources.values(), fork }
}
