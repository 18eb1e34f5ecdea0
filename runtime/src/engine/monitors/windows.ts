/**
 * The windows of all monitors in force, kept in memory and rebuilt from the packed samples when they
 * are not there.
 *
 * V1 a window holds what was settled after its monitor came into force, and after the agent, or the class of
 *    an instance, was last let go again: nobody is stopped twice for the same executions.
 * V2 a window that was rebuilt is the one that was lost.
 */
import {
  AUTHORITY,
  type Authority,
  createReader,
  findAgentClass,
  type MonitorInForce,
  parseDuration,
  RollingWindow,
  type Sample,
} from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import { type SampleBlock, unpack } from './sample-block.ts'
import type { InForce, MonitoredStream, MonitoredStreams } from './streams.ts'

export type Watch = MonitorInForce & {
  /** Samples up to this leaf are not looked at. */
  readonly since: number
  readonly window: RollingWindow
}

const BLOCKS_AT_ONCE = 64

export class Windows {
  readonly #store: Store
  #watches: ReadonlyMap<string, readonly Watch[]> = new Map()
  #followed: MonitoredStreams | null = null
  readonly #leaves = new Map<number, number>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Nothing that is remembered can be relied on. */
  drop(): void {
    this.#watches = new Map()
    this.#followed = null
  }

  listWatches(stream: string): readonly Watch[] {
    return this.#watches.get(stream) ?? []
  }

  /** Brings the windows to what is in force; those that are new are read from the store. */
  async follow({ authority, streams }: InForce): Promise<void> {
    if (this.#followed === streams) return
    const watches = new Map<string, readonly Watch[]>()
    for (const stream of streams.values()) {
      const held = this.listWatches(stream.name)
      const wanted: Watch[] = []
      for (const one of stream.monitors) {
        const since = await this.#findWindowStart(authority, one)
        const kept = held.find((watch) => watch.hash === one.hash && watch.since === since)
        wanted.push(kept ?? { ...one, since, window: new RollingWindow(one.monitor) })
      }
      const fresh = wanted.filter((watch) => !held.includes(watch))
      if (fresh.length > 0) await this.#load(stream, fresh)
      watches.set(stream.name, wanted)
    }
    this.#watches = watches
    this.#followed = streams
  }

  async #findWindowStart(authority: Authority, { agent_id, seq }: MonitorInForce): Promise<number> {
    // Who lets a class go again lets its instances go, for what they did until then.
    const names = [agent_id, findAgentClass(authority, agent_id) ?? agent_id]
    const lifted = names.map((name) => authority.lifted.get(name) ?? -1)
    // Without a place in the tree it acts on nothing that has one.
    return (await this.findLeaf(Math.max(seq, ...lifted))) ?? Number.POSITIVE_INFINITY
  }

  /** Where an authority entry stands in the tree; null: nowhere yet. */
  async findLeaf(seq: number): Promise<number | null> {
    const known = this.#leaves.get(seq)
    if (known !== undefined) return known
    const [entry] = await this.#store.listEntries(AUTHORITY, seq, 1)
    const leaf = entry?.leaf ?? null
    if (leaf !== null) this.#leaves.set(seq, leaf)
    return leaf
  }

  async #load({ name }: MonitoredStream, fresh: readonly Watch[]): Promise<void> {
    const needs = fresh.map((watch) => new Need(watch))
    const blocks = await this.#readBlocks(name, needs)
    for (const [age, block] of [...blocks.entries()].toReversed()) {
      const wanting = needs.filter((need) => age < need.blocks)
      for (const sample of unpack(block))
        for (const { watch } of wanting) if (sample.leaf > watch.since) watch.window.add(sample)
    }
  }

  /** The newest blocks, as many as the widest of the windows needs; the newest first. */
  async #readBlocks(stream: string, needs: readonly Need[]): Promise<readonly SampleBlock[]> {
    const blocks: SampleBlock[] = []
    let until: string | undefined
    for (;;) {
      const page = await this.#store.listRecords('monitor_samples', stream, {
        newest: true,
        limit: BLOCKS_AT_ONCE,
        ...(until === undefined ? {} : { until }),
      })
      for (const { key, body } of page) {
        // The last of a page is the first of the next.
        if (key === until) continue
        for (const need of needs) need.take(body)
        blocks.push(body)
        if (needs.every(({ met }) => met)) return blocks
      }
      until = page.at(-1)?.key
      if (page.length < BLOCKS_AT_ONCE) return blocks
    }
  }
}

/** How far back a window reaches. It is given block by block, the newest first, until it is met. */
class Need {
  readonly watch: Watch
  blocks = 0
  met = false
  readonly #durationMs: number
  readonly #reads: (sample: Sample) => boolean
  #left: number
  #newest: number | null = null

  constructor(watch: Watch) {
    const { executions, duration } = watch.monitor.window
    const reader = createReader(watch.monitor)
    this.watch = watch
    this.#durationMs = parseDuration(duration ?? '') ?? Number.POSITIVE_INFINITY
    this.#left = executions ?? Number.POSITIVE_INFINITY
    this.#reads = (sample) => reader(sample) !== undefined
  }

  take(block: SampleBlock): void {
    if (this.met) return
    this.blocks += 1
    const [firstLeaf = 0, firstAt = 0] = block.cells
    this.#newest ??= unpack(block).at(-1)?.at ?? firstAt
    if (Number.isFinite(this.#left)) this.#left -= unpack(block).filter(this.#reads).length
    const isOld = firstAt <= this.#newest - this.#durationMs
    this.met = isOld || firstLeaf <= this.watch.since || this.#left <= 0
  }
}
