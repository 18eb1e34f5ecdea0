/**
 * Starts a trajectory from an entry of another, with the World as it was right after that entry.
 *
 * The World of a past entry is folded again from the start of its trajectory. Inverses would be
 * shorter, but they count versions upward, and a version is part of the World's hash.
 */
import {
  applyDelta,
  assert,
  type BranchPayload,
  type CommitPayload,
  computeTrieRoot,
  type Delta,
  encodeHex,
  hashKeyedLeaf,
  hashResourceKey,
  type Position,
  PROTOCOL,
  type Resource,
  toCanonicalText,
  toResourceName,
} from 'rubicon-kernel'
import { type StoredEntry, StoreError, type Write } from '../../ports/store.ts'
import { StoreDiverged } from '../../ports/store-diverged.ts'
import { changeLeaves } from './append-commit.ts'
import type { UnitDraft } from './unit-draft.ts'
import { EMPTY_WORLD } from './world-check.ts'

type AppendBranch = Extract<Write, { kind: 'append_branch' }>

export function appendBranch(write: AppendBranch, draft: UnitDraft): void {
  const { trajectory, source, note } = write
  const fork = draft.findEntry(source.trajectory, source.seq)
  assert(fork !== undefined, 'a branch starts from an entry that exists')

  const world = rebuildWorld(source, draft)
  const worldRoot = changeLeaves(trajectory, world.values(), draft)
  const { resources } = draft.changeWorld(trajectory)
  for (const [name, resource] of world) resources.set(name, resource)
  const payload: BranchPayload = {
    protocol: PROTOCOL,
    source: { trajectory: source.trajectory, seq: source.seq, id: fork.id },
    world_after: worldRoot,
    note,
  }
  const start = { id: fork.id, worldRoot }
  draft.append({ trajectory, kind: 'branch', payload: toCanonicalText(payload) }, worldRoot, start)
}

function rebuildWorld(position: Position, draft: UnitDraft): Map<string, Resource> {
  const { trajectory, seq } = position
  if (!draft.hasCommitAfter(trajectory, seq)) return getCurrentWorld(trajectory, draft)

  const world = deriveStartingWorld(trajectory, draft)
  const read = (kind: string, id: string) => world.get(toResourceName(kind, id))
  for (const entry of draft.listCommits(trajectory, seq)) {
    const applied = applyDelta(read, parseDelta(entry), entry.id)
    assert(applied.ok, 'a delta that was committed applies again')
    for (const resource of applied.value.resources) {
      world.set(toResourceName(resource.kind, resource.id), resource)
    }
  }
  return world
}

/** Throws a `StoreDiverged` where the rows do not come to the root of the trajectory. */
function getCurrentWorld(trajectory: string, draft: UnitDraft): Map<string, Resource> {
  const { sha256 } = draft.context
  const world = draft.listResources(trajectory)
  const leaves = Array.from(world.values(), (resource) => {
    const key = hashResourceKey(resource.kind, resource.id, sha256)
    return { key, hash: hashKeyedLeaf(key, resource, sha256) }
  })
  const root = draft.findHead(trajectory)?.world_root ?? EMPTY_WORLD
  if (encodeHex(computeTrieRoot(leaves, sha256)) === root) return world
  throw new StoreDiverged(`the World of \`${trajectory}\``, 'its resources come to another root')
}

function deriveStartingWorld(trajectory: string, draft: UnitDraft): Map<string, Resource> {
  const first = draft.findEntry(trajectory, 0)
  assert(first !== undefined, 'a trajectory has a first entry')
  return first.envelope.kind === 'branch' ? rebuildWorld(parseSource(first), draft) : new Map()
}

/** The store wrote these payloads itself, and their hashes are in the chain. */
function parseDelta(entry: StoredEntry): Delta {
  const payload = JSON.parse(getPayload(entry)) as CommitPayload
  return payload.delta
}

function parseSource(entry: StoredEntry): Position {
  const payload = JSON.parse(getPayload(entry)) as BranchPayload
  return payload.source
}

function getPayload({ envelope, payload }: StoredEntry): string {
  if (payload !== null) return payload
  throw new StoreError(
    'STORE_ERROR',
    `the payload of \`${envelope.trajectory}\` ${envelope.seq} was erased: its World is gone`,
    'branch from a later entry, whose World does not have to be rebuilt',
  )
}
