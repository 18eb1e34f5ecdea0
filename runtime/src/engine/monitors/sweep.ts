/**
 * Looks at what was carried out since the last time, and stops agents whose monitors trip.
 *
 * M1 nothing of it is on the path of a decision, and nothing is read while there are no monitors.
 * M2 executions are judged one by one in tree order: however they fall into sweeps, the same one trips.
 * M3 the cursor, the samples before it and the suspensions that follow from them are one unit. Another
 *    engine that was faster makes this one start over.
 *    So does an erasure, which takes values out of what was read.
 * M4 a trip acts like every change of authority: before the next dispatch in the tree.
 */
import {
  type AgentStatus,
  AUTHORITY,
  type Authority,
  findAgentClass,
  findAgentStatus,
  LIMITS,
  type MonitorInForce,
  type MonitorVerdict,
  parseInstant,
  type Sample,
} from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { LeafEntry, Unit, Write } from '../../ports/store.ts'
import type { Registrar } from '../authority/registry/append-authority.ts'
import { judge, type WatchTrip } from './judge.ts'
import { CURSOR } from './monitor-cursor.ts'
import { buildPackedWrites } from './packed-writes.ts'
import { Sampler } from './sampler.ts'
import { type InForce, InForceCache, type MonitoredStream } from './streams.ts'
import { buildTripWrites, type Trip } from './trip.ts'
import { Windows } from './windows.ts'

/** What a sweep of the monitors found. */
export type Swept = {
  /** Entries of the ledger that were looked at. */
  readonly entries: number
  /** Executions among them. */
  readonly executions: number
  /** Monitors that tripped. */
  readonly trips: readonly Trip[]
}

/** A monitor in force, and what it says now. */
export type MonitorStatus = Omit<MonitorInForce, 'hash' | 'seq'> & {
  /** Of the monitor as it was deployed. */
  readonly monitor_hash: string
  /** Of the agent that it watches; null: there is none. */
  readonly agent_status: AgentStatus | null
  /** What it says now. */
  readonly verdict: MonitorVerdict
}

/** All monitors, and how far they have come. */
export type MonitorReport = {
  /** Those in force. */
  readonly monitors: readonly MonitorStatus[]
  /** Entries of the ledger that no monitor has seen yet. */
  readonly unseen: number
}

type Cursor = StoredRecord<'monitor_cursor'> | null
type Page = { readonly cursor: Cursor; readonly entries: readonly LeafEntry[] }
type Found = {
  readonly executions: number
  readonly samples: ReadonlyMap<MonitoredStream, readonly Sample[]>
  readonly trips: readonly WatchTrip[]
}

export class MonitorSweep {
  readonly #registrar: Registrar
  readonly #inForce: InForceCache
  readonly #windows: Windows
  #sampler: Sampler
  /** The cursor that memory follows, and how far it has come since. */
  #known: { readonly version: number | null; leaf: number } | null = null
  #working: Promise<unknown> = Promise.resolve()

  constructor(registrar: Registrar) {
    this.#registrar = registrar
    this.#inForce = new InForceCache(registrar)
    this.#windows = new Windows(registrar.store)
    this.#sampler = new Sampler(registrar.store)
  }

  sweep(): Promise<Swept> {
    return this.#runAlone(() => this.#sweep())
  }

  report(): Promise<MonitorReport> {
    return this.#runAlone(() => this.#report())
  }

  /** One at a time: windows are changed by whoever works on them. */
  #runAlone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(work)
    this.#working = done.catch(() => this.#drop())
    return done
  }

  async #sweep(): Promise<Swept> {
    const { store } = this.#registrar
    const trips: Trip[] = []
    const total = { entries: 0, executions: 0 }
    if ((await this.#inForce.loadLatest()).streams.size === 0) return { ...total, trips }
    // Every execution that somebody was told of is looked at.
    await store.integrate()
    for (let failures = 0; failures < LIMITS.unitAttempts; ) {
      const page = await this.#readPage()
      if (page === null) break
      // After the page: it holds nothing that was decided under a later authority.
      const inForce = await this.#inForce.loadLatest()
      await this.#windows.follow(inForce)
      const found = await this.#read(page.entries, inForce)
      if (!(await this.#record(page, inForce.authority, found))) {
        failures += 1
        this.#drop()
        continue
      }
      total.entries += page.entries.length
      total.executions += found.executions
      trips.push(...found.trips.map(({ watch, ...trip }) => trip))
      const stopped = new Set(found.trips.map((trip) => trip.agent_id)).size
      if (stopped > 0) this.#registrar.telemetry?.count('rubicon_monitor_trips_total', {}, stopped)
      if (page.entries.length < LIMITS.entriesPerPage) break
    }
    return { ...total, trips }
  }

  async #report(): Promise<MonitorReport> {
    const { store } = this.#registrar
    const inForce = await this.#inForce.loadLatest()
    const { authority, streams } = inForce
    if (streams.size === 0) return { monitors: [], unseen: 0 }
    const leaf = await this.#catchUp(await this.#readCursor())
    await this.#windows.follow(inForce)
    const now = parseInstant((await store.readNow(AUTHORITY)).now) ?? 0
    const monitors = [...streams.keys()].flatMap((stream) =>
      this.#windows.listWatches(stream).map(({ agent_id, monitor, origin, hash, window }) => ({
        agent_id,
        agent_status: findAgentStatus(authority, agent_id) ?? null,
        monitor,
        monitor_hash: hash,
        origin,
        verdict: window.computeVerdict(now),
      })),
    )
    const leaves = await store.countLeaves()
    return { monitors, unseen: Math.max(0, leaves - (leaf ?? leaves)) }
  }

  #readCursor(): Promise<Cursor> {
    return this.#registrar.store.readRecord('monitor_cursor', CURSOR.group, CURSOR.key)
  }

  /** The first leaf that memory has not seen; memory that does not fit the cursor is dropped. */
  async #catchUp(cursor: Cursor): Promise<number | null> {
    const version = cursor?.version ?? null
    if (this.#known?.version === version) return this.#known.leaf
    this.#drop(cursor?.body.now)
    const leaf = cursor?.body.leaf ?? (await this.#start())
    if (leaf !== null) this.#known = { version, leaf }
    return leaf
  }

  /** Where the first of the monitors came into force; null: it has no place in the tree yet. */
  async #start(): Promise<number | null> {
    const { streams } = await this.#inForce.loadLatest()
    const seqs = [...streams.values()].flatMap(({ monitors }) => monitors.map(({ seq }) => seq))
    return this.#windows.findLeaf(Math.min(...seqs))
  }

  /** Null: there is nothing new. */
  async #readPage(): Promise<Page | null> {
    const cursor = await this.#readCursor()
    const leaf = await this.#catchUp(cursor)
    if (leaf === null) return null
    const entries = await this.#registrar.store.listLeaves(leaf, LIMITS.entriesPerPage)
    return entries.length === 0 ? null : { cursor, entries }
  }

  async #read(entries: readonly LeafEntry[], inForce: InForce): Promise<Found> {
    const samples = new Map<MonitoredStream, Sample[]>()
    const trips: WatchTrip[] = []
    const stopped = new Set<string>()
    let executions = 0
    for (const entry of entries) {
      const read = await this.#sampler.read(entry, inForce)
      if (read.length > 0) executions += 1
      for (const found of read) {
        const { stream, sample } = found
        samples.set(stream, samples.get(stream) ?? [])
        samples.get(stream)?.push(sample)
        const isStopped = isStoppedBy(stopped, inForce.authority, stream.agent_id)
        const tripped = judge(found, this.#windows.listWatches(stream.name), isStopped)
        if (tripped.length > 0) stopped.add(stream.agent_id)
        trips.push(...tripped)
      }
    }
    return { executions, samples, trips }
  }

  /** False: somebody else was faster, with the cursor or with authority. */
  async #record({ cursor, entries }: Page, authority: Authority, found: Found): Promise<boolean> {
    const leaf = (entries.at(-1)?.leaf ?? 0) + 1
    const version = cursor?.version ?? null
    // Entries without executions need no unit of their own; after a restart they are read again.
    if (found.samples.size === 0 && entries.length < LIMITS.entriesPerPage) {
      this.#known = { version, leaf }
      return true
    }
    const stopping = await this.#buildStoppingWrites(authority, found.trips)
    const unit: Unit = {
      guards: [{ kind: 'record_version', ...CURSOR, version }],
      writes: [
        ...(await this.#buildSampleWrites(found.samples)),
        { kind: 'put_record', ...CURSOR, body: { leaf, now: this.#sampler.now } },
      ],
    }
    const isDone = await (stopping.length === 0
      ? this.#registrar.store.commit(unit).then(({ ok }) => ok)
      : this.#stop(unit, stopping, authority))
    if (isDone) this.#known = { version: (version ?? 0) + 1, leaf }
    return isDone
  }

  async #stop(
    { guards, writes }: Unit,
    stopping: readonly Write[],
    { seq }: Authority,
  ): Promise<boolean> {
    const { store, failpoints, authorities } = this.#registrar
    await failpoints.reach('monitor.before_trip')
    const outcome = await store.commit({
      guards: [...guards, { kind: 'authority_seq', seq }],
      writes: [...stopping, ...writes],
    })
    if (!outcome.ok) return false
    await failpoints.reach('monitor.after_trip')
    await authorities.follow(seq + 1)
    return true
  }

  /** What stops the agents: first the entries of authority, then what stands beside them. */
  async #buildStoppingWrites(
    authority: Authority,
    trips: readonly WatchTrip[],
  ): Promise<readonly Write[]> {
    const entries: Write[] = []
    const beside: Write[] = []
    for (const agent of new Set(trips.map(({ agent_id }) => agent_id))) {
      const own = trips.filter(({ agent_id }) => agent_id === agent)
      const seq = authority.seq + 1 + entries.length
      const written = await buildTripWrites(this.#registrar, authority, own, seq)
      entries.push(...written.entries)
      beside.push(...written.beside)
    }
    return [...entries, ...beside]
  }

  async #buildSampleWrites(samples: Found['samples']): Promise<readonly Write[]> {
    const writes: Write[] = []
    for (const [stream, found] of samples)
      writes.push(...(await buildPackedWrites(this.#registrar.store, stream, found)))
    return writes
  }

  #drop(now = 0): void {
    this.#windows.drop()
    this.#sampler = new Sampler(this.#registrar.store, now)
    this.#known = null
  }
}

/** By itself or with its class, before this page or in it: what stopped the class stops no instance once more. */
function isStoppedBy(stopped: ReadonlySet<string>, authority: Authority, agent: string): boolean {
  const status = findAgentStatus(authority, agent)
  if (status === 'SUSPENDED' || status === 'RETIRED') return true
  return stopped.has(agent) || stopped.has(findAgentClass(authority, agent) ?? agent)
}
