import {
  applyDelta,
  assert,
  type CommitPayload,
  encodeHex,
  hashKeyedLeaf,
  hashResourceKey,
  type Resource,
  toCanonicalText,
  toResourceName,
  updateTrie,
} from 'rubicon-kernel'
import type { DeltaFailure, Write } from '../../ports/store.ts'
import type { UnitDraft } from './unit-draft.ts'

type AppendCommit = Extract<Write, { kind: 'append_commit' }>

/** Folds the delta into the World and records it with its inverse. Undefined when it went well. */
export function appendCommit(write: AppendCommit, draft: UnitDraft): DeltaFailure | undefined {
  const { trajectory, dfid, delta } = write
  const head = draft.findHead(trajectory)
  assert(head !== undefined, 'a commit stands in a trajectory that exists')

  const read = (kind: string, id: string) => draft.findResource(trajectory, kind, id)
  const applied = applyDelta(read, delta, '')
  if (!applied.ok) {
    const { code, detail, op } = applied.error
    return { kind: 'delta', code, detail: `op ${op}: ${detail}` }
  }
  const { resources, inverse } = applied.value
  // Most effects change nothing in the World: it is what it was.
  const worldAfter =
    delta.length === 0 ? head.world_root : changeLeaves(trajectory, resources, draft)
  const payload: CommitPayload = { ...write.payload, delta, inverse, world_after: worldAfter }
  const text = toCanonicalText(payload)
  const entry = draft.append({ trajectory, kind: 'commit', dfid, payload: text }, worldAfter)

  // Only now is the entry's id known. The leaves do not hold it, so the root stays right.
  const change = draft.changeWorld(trajectory)
  for (const resource of resources) {
    const name = toResourceName(resource.kind, resource.id)
    change.resources.set(name, { ...resource, last_entry: entry.id })
  }
  return undefined
}

/** Brings the trie up to date; the root after it, in hex. */
export function changeLeaves(
  trajectory: string,
  resources: Iterable<Resource>,
  draft: UnitDraft,
): string {
  const { sha256 } = draft.context
  const changes = Array.from(resources, (resource) => {
    const key = hashResourceKey(resource.kind, resource.id, sha256)
    return { key, hash: hashKeyedLeaf(key, resource, sha256) }
  })
  const update = updateTrie((prefix) => draft.findPage(trajectory, prefix), changes, sha256)
  const { pages } = draft.changeWorld(trajectory)
  for (const [prefix, page] of update.writes) pages.set(prefix, page)
  return encodeHex(update.root)
}
