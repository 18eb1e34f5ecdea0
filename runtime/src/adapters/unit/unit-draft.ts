/**
 * A unit while it is being planned: reads see what its earlier writes made, the state stays as is.
 *
 * Invariants:
 * 1. Nothing reaches the state: a unit that fails half-way leaves no trace (S1, S2).
 * 2. Entries are chained here: seq contiguous, parent the previous id, leaves without gaps (S3, S4).
 * 3. Authority kinds stand in the authority trajectory and nowhere else, whoever wrote the unit: one
 *    entry in the wrong place, and the ledger never verifies again.
 */
import {
  assert,
  type EntryDraft,
  findPlaceProblem,
  isIdentifier,
  type Resource,
  type Sha256,
  sealEntry,
  type TrieNode,
  toResourceName,
} from 'rubicon-kernel'
import type { RecordBodies, RecordKind, RecordRef } from '../../ports/record.ts'
import type { StoredEntry, TrajectoryHead } from '../../ports/store.ts'
import { drawFirstVersion } from './first-version.ts'
import type { RecordChange, WorldChange } from './unit-plan.ts'
import type { UnitState } from './unit-state.ts'

export type UnitContext = {
  readonly tenant: string
  readonly sha256: Sha256
  /** The clock, as text. */
  readonly now: string
}

type Fork = { readonly id: StoredEntry['id'] | null; readonly worldRoot: string }

export class UnitDraft {
  readonly entries: StoredEntry[] = []
  readonly heads: Map<string, TrajectoryHead> = new Map()
  readonly worlds: Map<string, WorldChange> = new Map()
  readonly counters: Map<string, number> = new Map()
  readonly records: Map<string, RecordChange> = new Map()
  readonly state: UnitState
  readonly context: UnitContext
  readonly at: string

  constructor(state: UnitState, context: UnitContext, at: string) {
    this.state = state
    this.context = context
    this.at = at
  }

  findHead(trajectory: string): TrajectoryHead | undefined {
    return this.heads.get(trajectory) ?? this.state.findHead(trajectory)
  }

  getCounter(id: string): number {
    return this.counters.get(id) ?? this.state.getCounter(id)
  }

  findResource(trajectory: string, kind: string, id: string): Resource | undefined {
    const changed = this.worlds.get(trajectory)?.resources.get(toResourceName(kind, id))
    return changed ?? this.state.findResource(trajectory, kind, id)
  }

  findPage(trajectory: string, prefix: string): TrieNode | undefined {
    return this.worlds.get(trajectory)?.pages.get(prefix) ?? this.state.findPage(trajectory, prefix)
  }

  /** All resources of a World, as this unit sees it. */
  listResources(trajectory: string): Map<string, Resource> {
    const all = new Map<string, Resource>()
    for (const resource of this.state.listResources(trajectory)) {
      all.set(toResourceName(resource.kind, resource.id), resource)
    }
    for (const [name, resource] of this.worlds.get(trajectory)?.resources ?? []) {
      all.set(name, resource)
    }
    return all
  }

  findEntry(trajectory: string, seq: number): StoredEntry | undefined {
    return (
      this.#listOwnEntries(trajectory).find(({ envelope }) => envelope.seq === seq) ??
      this.state.findEntry(trajectory, seq)
    )
  }

  *listCommits(trajectory: string, last: number): Iterable<StoredEntry> {
    yield* this.state.listCommits(trajectory, last)
    for (const entry of this.#listOwnEntries(trajectory)) {
      if (entry.envelope.kind === 'commit' && entry.envelope.seq <= last) yield entry
    }
  }

  hasCommitAfter(trajectory: string, seq: number): boolean {
    const isLater = ({ envelope }: StoredEntry) => envelope.kind === 'commit' && envelope.seq > seq
    return (
      this.#listOwnEntries(trajectory).some(isLater) || this.state.hasCommitAfter(trajectory, seq)
    )
  }

  changeWorld(trajectory: string): WorldChange {
    const open = this.worlds.get(trajectory)
    if (open !== undefined) return open
    const change: WorldChange = { resources: new Map(), pages: new Map() }
    this.worlds.set(trajectory, change)
    return change
  }

  /** Puts an entry behind its trajectory's head. `fork` starts a trajectory. */
  append(draft: Omit<EntryDraft, 'tenant'>, worldRoot: string, fork?: Fork): StoredEntry {
    const { tenant, sha256 } = this.context
    const head = this.findHead(draft.trajectory)
    assert((head === undefined) === (fork !== undefined), 'a trajectory starts once, and only so')
    if (head === undefined) assert(isIdentifier(draft.trajectory), 'a trajectory is an identifier')
    if (draft.dfid !== undefined) assert(isIdentifier(draft.dfid), 'a dfid is an identifier')

    const sealed = sealEntry({ tenant, ...draft }, head, this.at, sha256, fork?.id ?? null)
    const misplaced = findPlaceProblem(sealed.envelope)
    assert(misplaced === undefined, `an entry stands where its kind may stand: ${misplaced}`)
    const leaves = this.state.countLeaves()
    const entry = { ...sealed, leaf: leaves === null ? null : leaves + this.entries.length }
    this.entries.push(entry)
    const { seq, at } = entry.envelope
    const next = { trajectory: draft.trajectory, seq, id: entry.id, at, world_root: worldRoot }
    this.heads.set(draft.trajectory, next)
    return entry
  }

  /** Puts a record, or takes it away. */
  changeRecord({ record, group, key }: RecordRef, body: RecordBodies[RecordKind] | null): void {
    assert(isRecordName(group) && isRecordName(key), 'a record is named without NUL or half a pair')
    const name = [record, group, key].join('\0')
    const earlier = this.records.get(name)
    const before =
      earlier === undefined
        ? this.state.recordVersion({ record, group, key })
        : getHeldVersion(earlier)
    const next = before === undefined ? drawFirstVersion(record) : before + 1
    this.records.set(name, { record, group, key, version: body === null ? 0 : next, body })
  }

  #listOwnEntries(trajectory: string): readonly StoredEntry[] {
    return this.entries.filter(({ envelope }) => envelope.trajectory === trajectory)
  }
}

/** What every database can keep, and tell apart from every other. */
function isRecordName(name: string): boolean {
  return name.isWellFormed() && !name.includes('\0')
}

function getHeldVersion({ body, version }: RecordChange): number | undefined {
  return body === null ? undefined : version
}
