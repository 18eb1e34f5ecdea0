/**
 * Proposals being judged and effects on their way, in this process.
 *
 * The bound on proposals is what answers OVERLOADED before anything is stored. Effects are kept by
 * step, so that a second identical proposal can wait for the first one's outcome. A step is under way
 * from before its dispatch is handed to the store: one that is dispatched and not under way was left
 * behind, by a COMMIT or by a record of its outcome whose answer never came. Whoever stops lets go of the store
 * when nothing is under way, and nothing is from then on: what was sent could not be settled any more.
 */
import { type ExecutionRow, StoreError } from '../../ports/store.ts'

type StepRef = { readonly dfid: string; readonly step_id: string }

export class InFlight {
  readonly #max: number
  #proposals = 0
  /** Begun anew whenever it is empty, see `RememberedRows`: its tables would chain what was long over. */
  #effects = new Map<string, Promise<ExecutionRow>>()
  /** How many units that dispatch a step are with the store: their answer may be lost. */
  readonly #handed = new Map<string, number>()
  /** Whoever waits until none is. */
  readonly #waiting: (() => void)[] = []
  #isClosed = false

  constructor(max: number) {
    this.#max = max
  }

  /** False: there is no room. Every true must be followed by `leave`. */
  enter(): boolean {
    if (this.#proposals >= this.#max) return false
    this.#proposals += 1
    return true
  }

  leave(): void {
    this.#proposals -= 1
  }

  /** How many are being judged, and how many may be. */
  get proposals(): number {
    return this.#proposals
  }

  get limit(): number {
    return this.#max
  }

  findEffect(dfid: string, stepId: string): Promise<ExecutionRow> | undefined {
    return this.#effects.get(`${dfid} ${stepId}`)
  }

  /** Registers an effect until it is over. */
  track(dfid: string, stepId: string, effect: Promise<ExecutionRow>): Promise<ExecutionRow> {
    const name = `${dfid} ${stepId}`
    const tracked = effect.finally(() => this.#forgetEffect(name))
    this.#effects.set(name, tracked)
    // Whoever waits for it sees the failure; nobody waiting must not end the process.
    tracked.catch(() => {})
    return tracked
  }

  /** A unit that dispatches the step is handed to the store; call the answer when that is over. Throws after `close`. */
  hand({ dfid, step_id }: StepRef): () => void {
    if (this.#isClosed)
      throw new StoreError('STORE_CLOSED', 'the runtime is stopping', 'ask again when it is up')
    const name = `${dfid} ${step_id}`
    this.#handed.set(name, (this.#handed.get(name) ?? 0) + 1)
    return () => {
      const left = (this.#handed.get(name) ?? 1) - 1
      if (left > 0) this.#handed.set(name, left)
      else this.#handed.delete(name)
      if (this.#handed.size === 0) for (const go of this.#waiting.splice(0)) go()
    }
  }

  /** False of a step that is dispatched: nobody here will ever say what became of it. */
  isUnderWay({ dfid, step_id }: StepRef): boolean {
    const name = `${dfid} ${step_id}`
    return this.#effects.has(name) || this.#handed.has(name)
  }

  #forgetEffect(name: string): void {
    this.#effects.delete(name)
    if (this.#effects.size === 0) this.#effects = new Map()
  }

  /** Nothing more is dispatched here; waits until what was is settled. */
  async close(): Promise<void> {
    this.#isClosed = true
    while (this.#handed.size > 0) await new Promise<void>((go) => void this.#waiting.push(go))
    await this.awaitDrained()
  }

  /** Waits until nothing is on its way. */
  async awaitDrained(): Promise<void> {
    while (this.#effects.size > 0) await Promise.allSettled([...this.#effects.values()])
  }
}
