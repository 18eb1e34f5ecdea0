/** Entries and checkpoints as they are shown. */
import {
  type BranchPayload,
  encodeBase64,
  formatEnvelope,
  type JsonValue,
  parseCheckpoint,
  parseNote,
  toAddressDomain,
} from 'rubicon-kernel'
import type { EntryFacts } from 'rubicon-runtime/engine/ledger'
import type { Prover } from 'rubicon-runtime/evidence'
import type { LeafEntry, Store, StoredCheckpoint, StoredEntry } from 'rubicon-runtime/ports'

/** Where an entry stands and whose it is, without what it says. */
export function toLedgerRowView(
  { id, leaf, envelope, payload }: StoredEntry,
  facts: EntryFacts,
): object {
  const { trajectory, seq, parent, kind, at, dfid = null } = envelope
  const { agent_id, code } = facts
  const erased = payload === null
  return { leaf, trajectory, seq, id, parent, kind, at, dfid, agent_id, code, erased }
}

export function toLedgerEntryView(entry: StoredEntry, { agent_id, code }: EntryFacts): object {
  const { id, leaf, envelope } = entry
  const { trajectory, seq, parent, kind, at, dfid = null } = envelope
  const payload = parsePayload(entry.payload)
  return { leaf, trajectory, seq, id, parent, kind, at, dfid, agent_id, code, payload }
}

/** The texts that were hashed, byte for byte. */
export function toHashedView({ envelope, payload }: StoredEntry): object {
  return {
    envelope: { domain: formatDomain('entry'), text: formatEnvelope(envelope) },
    payload: { domain: formatDomain('payload'), text: payload, hash: envelope.payload_hash },
  }
}

/** A NUL ends it. */
function formatDomain(type: string): string {
  return toAddressDomain(type).slice(0, -1)
}

type Neighbours = { readonly before: object | null; readonly after: object | null }

/** The entry whose id is its parent, and the one whose parent it is; a branch comes from elsewhere. */
export async function findNeighbours(store: Store, entry: StoredEntry): Promise<Neighbours> {
  const { trajectory, seq, kind } = entry.envelope
  const source =
    kind === 'branch' && entry.payload !== null
      ? parseBranch(entry.payload).source
      : { trajectory, seq: seq - 1 }
  const [before] = source.seq < 0 ? [] : await store.listEntries(source.trajectory, source.seq, 1)
  const [after] = await store.listEntries(trajectory, seq + 1, 1)
  return { before: toPlaceView(before), after: toPlaceView(after) }
}

function toPlaceView(entry: StoredEntry | undefined): object | null {
  if (entry === undefined) return null
  const { trajectory, seq } = entry.envelope
  return { trajectory, seq, leaf: entry.leaf, id: entry.id }
}

/** Until when it covers is the time of its last entry: a checkpoint says no time of its own. */
export async function buildCheckpointView(store: Store, stored: StoredCheckpoint): Promise<object> {
  const { epoch, size, note } = stored
  const [last] = size === 0 ? [] : await store.listLeaves(size - 1, 1)
  const covers_until = last?.envelope.at ?? null
  return { epoch, size, ...parseSignedNote(note), note, covers_until }
}

function parseSignedNote(text: string): { readonly origin: string; readonly root: string } {
  const note = parseNote(text)
  const checkpoint = note.ok ? parseCheckpoint(note.value.body) : undefined
  return {
    origin: checkpoint?.origin ?? '',
    root: encodeBase64(checkpoint?.root ?? new Uint8Array(0)),
  }
}

/** `before`: the size of an earlier checkpoint, that this one is to be proven to go on from. */
export async function buildProofView(
  store: Store,
  prover: Prover,
  { leaf, id }: LeafEntry,
  checkpoint: StoredCheckpoint,
  before?: number,
): Promise<object> {
  const { size } = checkpoint
  const inclusion = await prover.proveInclusion(leaf, size)
  const consistency =
    before === undefined
      ? null
      : { before, proof: (await prover.proveConsistency(before, size)).map(encodeBase64) }
  return {
    leaf,
    id,
    inclusion: inclusion.map(encodeBase64),
    consistency,
    checkpoint: await buildCheckpointView(store, checkpoint),
  }
}

/** Payloads of our own store, hashed and checked when they were written. */
function parsePayload(text: string | null): JsonValue {
  return text === null ? null : (JSON.parse(text) as JsonValue)
}

function parseBranch(text: string): BranchPayload {
  return JSON.parse(text) as BranchPayload
}
