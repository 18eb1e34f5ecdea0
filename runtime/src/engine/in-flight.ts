/**
 * Proposals being judged and effects on their way, in this process.
 *
 * The bound on proposals is what answers OVERLOADED before anything is stored. Effects are kept by
 * step, so that a second identical proposal can wait for the first one's outcome.
 */
import type { ExecutionRow } from '../ports/store.ts'

type StepRef = { readonly dfid: string; readonly step_id: string }

export class InFlight {
  readonly #max: number
  #proposals = 0
  /** Begun anew whenever it is empty, see `Remembered`: its tables would chain what was long over. */
  #effects = new Map<string, Promise<ExecutionRow>>()
  readonly #lost = new Map<string, StepRef>()

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

  effect(dfid: string, stepId: string): Promise<ExecutionRow> | undefined {
    return this.#effects.get(`${dfid} ${stepId}`)
  }

  /** Registers an effect until it is over. */
  track(dfid: string, stepId: string, effect: Promise<ExecutionRow>): Promise<ExecutionRow> {
    const name = `${dfid} ${stepId}`
    const tracked = effect.finally(() => this.#ended(name))
    this.#effects.set(name, tracked)
    // Whoever waits for it sees the failure; nobody waiting must not end the process.
    tracked.catch(() => this.#lost.set(name, { dfid, step_id: stepId }))
    return tracked
  }

  #ended(name: string): void {
    this.#effects.delete(name)
    if (this.#effects.size === 0) this.#effects = new Map()
  }

  /** Steps whose effect ended without a record, because the store failed: nobody else will look. */
  lost(): readonly StepRef[] {
    return [...this.#lost.values()].filter(({ dfid, step_id }) => !this.effect(dfid, step_id))
  }

  found({ dfid, step_id }: StepRef): void {
    this.#lost.delete(`${dfid} ${step_id}`)
  }

  /** Waits until nothing is on its way. */
  async drained(): Promise<void> {
    while (this.#effects.size > 0) await Promise.allSettled([...this.#effects.values()])
  }
}
