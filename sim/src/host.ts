/**
 * One machine: its clock, and the one process that runs on it now. A dead process is started again
 * after a while; one that stood still so long that others took it for dead is ended, and then, too.
 */
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { systemZones } from '../../runtime/src/adapters/system/zones.ts'
import { loadIntentScope } from '../../runtime/src/engine/authority/intent-scope.ts'
import type { RulesAcceptance } from '../../runtime/src/engine/deps.ts'
import { Engine } from '../../runtime/src/engine/engine.ts'
import type { DeclaredSource, SourceReading } from '../../runtime/src/ports/fact-source.ts'
import type { Tokenizer } from '../../runtime/src/ports/tokenizer.ts'
import { buildSideDeps } from './beside.ts'
import { createStormFailpoints } from './failpoints.ts'
import { bindRuleBook } from './hands.ts'
import type { Law } from './laws.ts'
import { MachineClock } from './machine-clock.ts'
import { FEEDS } from './market.ts'
import { createStormModel } from './model.ts'
import { SimProcess } from './process.ts'
import { PAID } from './provider.ts'
import type { Rng } from './rng.ts'
import type { Site } from './site.ts'
import { createStormStore } from './store.ts'

export const TENANT = 'storm'

/** Tables are loaded outside of virtual time, so that a storm counts without any. */
export const words: Tokenizer = { name: 'quarters', count: ({ length }) => Math.ceil(length / 4) }

const DOWN_MS = [50, 1000, 10_000]
const LONG_DOWN_MS = [120_000, 900_000]
/** Shorter and longer than others wait, than holds last, and than anything is worth waiting for. */
const FROZEN_MS = [2000, 15_000, 25_000, 45_000, 200_000]
/** Whoever waits for an answer that long gives up. */
const PATIENCE_MS = 20_000
/** Within this time somebody notices that a process is there and can do nothing any more. */
const NOTICED_MS = 15_000
const DAY_MS = 86_400_000

export class Host {
  readonly clock: MachineClock
  readonly #site: Site
  readonly #name: string
  #process: SimProcess | null = null
  /** What its process holds, and what the next one will where that is not the rules in force. */
  law: Law
  /** It was not started by whoever says yes to rules. */
  isForeign = false
  #foreign: Law | null = null
  crashes = 0

  constructor(site: Site, index: number, skewMs: number) {
    this.#site = site
    this.#name = index === 0 ? '' : ` on machine ${index}`
    this.clock = new MachineClock(site.options.time, skewMs)
    this.law = site.law
  }

  /** Ends its process, so that another is started: with the rules in force, or by chance with others. */
  replaceProcess(why: string, chance: Rng | null = null): void {
    // Often one that was lawful once: it comes with the yes that it had then.
    const { lawful, foreign } = this.#site.laws
    if (chance !== null) this.#foreign = chance.pick(chance.drawChance(0.5) ? lawful : foreign)
    void this.#process?.simulateCrash(why)
  }

  /** Null: there is none, or it is not ready yet. */
  get running(): SimProcess | null {
    const running = this.#process
    return running?.alive === true && running.engine !== null ? running : null
  }

  start(): void {
    const { note, refused } = this.#site.options
    const epoch = this.#site.advanceEpoch()
    const process = new SimProcess(epoch, (where) => this.#handleCrash(where))
    this.#process = process
    this.#site.registerProcess(process)
    note(`start ${epoch}${this.#name}`)
    this.law = this.#foreign ?? this.#site.law
    this.isForeign = this.#foreign !== null
    const accept =
      this.#foreign === null ? this.#site.agree() : this.#site.getLastAcceptance(this.#foreign)
    this.#foreign = null
    note(`holds ${this.law.name}`)
    const engine = this.#compose(process, accept)
    process.wait(engine.start()).then(
      (started) => {
        if (!started.ok && this.law.feeds !== undefined && started.error.code === 'SOURCE_DIFFERS')
          return void process.simulateCrash('refused for its sources')
        if (!started.ok) return refused(started.error.code)
        process.engine = engine
        this.#site.notifyReady(process)
      },
      (error: unknown) => {
        note(`start failed: ${String(error)}`)
        void process.simulateCrash('while starting')
      },
    )
  }

  #handleCrash(where: string): void {
    const { faults, time, note } = this.#site.options
    this.crashes += 1
    note(`crash ${where}${this.#name}`)
    const downs = faults.drawFault('long_downtime') ? LONG_DOWN_MS : DOWN_MS
    time.schedule(downs[faults.drawBetween(0, downs.length - 1)] ?? 50, () => this.start())
  }

  /** Stops the whole process. When it wakes up it may be too late for it. */
  #freeze(process: SimProcess): void {
    const { faults, time, note } = this.#site.options
    if (!process.runs) return
    const ms = FROZEN_MS[faults.drawBetween(0, FROZEN_MS.length - 1)] ?? 2000
    note(`freeze ${process.epoch} for ${ms}`)
    process.freeze(time.getElapsedMs())
    if (ms > PATIENCE_MS) time.schedule(PATIENCE_MS, () => process.hangUp())
    time.schedule(ms, () => {
      if (!process.alive) return
      note(`thaw ${process.epoch}`)
      const noticed = faults.drawBetween(1, NOTICED_MS)
      if (this.#site.isDeclaredDead(process.epoch))
        time.schedule(noticed, () => void process.simulateCrash('after it was declared dead'))
      process.thaw()
    })
  }

  #compose(process: SimProcess, accept: RulesAcceptance | null): Engine {
    const site = this.#site
    const { time, faults, keys, provider, rng, swarm, committed, ears, told, handed } = site.options
    const { watched, exposed, advised, bus, crafts } = site.options
    const { tables, hits } = site
    const { clock } = this
    const shared = swarm.machines === 1 ? null : { isGone: (epoch: number) => site.isGone(epoch) }
    const freeze = (): void => this.#freeze(process)
    const own = clock.createProcessClock(process, rng.drawBelow(DAY_MS))
    const isAlone = shared === null
    const store = createStormStore({
      tenant: TENANT,
      tables,
      time,
      clock: watched && !isAlone ? site.server : clock,
      ...(watched && isAlone ? { monotonic: () => own.monotonic() } : {}),
      faults,
      process,
      shared,
      exposed,
      committed,
    })
    const artifacts =
      crafts?.listCapabilities({
        ...{ process, time, faults, store },
        loadScope: (intent) => loadIntentScope(engine.context, intent),
      }) ?? []
    const engine = new Engine(
      {
        tenant: TENANT,
        audience: 'rubicon',
        store,
        clock: own,
        zones: systemZones,
        random: rng,
        signer: keys.signer,
        checker: keys.checker,
        headKey: keys.createEpochHeadKey(process.epoch),
        sources: [
          this.#createMarketSource(process),
          this.#createProviderSource(process),
          ...(this.law.feeds ?? FEEDS),
        ],
        tokenizer: async () => words,
        sinks: [site.createCheckpointSink(process)],
        failpoints: createStormFailpoints({ time, faults, process, hits, freeze }),
        sha256,
        book: bindRuleBook({ process, provider, time, faults, artifacts }, this.law),
        models: { storm: createStormModel({ time, faults, process, seen: site.options.asked }) },
        ...(accept === null ? {} : { acceptRules: accept }),
        ...(bus === null ? {} : { bus: bus.createProcessBus(process) }),
        ...ears.telemetry,
        ...buildSideDeps({ time, faults, swarm, process, advised, told }),
      },
      { background: swarm.background, executors: swarm.executors, opened: handed },
    )
    return engine
  }

  /** A source whose answer is changed by what the engine itself sends. */
  #createProviderSource(process: SimProcess): DeclaredSource {
    const { provider } = this.#site.options
    const { clock } = this
    return {
      source_id: 'provider',
      label: 'trusted',
      paths: [`${PAID}*`],
      async read(paths): Promise<readonly SourceReading[]> {
        if (!process.runs) await process.turn()
        const observed_at = new Date(clock.getNow()).toISOString()
        const readings: SourceReading[] = []
        for (const path of paths) {
          const value = await process.wait(provider.countPaid(path.slice(PAID.length)))
          readings.push({ path, value, observed_at, version: String(value) })
        }
        return readings
      },
    }
  }

  /** A source that is asked directly. It knows one thing; everything else is observed. */
  #createMarketSource(process: SimProcess): DeclaredSource {
    const { faults } = this.#site.options
    const { clock } = this
    return {
      source_id: 'market',
      label: 'trusted',
      paths: ['market.open'],
      async read(): Promise<readonly SourceReading[]> {
        if (!process.runs) await process.turn()
        if (faults.drawFault('state_failed')) throw new Error('the market does not answer')
        const observed_at = new Date(clock.getNow()).toISOString()
        return [{ path: 'market.open', value: true, observed_at, version: '1' }]
      },
    }
  }
}
