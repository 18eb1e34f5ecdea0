/**
 * The World of a trajectory at any of its entries: the fold of the deltas up to there.
 *
 * Boundary: it reads the ledger and remembers; it computes no hashes. The root that is shown is the
 * one that the ledger recorded, which replay and the verifier compute again.
 *
 * M1 a moment is a fold from the beginning, or from an earlier moment of the same trajectory.
 * M2 what is remembered is bounded by the resources in it; the longest unused goes first.
 * M3 one fold at a time: many who ask for the past cost no more than one at once. Everybody else
 *    goes first again and again, whatever is read, copied or folded.
 * M4 what was read before an erasure is not shown after it, whichever process erased.
 *
 * Nothing is kept over a restart: the first who asks waits for the fold. Only commits are read for
 * it, which is a small part of a ledger by its bytes; a snapshot on disk would have to be as large,
 * written as often, and checked as a fold is.
 */
import {
  applyDelta,
  type BranchPayload,
  type CommitPayload,
  LIMITS,
  type Resource,
  toResourceName,
} from 'rubicon-kernel'
import { readLastErasure } from '../engine/rows/last-erasure.ts'
import type { Store, StoredEntry } from '../ports/store.ts'
import { copyMapInTurns, type Pause } from './in-turns.ts'
import { LedgerCorrupt } from './ledger-corrupt.ts'

/** A resource, and the entry that changed it last. */
export type ResourceAt = Resource & {
  readonly seq: number
  readonly at: string
  readonly dfid: string | null
}

export type WorldMoment = {
  readonly entry: StoredEntry
  /** By name. */
  readonly resources: ReadonlyMap<string, ResourceAt>
  /** The root of this World, as it was recorded. */
  readonly root: string
  /** From this entry on it cannot be known whole: what it changed was erased. */
  readonly unknownFrom: number | null
}

type Reader = Pick<Store, 'listEntries' | 'listCommits' | 'listHeads'>

const EMPTY_ROOT = '0'.repeat(64)
/** Entries, of which the commits are read. */
const PAGE = 512

export class WorldMoments {
  readonly #store: Reader
  readonly #pause: Pause
  /** In the order in which they were used last. */
  readonly #kept = new Map<string, WorldMoment>()
  #resources = 0
  /** The last erasure on record before anything that is remembered was read. */
  #erased = -1
  #folding: Promise<unknown> = Promise.resolve()

  constructor(store: Reader, pause: Pause) {
    this.#store = store
    this.#pause = pause
  }

  /** Null: there is no such entry. */
  readMoment(trajectory: string, seq: number): Promise<WorldMoment | null> {
    const moment = this.#folding.then(() => this.#readUnerased(trajectory, seq))
    this.#folding = moment.catch(() => {})
    return moment
  }

  async #readUnerased(trajectory: string, seq: number): Promise<WorldMoment | null> {
    await this.#forgetErased()
    return this.#foldMoment(trajectory, seq)
  }

  /** Which of what is remembered had values of it nobody knows: all of it goes. */
  async #forgetErased(): Promise<void> {
    const last = await readLastErasure(this.#store)
    // What is folded beside an erasure was begun before it, and goes with the next look.
    if (last !== this.#erased) for (const name of [...this.#kept.keys()]) this.#drop(name)
    this.#erased = last
  }

  async #foldMoment(trajectory: string, seq: number): Promise<WorldMoment | null> {
    const start = this.#findNearest(trajectory, seq)
    if (start?.entry.envelope.seq === seq) return start
    const [entry] = await this.#store.listEntries(trajectory, seq, 1)
    if (entry === undefined) return null
    const fold = new Fold(start ?? (await this.#readForkOrigin(trajectory)), this.#pause)
    let kept = start?.entry.envelope.seq ?? -1
    for (let from = kept + 1; from <= seq; from += PAGE) {
      await this.#pause()
      const page = await this.#store.listCommits(trajectory, from, Math.min(from + PAGE, seq + 1))
      for (const commit of page) await fold.take(commit)
      const last = page.at(-1)
      // To remember costs a copy, which the entries that it saves must be worth.
      const worth = Math.max(LIMITS.worldMomentEntries, fold.size)
      if (last === undefined || last.envelope.seq - kept < worth) continue
      this.#keep(fold.toMoment(last))
      kept = last.envelope.seq
    }
    const moment = fold.toMoment(entry)
    this.#keep(moment)
    return moment
  }

  /** A branch starts with the World of the entry that it forks from; null: with none. */
  async #readForkOrigin(trajectory: string): Promise<Origin | null> {
    const [first] = await this.#store.listEntries(trajectory, 0, 1)
    if (first?.envelope.kind !== 'branch') return null
    const { payload, leaf } = first
    const { source } = parseBranch(payload ?? '')
    const moment = await this.#foldMoment(source.trajectory, source.seq)
    if (moment === null) throw new LedgerCorrupt(leaf ?? 0, 'the entry it forks from is not there')
    return { ...moment, unknownFrom: moment.unknownFrom === null ? null : 0 }
  }

  /** The latest moment that is remembered and is not after `seq`. */
  #findNearest(trajectory: string, seq: number): WorldMoment | null {
    let best: WorldMoment | null = null
    for (const moment of this.#kept.values()) {
      const { envelope } = moment.entry
      const isBetter = envelope.seq > (best?.entry.envelope.seq ?? -1)
      if (envelope.trajectory === trajectory && envelope.seq <= seq && isBetter) best = moment
    }
    if (best !== null) this.#keep(best)
    return best
  }

  #keep(moment: WorldMoment): void {
    const { trajectory, seq } = moment.entry.envelope
    this.#drop(`${trajectory}/${seq}`)
    this.#kept.set(`${trajectory}/${seq}`, moment)
    this.#resources += computeCost(moment)
    for (const name of this.#kept.keys()) {
      if (this.#resources <= LIMITS.worldResourcesKept || this.#kept.size === 1) return
      this.#drop(name)
    }
  }

  #drop(name: string): void {
    const moment = this.#kept.get(name)
    if (moment === undefined) return
    this.#kept.delete(name)
    this.#resources -= computeCost(moment)
  }
}

/** An empty World is remembered, too, and must not be for nothing. */
function computeCost({ resources }: WorldMoment): number {
  return resources.size + 100
}

/** What a fold goes on from. */
type Origin = Pick<WorldMoment, 'resources' | 'root' | 'unknownFrom'>

class Fold {
  readonly #pause: Pause
  /** Of a moment, which is not changed any more. */
  #resources: WorldMoment['resources']
  /** A copy that is, made when something changes. */
  #changing: Map<string, ResourceAt> | null = null
  #root: string
  #unknownFrom: number | null

  constructor(origin: Origin | null, pause: Pause) {
    this.#pause = pause
    this.#resources = origin?.resources ?? new Map()
    this.#root = origin?.root ?? EMPTY_ROOT
    this.#unknownFrom = origin?.unknownFrom ?? null
  }

  get size(): number {
    return (this.#changing ?? this.#resources).size
  }

  async take({ id, envelope, payload, leaf }: StoredEntry): Promise<void> {
    await this.#pause()
    const { seq, at, dfid = null } = envelope
    if (payload === null) this.#unknownFrom ??= seq
    if (payload === null) return
    this.#changing ??= await copyMapInTurns(this.#resources, this.#pause)
    const changing = this.#changing
    const { delta, world_after } = parseCommit(payload)
    const read = (kind: string, id: string): Resource | undefined =>
      changing.get(toResourceName(kind, id))
    const applied = applyDelta(read, delta, id)
    // Where something before it was erased, a delta may have nothing to stand on.
    if (!applied.ok && this.#unknownFrom === null)
      throw new LedgerCorrupt(leaf ?? 0, `the delta does not apply: ${applied.error.detail}`)
    for (const resource of applied.ok ? applied.value.resources : []) {
      const name = toResourceName(resource.kind, resource.id)
      changing.set(name, { ...resource, seq, at, dfid })
    }
    this.#root = world_after
  }

  toMoment(entry: StoredEntry): WorldMoment {
    this.#resources = this.#changing ?? this.#resources
    this.#changing = null
    return {
      entry,
      resources: this.#resources,
      root: this.#root,
      unknownFrom: this.#unknownFrom,
    }
  }
}

/** Payloads of our own store, hashed and checked when they were written. */
function parseCommit(text: string): CommitPayload {
  return JSON.parse(text) as CommitPayload
}

function parseBranch(text: string): BranchPayload {
  return JSON.parse(text) as BranchPayload
}
