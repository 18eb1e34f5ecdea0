/**
 * Replays a trajectory: every id, link and delta again, from the record alone. It calls no model
 * and no tool, continues after an error, and reports all of them.
 */
import {
  type Address,
  type BranchPayload,
  type CommitPayload,
  computeEntryId,
  createWorld,
  encodeHex,
  findLinkProblems,
  type Head,
  hashPayload,
  type Sha256,
  type World,
} from 'rubicon-kernel'
import { type ErasedLeaves, formatPlace, readErasedLeaves } from '../engine/erase/erased-leaves.ts'
import type { Store, StoredEntry, TrajectoryHead } from '../ports/store.ts'
import { holdWorld } from './held-world.ts'
import { readTrajectoryPages } from './pages.ts'

export type ReplayFinding = {
  readonly trajectory: string
  readonly seq: number
  readonly code: string
  readonly detail: string
}

export type ReplayReport = {
  readonly ok: boolean
  readonly trajectory: string
  readonly entries: number
  readonly world_hash: string
  /** Rows of the store that were held against the fold; null: that was not asked for. */
  readonly resources: number | null
  readonly compiler_versions: readonly string[]
  readonly rules_seen: readonly string[]
  readonly findings: readonly ReplayFinding[]
}

export type ReplayOptions = {
  /** Refuse entries of any other compiler. */
  readonly requireCompiler?: string
  /** The World that somebody saw; a different one is a finding. */
  readonly worldHash?: string
  /** Also every resource that the store holds. */
  readonly full?: boolean
  /** Now and then: entries that are replayed. */
  readonly onProgress?: (entries: number) => void
}

type Progress = {
  readonly erased: ErasedLeaves
  world: World
  /** The World that the last commit recorded. */
  recorded: string
  head: Head | undefined
  entries: number
  readonly compilers: Set<string>
  readonly rules: Set<string>
  readonly findings: ReplayFinding[]
}

/** A runtime may write meanwhile: what the store holds is compared where both are of one moment. */
const LOOKS = 10

export async function replayTrajectory(
  store: Store,
  trajectory: string,
  sha256: Sha256,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  for (let look = 1; ; look += 1) {
    const head = await readHead(store, trajectory)
    const upTo = head?.seq ?? Number.POSITIVE_INFINITY
    const progress = await replayInto(store, trajectory, sha256, options, upTo)
    const { entries, findings, world, compilers, rules, erased } = progress
    const find = (code: string, detail: string): void => {
      findings.push({ trajectory, seq: entries - 1, code, detail })
    }
    // Where a leaf needs what was erased, the recorded World is all there is.
    const world_hash = world.isKnown() ? encodeHex(world.root()) : progress.recorded
    if (head !== undefined && head.world_root !== world_hash)
      find(
        'WORLD_MISMATCH',
        `the entries add up to ${world_hash}, the store has ${head.world_root}`,
      )
    if (options.worldHash !== undefined && options.worldHash !== world_hash)
      find('WORLD_MISMATCH', `the replayed World is ${world_hash}`)
    const folded = { world, isErased: erased.size > 0 }
    const held = options.full === true ? await holdWorld(store, trajectory, folded, sha256) : null
    if (held !== null && held.problems.length > 0) {
      const moved = (await readHead(store, trajectory))?.seq !== head?.seq
      if (moved && look < LOOKS) continue
    }
    for (const problem of held?.problems ?? []) find('WORLD_MISMATCH', problem)
    return {
      ok: findings.length === 0,
      trajectory,
      entries,
      world_hash,
      resources: held?.resources ?? null,
      compiler_versions: [...compilers],
      rules_seen: [...rules],
      findings,
    }
  }
}

async function readHead(store: Store, trajectory: string): Promise<TrajectoryHead | undefined> {
  return (await store.listHeads()).find((head) => head.trajectory === trajectory)
}

async function replayInto(
  store: Store,
  trajectory: string,
  sha256: Sha256,
  options: ReplayOptions,
  upTo: number,
): Promise<Progress> {
  const progress: Progress = {
    erased: await readErasedLeaves(store),
    world: createWorld(sha256),
    recorded: '',
    head: undefined,
    entries: 0,
    compilers: new Set(),
    rules: new Set(),
    findings: [],
  }
  for await (const page of readTrajectoryPages(store, trajectory)) {
    for (const entry of page) {
      if (entry.envelope.seq > upTo) return progress
      await replayEntry(store, entry, sha256, options, progress)
    }
    options.onProgress?.(progress.entries)
  }
  return progress
}

async function replayEntry(
  store: Store,
  entry: StoredEntry,
  sha256: Sha256,
  options: ReplayOptions,
  progress: Progress,
): Promise<void> {
  const { id, envelope, payload } = entry
  const { trajectory, seq, kind } = envelope
  const find = (code: string, detail: string): void => {
    progress.findings.push({ trajectory, seq, code, detail })
  }
  if (computeEntryId(envelope, sha256) !== id) find('ENTRY_ID', 'the id does not fit the envelope')
  if (payload !== null && hashPayload(payload, sha256) !== envelope.payload_hash)
    find('PAYLOAD_HASH', 'the payload does not fit its hash')
  const branch = kind === 'branch' && payload !== null ? parseBranch(payload) : null
  const fork = branch === null ? null : await loadSourceWorld(store, branch, sha256, progress)
  for (const { code, detail } of findLinkProblems(envelope, progress.head, fork)) find(code, detail)
  progress.head = { seq, id, at: envelope.at }
  progress.entries += 1
  if (payload === null) {
    const leaves = progress.erased.get(formatPlace(trajectory, seq))
    if (kind === 'commit' && leaves === undefined)
      find('ERASURE_UNSIGNED', 'the payload is missing, and no erasure names it')
    progress.world.applyErased(leaves ?? [])
    return
  }
  if (kind === 'commit') replayCommit(parseCommit(payload), id, options, progress, find)
}

/** A branch starts with the World of the entry that it forks from; answers with that entry's id. */
async function loadSourceWorld(
  store: Store,
  { source }: BranchPayload,
  sha256: Sha256,
  progress: Progress,
): Promise<Address | null> {
  const before = await replayInto(store, source.trajectory, sha256, {}, source.seq)
  progress.world = before.world
  progress.recorded = before.recorded
  progress.findings.push(...before.findings)
  return before.head?.seq === source.seq ? before.head.id : null
}

function replayCommit(
  commit: CommitPayload,
  id: string,
  { requireCompiler }: ReplayOptions,
  progress: Progress,
  find: (code: string, detail: string) => void,
): void {
  const { compiler_version, rules_hash, delta, world_after } = commit
  progress.compilers.add(compiler_version)
  progress.rules.add(rules_hash)
  if (requireCompiler !== undefined && compiler_version !== requireCompiler)
    find('COMPILER_DRIFT', `the entry was compiled by ${compiler_version}`)
  const applied = progress.world.apply(delta, id)
  if (!applied.ok) find('WORLD_MISMATCH', applied.error.detail)
  // Only a delta moves the World, so the root is computed only there.
  progress.recorded = world_after
  if (delta.length === 0 || !progress.world.isKnown()) return
  if (encodeHex(progress.world.root()) !== world_after)
    find('WORLD_MISMATCH', 'the fold of the deltas is not the recorded World')
}

function parseCommit(text: string): CommitPayload {
  return JSON.parse(text) as CommitPayload
}

function parseBranch(text: string): BranchPayload {
  return JSON.parse(text) as BranchPayload
}
