/**
 * What survives every crash: one store, the checkpoints kept outside it, and the machines whose
 * processes work on it.
 *
 * P1 an epoch is one higher than ever before.
 * P2 a process is gone when it has ended, or has not been heard of for as long as a session lasts.
 */
import { foldAuthority, NO_AUTHORITY } from 'rubicon-kernel'
import { createTables, type Tables } from '../../runtime/src/adapters/memory/tables.ts'
import type { RulesAcceptance } from '../../runtime/src/engine/deps.ts'
import { type CheckpointSink, findHighestEpoch } from '../../runtime/src/ports/checkpoint-sink.ts'
import type { Failpoint } from '../../runtime/src/ports/failpoint.ts'
import type { Notice } from '../../runtime/src/ports/notifier.ts'
import type { LeafEntry } from '../../runtime/src/ports/store.ts'
import type { AdviceEvent } from './adviser-model.ts'
import type { VirtualTime } from './clock.ts'
import type { CraftPlace } from './crafts/craft-place.ts'
import type { Handed } from './desk.ts'
import type { Ears } from './ears.ts'
import type { Keys } from './fake-keys.ts'
import { Host } from './host.ts'
import { CRAFT_LAWS, computeAcceptance, type Law, type Laws, PLAIN_LAWS } from './laws.ts'
import { MachineClock } from './machine-clock.ts'
import type { ModelEvent } from './model.ts'
import type { SimProcess } from './process.ts'
import type { Provider } from './provider.ts'
import type { Rng } from './rng.ts'
import type { StormBus } from './storm-bus.ts'
import type { Faults, Swarm } from './swarm.ts'

export type SiteOptions = {
  readonly rng: Rng
  readonly time: VirtualTime
  readonly faults: Faults
  readonly swarm: Swarm
  /** The store has a time of its own, or watches the clock of whoever works on it alone, as real ones do. */
  readonly watched: boolean
  /** The store is one that somebody else could have changed: every start looks for that. */
  readonly exposed: boolean
  readonly keys: Keys
  readonly provider: Provider
  readonly note: (text: string) => void
  readonly committed: (entries: readonly LeafEntry[], epoch: number) => void
  readonly checkpointed: (note: string) => void
  /** An operator agrees that rules take the place of what an entry has recorded. */
  readonly agreed: (entry: string, rules: string) => void
  /** The engine refused to start: nothing in a storm may lead to that. */
  readonly refused: (why: string) => void
  readonly ears: Ears
  /** A notice has arrived. */
  readonly told: (notice: Notice) => void
  /** A model was asked, or has answered. */
  readonly asked: (event: ModelEvent) => void
  /** The model of guards and auditors was asked, or has answered; null: they ask none. */
  readonly advised: ((event: AdviceEvent) => void) | null
  /** Null: nobody tells of events. */
  readonly bus: StormBus | null
  /** Null: there are no artifacts. */
  readonly crafts: CraftPlace | null
  /** The runtime opened a flow, and hands it to its agent. */
  readonly handed: (handed: Handed) => void
}

/** Shorter than a hold lasts, so that somebody can be taken for dead while its holds stand. */
const SESSION_MS = 8000

export class Site {
  readonly options: SiteOptions
  readonly tables: Tables = createTables()
  readonly hits: Map<Failpoint, number> = new Map()
  readonly machines: readonly Host[]
  /** Of the machine that the store is on, where others share it. */
  readonly server: MachineClock
  readonly #notes = new Map<string, string>()
  readonly #processes = new Map<number, SimProcess>()
  readonly #rng: Rng
  #waiting: ((process: SimProcess) => void)[] = []
  #epoch = 0
  /** The rules that an operator has put in force, or is about to. */
  #law = 0
  #overlapMs = 0
  readonly #yes = new Map<Law, RulesAcceptance>()

  constructor(options: SiteOptions) {
    const { rng, swarm } = options
    this.options = options
    this.server = new MachineClock(options.time, 0)
    this.#rng = rng.fork()
    const skews = Array.from({ length: swarm.machines }, () => rng.drawBetween(0, swarm.skewMs))
    this.machines = skews.map((skew, index) => new Host(this, index, skew))
  }

  start(): void {
    for (const machine of this.machines) machine.start()
  }

  /** Rules have been recorded: the first that start in an empty store are as lawful as any. */
  get isRuled(): boolean {
    const authority = this.tables.byTrajectory.get('authority') ?? []
    return authority.some(({ envelope }) => envelope.kind === 'policy')
  }

  get laws(): Laws {
    return this.options.crafts === null ? PLAIN_LAWS : CRAFT_LAWS
  }

  get law(): Law {
    const { lawful } = this.laws
    return lawful[this.#law % 2] ?? lawful[0]
  }

  /** An operator's yes to the rules that he wants, in place of those that are recorded now. */
  agree(): RulesAcceptance | null {
    const { rules } = foldAuthority(NO_AUTHORITY, this.tables.byTrajectory.get('authority') ?? [])
    const { law } = this
    if (rules === null || rules.law.hash === law.book.hash) return null
    this.options.agreed(rules.entry, law.book.hash)
    const yes = { hash: computeAcceptance(rules, law), previousForMs: this.#overlapMs }
    this.#yes.set(law, yes)
    return yes
  }

  /** The last yes to a law, as it stays in a start script; it may be long used. */
  getLastAcceptance(law: Law): RulesAcceptance | null {
    return this.#yes.get(law) ?? null
  }

  /** From now on processes are started with other rules. */
  advanceRules(overlapMs: number): void {
    this.#law += 1
    this.#overlapMs = overlapMs
  }

  advanceEpoch(): number {
    this.#epoch += 1
    return this.#epoch
  }

  registerProcess(process: SimProcess): void {
    this.#processes.set(process.epoch, process)
  }

  notifyReady(process: SimProcess): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve(process)
  }

  /** Every process that could answer. */
  get running(): readonly SimProcess[] {
    return this.machines.flatMap(({ running }) => running ?? [])
  }

  /** Every machine has a process, and none of them has anything to do that was asked of it. */
  get isIdle(): boolean {
    return this.machines.every(({ running }) => running?.isIdle === true)
  }

  /** One of those that run, as soon as there is one. Who stands still is mostly left alone. */
  process(): Promise<SimProcess> {
    const { running } = this
    const first = running[0]
    if (first === undefined)
      return new Promise((resolve) => {
        this.#waiting.push(resolve)
      })
    if (running.length === 1) return Promise.resolve(first)
    const awake = running.filter(({ runs }) => runs)
    const blind = awake.length === 0 || this.#rng.drawChance(0.1)
    return Promise.resolve(this.#rng.pick(blind ? running : awake))
  }

  isGone(epoch: number): boolean {
    const process = this.#processes.get(epoch)
    if (process?.alive !== true) return true
    const { frozenAt } = process
    return frozenAt !== null && this.options.time.getElapsedMs() - frozenAt > SESSION_MS
  }

  isDeclaredDead(epoch: number): boolean {
    return this.tables.engines.get(epoch) === 'ended'
  }

  createCheckpointSink(process: SimProcess): CheckpointSink {
    const { faults, checkpointed } = this.options
    const notes = this.#notes
    return {
      place: 'outside',
      latest: async (origin) => notes.get(origin) ?? null,
      async latestOf(prefix) {
        const epoch = findHighestEpoch([...notes.keys()], prefix)
        const note = epoch === null ? undefined : notes.get(`${prefix}/${epoch}`)
        return epoch === null || note === undefined ? null : { epoch, note }
      },
      async save(origin, note) {
        if (!process.runs) await process.turn()
        if (faults.drawFault('sink_failed')) throw new Error('the witness is away')
        // Of two processes the slower one may come with a smaller checkpoint.
        if (parseNoteSize(note) < parseNoteSize(notes.get(origin) ?? '')) return
        notes.set(origin, note)
        checkpointed(note)
      },
    }
  }
}

function parseNoteSize(note: string): number {
  return Number(note.split('\n')[1] ?? 0)
}
