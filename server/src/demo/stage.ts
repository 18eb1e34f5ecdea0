/**
 * The stage that scenarios play on: a fresh folder, a store in it, and a list of what was decided
 * beside what should have been. A scenario is as expected only if every line is.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer, AnswerOutcome, Failure, Result } from 'rubicon-kernel'
import {
  createRuntime,
  type KeptMemory,
  type Runtime,
  type RuntimeOptions,
  systemClock,
} from 'rubicon-runtime/compose'
import {
  type Clock,
  type DeclaredSource,
  isPostgresAddress,
  type SourceReading,
} from 'rubicon-runtime/ports'
import { createHttpRuntime } from './over-http.ts'

export type ExpectedAnswer = { readonly outcome: AnswerOutcome; readonly reason_code?: string }

/** As the engine gives it, or as an agent reads it. */
export type DecidedAnswer = Pick<Answer, 'dfid' | 'outcome'> & { readonly reason_code?: string }

export type Line =
  | {
      readonly kind: 'decision'
      readonly outcome: AnswerOutcome
      readonly reason_code?: string
      readonly dfid: string
      readonly summary: string
      readonly why: string
      readonly wanted: ExpectedAnswer
      readonly expected: boolean
    }
  | { readonly kind: 'check'; readonly summary: string; readonly expected: boolean }
  | { readonly kind: 'info'; readonly summary: string }

export type Scenario = {
  readonly name: string
  readonly play: (stage: Stage) => Promise<void>
}

/** A scenario that is loaded when it is played. */
export type ListedScenario = {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<Scenario>
}

export type StageOptions = {
  /** Agents and people ask over HTTP. */
  readonly http?: boolean
  /** In which there is nothing yet; else a file of SQLite in the folder. Memory that is kept, since a scenario may open it again. */
  readonly store?: string | KeptMemory
  /** Where others have the same store. */
  readonly tenant?: string
  /** Where everything else is; else one that is made for it, and stays. */
  readonly folder?: string
  /** Where keys and checkpoints are; else in the folder. */
  readonly stateDirectory?: string
}

export type StageStore = 'memory' | 'sqlite' | 'postgres'

export class Stage {
  readonly folder: string
  readonly lines: Line[] = []
  /** Questions that went over the wire. */
  asked = 0
  readonly #open = new Set<Runtime>()
  readonly #http: boolean
  readonly store: string
  /** Where the store is memory: it is gone with its process, so nobody who is killed can leave it behind. */
  readonly memory: KeptMemory | null
  readonly tenant: string
  readonly stateDirectory: string

  constructor(name: string, options: StageOptions = {}) {
    const { http = false, tenant = 'default', stateDirectory } = options
    this.#http = http
    this.folder = options.folder ?? mkdtempSync(join(tmpdir(), `rubicon-${name}-`))
    const { store = `sqlite:${join(this.folder, 'rubicon.db')}` } = options
    this.memory = typeof store === 'string' ? null : store
    this.store = typeof store === 'string' ? store : store.address
    this.tenant = tenant
    this.stateDirectory = stateDirectory ?? join(this.folder, 'state')
  }

  get storeName(): StageStore {
    if (this.memory !== null) return 'memory'
    return isPostgresAddress(this.store) ? 'postgres' : 'sqlite'
  }

  /** On the stage's own store, unless the scenario names another. */
  async openRuntime(options: RuntimeOptions): Promise<Runtime> {
    const { store, tenant, stateDirectory } = this
    const inProcess = await createRuntime({ store, tenant, stateDirectory, ...options })
    const count = (): void => {
      this.asked += 1
    }
    const runtime = this.#http ? createHttpRuntime(inProcess, count) : inProcess
    this.#open.add(runtime)
    return runtime
  }

  async close(runtime: Runtime): Promise<void> {
    this.#open.delete(runtime)
    await runtime.close()
  }

  /** Lets go of the store, also after a scenario that broke. */
  async end(): Promise<void> {
    for (const runtime of [...this.#open]) await this.close(runtime)
  }

  recordDecision(summary: string, answer: DecidedAnswer, wanted: ExpectedAnswer, why = ''): void {
    const { outcome, reason_code, dfid } = answer
    const expected = outcome === wanted.outcome && reason_code === wanted.reason_code
    const code = reason_code === undefined ? {} : { reason_code }
    this.lines.push({ kind: 'decision', outcome, ...code, dfid, summary, why, wanted, expected })
  }

  /** For what is asked outside a flow: done or refused. It has no dfid. */
  recordAnswer(
    summary: string,
    result: Result<unknown, Failure>,
    wanted: ExpectedAnswer,
    why = '',
  ): void {
    const outcome = result.ok ? 'ACCEPTED' : 'REJECTED'
    const code = result.ok ? {} : { reason_code: result.error.code }
    const expected = outcome === wanted.outcome && code.reason_code === wanted.reason_code
    this.lines.push({
      kind: 'decision',
      outcome,
      ...code,
      dfid: '',
      summary,
      why,
      wanted,
      expected,
    })
  }

  check(summary: string, expected: boolean): void {
    this.lines.push({ kind: 'check', summary, expected })
  }

  addInfo(summary: string): void {
    this.lines.push({ kind: 'info', summary })
  }
}

/** A source that a scenario holds in its hand. Read just before each decision, like any other. */
export function createHeldSource(
  source_id: string,
  values: Readonly<Record<string, string>>,
): DeclaredSource {
  return {
    source_id,
    label: 'trusted',
    paths: Object.keys(values),
    async read(paths) {
      const observed_at = new Date().toISOString()
      return paths.flatMap((path): readonly SourceReading[] => {
        const value = values[path]
        return value === undefined ? [] : [{ path, value, observed_at, version: observed_at }]
      })
    },
  }
}

/** A clock that can be moved ahead, so that nothing has to wait. `at`: and that stands still. */
export function createMovableClock(at?: number): Clock & { ahead(ms: number): void } {
  let offset = 0
  return {
    ahead(ms) {
      offset += ms
    },
    now: () => (at ?? Date.now()) + offset,
    monotonic: () => (at ?? performance.now()) + offset,
    after: systemClock.after,
  }
}
