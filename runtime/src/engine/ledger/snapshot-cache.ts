/**
 * What agents were shown of State, by snapshot id. A snapshot never changes, so that remembering it is
 * sound; what is not remembered is read from the flow's own entries.
 */
import {
  type EntryKind,
  LIMITS,
  type RefreshPayload,
  type RejectionPayload,
  type SeenFact,
  type Snapshot,
  type WritPayload,
} from 'rubicon-kernel'
import type { FlowRow, Store, StoredEntry } from '../../ports/store.ts'

const MOST = 4_096

export type Shown = Pick<Snapshot, 'state' | 'world'>

export class SnapshotCache {
  readonly #store: Store
  readonly #known: Map<string, { readonly shown: Shown; readonly size: number }> = new Map()
  /** Of all of them: some are a thousand times as large as others. */
  #size = 0
  /** Of flows that are nowhere yet: nobody could read them again. */
  readonly #held: Map<string, Shown> = new Map()

  constructor(store: Store) {
    this.#store = store
  }

  remember(snapshotId: string, { state, world }: Shown): void {
    this.forget(snapshotId)
    const shown = { state, world }
    const size = JSON.stringify(shown).length
    this.#known.set(snapshotId, { shown, size })
    this.#size += size
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST && this.#size <= LIMITS.snapshotsBytes) return
      this.forget(oldest)
    }
  }

  /** Of a flow that is about to be opened; it is known until it is let go of, whatever else is remembered. */
  hold(snapshotId: string, { state, world }: Shown): void {
    this.#held.set(snapshotId, { state, world })
  }

  release(snapshotId: string): void {
    this.#held.delete(snapshotId)
  }

  forget(snapshotId: string): void {
    this.#size -= this.#known.get(snapshotId)?.size ?? 0
    this.#known.delete(snapshotId)
  }

  /** What the agent of this flow saw at these paths. What it did not see is left out. */
  async loadSeen(flow: FlowRow, paths: readonly string[]): Promise<readonly SeenFact[]> {
    const { state } = await this.loadShown(flow)
    return state
      .filter(({ path }) => paths.includes(path))
      .map(({ path, value, label, observed_at }) => ({ path, value, label, observed_at }))
  }

  /** All facts of the snapshot that the flow stands on. */
  async loadShown({ dfid, snapshot_id }: FlowRow): Promise<Shown> {
    const known = this.#held.get(snapshot_id) ?? this.#known.get(snapshot_id)?.shown
    return known ?? (await this.#load(dfid, snapshot_id))
  }

  async #load(dfid: string, snapshotId: string): Promise<Shown> {
    for (const kind of HOLDERS)
      for (const entry of await this.#store.listFlowEntries(dfid, [kind])) {
        const holder = parseSnapshotHolder(entry)
        if (holder?.snapshot_id !== snapshotId) continue
        const { state = [], world = [] } = holder.snapshot as Partial<Shown>
        this.remember(snapshotId, { state, world })
        return { state, world }
      }
    return { state: [], world: [] }
  }
}

/** The few before the many: a flow may be long, and its agent proposes in it as often as it likes. */
const HOLDERS: readonly EntryKind[] = ['writ', 'evidence', 'rejection']

type Holder = { readonly snapshot?: unknown; readonly snapshot_id?: string }

/**
 * The flow's opening shows a snapshot, and so does a refusal that sends the agent back with one, and
 * whatever the agent looked at again.
 */
export function parseSnapshotHolder({ envelope, payload }: StoredEntry): Holder | undefined {
  if (payload === null) return undefined
  if (envelope.kind === 'writ') return (JSON.parse(payload) as WritPayload).flow
  const holds = envelope.kind === 'rejection' || envelope.kind === 'evidence'
  return holds ? (JSON.parse(payload) as RejectionPayload | RefreshPayload) : undefined
}
