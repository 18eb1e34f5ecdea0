/** What commits made of the World, as far as it can still be folded: for erasing them, and behind them. */
import {
  type BranchPayload,
  type CommitPayload,
  createWorld,
  ERASURE,
  type ErasurePayload,
  encodeHex,
  hashResourceKey,
  hashResourceLeaf,
  LIMITS,
  type Sha256,
  toResourceName,
  type World,
  type WorldLeaf,
} from 'rubicon-kernel'
import type { Store, StoredEntry } from '../../ports/store.ts'

type Reader = Pick<Store, 'listEntries' | 'listCommits'>

/** By place: what erasures say that erased commits made. */
export type ErasedLeaves = ReadonlyMap<string, readonly WorldLeaf[]>

export function formatPlace(trajectory: string, seq: number): string {
  return `${trajectory}/${seq}`
}

/** Every erasure of the ledger, oldest first. */
export async function* iterateErasures(
  store: Pick<Store, 'listEntries'>,
): AsyncGenerator<ErasurePayload> {
  const limit = LIMITS.entriesPerPage
  for (let from = 0; ; from += limit) {
    const page = await store.listEntries(ERASURE, from, limit)
    for (const { envelope, payload } of page)
      if (envelope.kind === 'erasure' && payload !== null) yield parseErasure(payload)
    if (page.length < limit) return
  }
}

export async function readErasedLeaves(store: Pick<Store, 'listEntries'>): Promise<ErasedLeaves> {
  const leaves = new Map<string, readonly WorldLeaf[]>()
  for await (const { body } of iterateErasures(store))
    for (const { trajectory, seq, world } of body.payloads)
      if (world !== undefined) leaves.set(formatPlace(trajectory, seq), world)
  return leaves
}

/** Of these commits of a trajectory, by seq: the leaf that each left of every resource it changed. */
export async function readCommitLeaves(
  store: Reader,
  sha256: Sha256,
  trajectory: string,
  seqs: ReadonlySet<number>,
): Promise<ReadonlyMap<number, readonly WorldLeaf[]>> {
  const found = new Map<number, readonly WorldLeaf[]>()
  const take = ({ envelope, payload }: StoredEntry, world: World): void => {
    if (payload === null || !seqs.has(envelope.seq)) return
    found.set(envelope.seq, computeChangedLeaves(parseCommit(payload), world, sha256))
  }
  const folding = { store, sha256, erased: await readErasedLeaves(store) }
  await foldTo(folding, trajectory, Math.max(-1, ...seqs), take)
  return found
}

type Folding = {
  readonly store: Reader
  readonly sha256: Sha256
  readonly erased: ErasedLeaves
}

/** The World of a trajectory right after `last`; `take` sees every commit with the World after it. */
async function foldTo(
  folding: Folding,
  trajectory: string,
  last: number,
  take: (entry: StoredEntry, world: World) => void,
): Promise<World> {
  const world = await loadStartWorld(folding, trajectory)
  const step = LIMITS.entriesPerPage
  for (let from = 0; from <= last; from += step) {
    const to = Math.min(from + step, last + 1)
    for (const entry of await folding.store.listCommits(trajectory, from, to)) {
      const { seq } = entry.envelope
      if (entry.payload === null)
        world.applyErased(folding.erased.get(formatPlace(trajectory, seq)) ?? [])
      else world.apply(parseCommit(entry.payload).delta, entry.id)
      take(entry, world)
    }
  }
  return world
}

/** A branch starts with the World of the entry that it forks from. */
async function loadStartWorld(folding: Folding, trajectory: string): Promise<World> {
  const [first] = await folding.store.listEntries(trajectory, 0, 1)
  if (first?.envelope.kind !== 'branch' || first.payload === null)
    return createWorld(folding.sha256)
  const { source } = parseBranch(first.payload)
  return foldTo(folding, source.trajectory, source.seq, () => {})
}

function computeChangedLeaves(
  { delta }: CommitPayload,
  world: World,
  sha256: Sha256,
): readonly WorldLeaf[] {
  const changed = new Map(delta.map(({ kind, id }) => [toResourceName(kind, id), { kind, id }]))
  return [...changed.values()].map(({ kind, id }) => {
    const resource = world.get(kind, id)
    const leaf = resource === undefined ? null : encodeHex(hashResourceLeaf(resource, sha256))
    return { key: encodeHex(hashResourceKey(kind, id, sha256)), leaf }
  })
}

/** Payloads of our own store, hashed and checked when they were written. */
function parseErasure(text: string): ErasurePayload {
  return JSON.parse(text) as ErasurePayload
}

function parseCommit(text: string): CommitPayload {
  return JSON.parse(text) as CommitPayload
}

function parseBranch(text: string): BranchPayload {
  return JSON.parse(text) as BranchPayload
}
