/**
 * The machine under the engine: what survives a crash (tables, checkpoints outside the store, keys),
 * and the one process that runs now. A dead process is started again after a while.
 */
import type { StateFact } from 'rubicon-kernel'
import { createTables, type Tables } from '../../runtime/src/adapters/memory/tables.ts'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { Engine } from '../../runtime/src/engine/engine.ts'
import type { CheckpointSink } from '../../runtime/src/ports/checkpoint-sink.ts'
import type { Failpoint } from '../../runtime/src/ports/failpoint.ts'
import type { StateSource } from '../../runtime/src/ports/state-source.ts'
import type { StoredEntry } from '../../runtime/src/ports/store.ts'
import { bookWith } from './capabilities.ts'
import { processClock, type VirtualTime } from './clock.ts'
import { stormFailpoints } from './failpoints.ts'
import type { Keys } from './fake-keys.ts'
import { SimProcess } from './process.ts'
import type { Provider } from './provider.ts'
import type { Rng } from './rng.ts'
import { stormStore } from './store.ts'
import type { Faults, Swarm } from './swarm.ts'

export const TENANT = 'storm'

export type HostOptions = {
  readonly rng: Rng
  readonly time: VirtualTime
  readonly faults: Faults
  readonly swarm: Swarm
  readonly keys: Keys
  readonly provider: Provider
  readonly note: (text: string) => void
  readonly committed: (entries: readonly StoredEntry[]) => void
  readonly checkpointed: (note: string) => void
  /** The engine refused to start: nothing in a storm may lead to that. */
  readonly refused: (why: string) => void
}

const DOWN_MS = [50, 1000, 10_000]
const LONG_DOWN_MS = [120_000, 900_000]

export class Host {
  readonly tables: Tables = createTables()
  readonly hits: Map<Failpoint, number> = new Map()
  readonly #options: HostOptions
  readonly #notes = new Map<string, string>()
  #epoch = 0
  #process: SimProcess | null = null
  #waiting: ((process: SimProcess) => void)[] = []
  crashes = 0

  constructor(options: HostOptions) {
    this.#options = options
  }

  /** The running process, as soon as there is one. */
  process(): Promise<SimProcess> {
    const running = this.#process
    if (running?.alive === true && running.engine !== null) return Promise.resolve(running)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  get running(): SimProcess | null {
    const running = this.#process
    return running?.alive === true && running.engine !== null ? running : null
  }

  start(): void {
    this.#epoch += 1
    const process = new SimProcess(this.#epoch, (_, where) => this.#crashed(where))
    this.#process = process
    this.#options.note(`start ${this.#epoch}`)
    const engine = this.#compose(process)
    process.wait(engine.start()).then(
      (started) => {
        if (!started.ok) return this.#options.refused(started.error.code)
        process.engine = engine
        const waiting = this.#waiting
        this.#waiting = []
        for (const resolve of waiting) resolve(process)
      },
      (error: unknown) => {
        this.#options.note(`start failed: ${String(error)}`)
        void process.crash('while starting')
      },
    )
  }

  #crashed(where: string): void {
    const { faults, time, note } = this.#options
    this.crashes += 1
    note(`crash ${where}`)
    const downs = faults.strikes('long_downtime') ? LONG_DOWN_MS : DOWN_MS
    time.schedule(downs[faults.between(0, downs.length - 1)] ?? 50, () => this.start())
  }

  #compose(process: SimProcess): Engine {
    const { time, faults, keys, provider, rng, swarm, committed } = this.#options
    const { tables, hits } = this
    const epoch = process.epoch
    const store = stormStore({ tenant: TENANT, tables, epoch, time, faults, process, committed })
    return new Engine(
      {
        tenant: TENANT,
        audience: 'rubicon',
        store,
        clock: processClock(time, () => process.alive),
        random: rng,
        ...keys,
        state: this.#state(process),
        sinks: [this.#sink(process)],
        failpoints: stormFailpoints(time, faults, process, hits),
        sha256,
        book: bookWith({ process, provider, time, faults }),
      },
      { background: swarm.background },
    )
  }

  #state(process: SimProcess): StateSource {
    const { faults, time } = this.#options
    return {
      async read(paths): Promise<readonly StateFact[]> {
        if (!process.alive) return process.never()
        if (faults.strikes('state_failed')) throw new Error('the market does not answer')
        const observed_at = new Date(time.now()).toISOString()
        return paths.map((path) => {
          return {
            path,
            value: true,
            source: 'market',
            label: 'trusted',
            observed_at,
            version: '1',
          }
        })
      },
    }
  }

  #sink(process: SimProcess): CheckpointSink {
    const { faults, checkpointed } = this.#options
    const notes = this.#notes
    return {
      place: 'outside',
      latest: async (origin) => notes.get(origin) ?? null,
      async latestOf(prefix) {
        const origins = [...notes.keys()].filter((origin) => origin.startsWith(`${prefix}/`))
        return notes.get(origins.sort().at(-1) ?? '') ?? null
      },
      async save(origin, note) {
        if (!process.alive) return process.never()
        if (faults.strikes('sink_failed')) throw new Error('the witness is away')
        notes.set(origin, note)
        checkpointed(note)
      },
    }
  }
}
