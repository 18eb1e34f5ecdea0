/**
 * The World of a trajectory at any of its entries: the fold of the deltas up to there.
 *
 * Boundary: it reads the ledger and remembers; it computes no hashes. The root that is shown is the
 * one that the ledger recorded, which replay and the verifier compute again.
 *
 * M1 a moment is a fold from the beginning, or from an earlier moment of the same trajectory.
 * M2 what is remembered is bounded by the resources in it; the longest unused goes first.
 * M3 one fold at a time: many who ask for the past cost no more than one at once. Between pages
 *    everybody else goes first.
 */
import {
  applyDelta,
  type BranchPayload,
  type CommitPayload,
  LIMITS,
  type Resource,
  resourceName,
} from 'rubicon-kernel'
import { LedgerCorrupt } from '../engine/checkpoint.ts'
import type { Store, StoredEntry } from '../ports/store.ts'

/** A resource, and the entry that changed it last. */
export type ResourceAt = Resource & {
  readonly seq: number
  readonly at: string
  readonly dfid: string | null
}

export type Moment = {
  readonly entry: StoredEntry
  /** By name. */
  readonly resources: ReadonlyMap<string, ResourceAt>
  /** The root of this World, as it was recorded. */
  readonly root: string
  /** From this entry on it cannot be known whole: what it changed was erased. */
  readonly unknownFrom: number | null
}

type Reader = Pick<Store, 'entries'>
type Pause = () => Promise<unknown>

const EMPTY_ROOT = '0'.repeat(64)
const PAGE = 256

export class WorldMoments {
  readonly #store: Reader
  readonly #pause: Pause
  /** In the order in which they were used last. */
  readonly #kept = new Map<string, Moment>()
  #resources = 0
  #folding: Promise<unknown> = Promise.resolve()

  constructor(store: Reader, pause: Pause) {
    this.#store = store
    this.#pause = pause
  }

  /** Null: there is no such entry. */
  at(trajectory: string, seq: number): Promise<Moment | null> {
    const moment = this.#folding.then(() => this.#moment(trajectory, seq))
    this.#folding = moment.catch(() => {})
    return moment
  }

  async #moment(trajectory: string, seq: number): Promise<Moment | null> {
    const start = this.#nearest(trajectory, seq)
    if (start?.entry.envelope.seq === seq) return start
    const fold = new Fold(start)
    let kept = start?.entry.envelope.seq ?? -1
    for (let from = kept + 1; from <= seq; from += PAGE) {
      await this.#pause()
      const page = await this.#store.entries(trajectory, from, Math.min(PAGE, seq - from + 1))
      for (const entry of page) {
        if (entry.envelope.kind === 'branch') fold.begin(await this.#forked(entry))
        fold.take(entry)
      }
      const last = page.at(-1)
      if (last === undefined) return null
      // To remember costs a copy, which the entries that it saves must be worth.
      const isWorth = last.envelope.seq - kept >= Math.max(LIMITS.worldMomentEntries, fold.size)
      if (last.envelope.seq !== seq && !isWorth) continue
      this.#keep(fold.moment(last))
      kept = last.envelope.seq
    }
    return kept === seq ? this.#nearest(trajectory, seq) : null
  }

  /** A branch starts with the World of the entry that it forks from. */
  async #forked({ payload, leaf }: StoredEntry): Promise<Moment> {
    const { source } = parseBranch(payload ?? '')
    const moment = await this.#moment(source.trajectory, source.seq)
    if (moment === null) throw new LedgerCorrupt(leaf ?? 0, 'the entry it forks from is not there')
    return moment
  }

  /** The latest moment that is remembered and is not after `seq`. */
  #nearest(trajectory: string, seq: number): Moment | null {
    let best: Moment | null = null
    for (const moment of this.#kept.values()) {
      const { envelope } = moment.entry
      const isBetter = envelope.seq > (best?.entry.envelope.seq ?? -1)
      if (envelope.trajectory === trajectory && envelope.seq <= seq && isBetter) best = moment
    }
    if (best !== null) this.#keep(best)
    return best
  }

  #keep(moment: Moment): void {
    const { trajectory, seq } = moment.entry.envelope
    this.#drop(`${trajectory}/${seq}`)
    this.#kept.set(`${trajectory}/${seq}`, moment)
    this.#resources += costOf(moment)
    for (const name of this.#kept.keys()) {
      if (this.#resources <= LIMITS.worldResourcesKept || this.#kept.size === 1) return
      this.#drop(name)
    }
  }

  #drop(name: string): void {
    const moment = this.#kept.get(name)
    if (moment === undefined) return
    this.#kept.delete(name)
    this.#resources -= costOf(moment)
  }
}

/** An empty World is remembered, too, and must not be for nothing. */
function costOf({ resources }: Moment): number {
  return resources.size + 100
}

class Fold {
  #resources: Map<string, ResourceAt>
  #root: string
  #unknownFrom: number | null

  constructor(start: Moment | null) {
    this.#resources = new Map(start?.resources)
    this.#root = start?.root ?? EMPTY_ROOT
    this.#unknownFrom = start?.unknownFrom ?? null
  }

  get size(): number {
    return this.#resources.size
  }

  /** From the World of another trajectory. */
  begin({ resources, root, unknownFrom }: Moment): void {
    this.#resources = new Map(resources)
    this.#root = root
    this.#unknownFrom = unknownFrom === null ? null : 0
  }

  take({ id, envelope, payload, leaf }: StoredEntry): void {
    if (envelope.kind !== 'commit') return
    const { seq, at, dfid = null } = envelope
    if (payload === null) this.#unknownFrom ??= seq
    if (payload === null) return
    const { delta, world_after } = parseCommit(payload)
    const read = (kind: string, id: string): Resource | undefined =>
      this.#resources.get(resourceName(kind, id))
    const applied = applyDelta(read, delta, id)
    // Where something before it was erased, a delta may have nothing to stand on.
    if (!applied.ok && this.#unknownFrom === null)
      throw new LedgerCorrupt(leaf ?? 0, `the delta does not apply: ${applied.error.detail}`)
    for (const resource of applied.ok ? applied.value.resources : []) {
      const name = resourceName(resource.kind, resource.id)
      this.#resources.set(name, { ...resource, seq, at, dfid })
    }
    this.#root = world_after
  }

  moment(entry: StoredEntry): Moment {
    const resources = new Map(this.#resources)
    return { entry, resources, root: this.#root, unknownFrom: this.#unknownFrom }
  }
}

/** Payloads of our own store, hashed and checked when they were written. */
function parseCommit(text: string): CommitPayload {
  return JSON.parse(text) as CommitPayload
}

function parseBranch(text: string): BranchPayload {
  return JSON.parse(text) as BranchPayload
}
