/**
 * Uncertain effects that are being looked into, in this process.
 *
 * 1. So many at a time, and fewer of one kind: a provider that hangs keeps no other waiting.
 * 2. One that fails stops nobody. It is tried again later and later; after so many times in a row
 *    it goes to a person.
 * 3. Nothing here is on record: an engine that starts again begins to count again.
 */
import { computeBackoffMs, LIMITS } from 'rubicon-kernel'
import type { Clock } from '../../ports/clock.ts'
import { type ExecutionRow, StoreError } from '../../ports/store.ts'
import { toPassingFailure } from '../rows/passing-failure.ts'
import type { InFlight } from './in-flight.ts'

type Step = Pick<ExecutionRow, 'dfid' | 'step_id' | 'policy_kind'>
type Failed = { readonly times: number; readonly againAt: number }

type Needs = {
  readonly clock: Clock
  readonly inFlight: InFlight
  readonly tell: (error: unknown) => void
}

export class Reconciling {
  readonly #needs: Needs
  readonly #failed = new Map<string, Failed>()
  /** How many are under way, by kind. */
  readonly #underWay = new Map<string, number>()
  #count = 0

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Nobody is at it, there is room, and it has not failed just now. */
  mayStart({ dfid, step_id, policy_kind }: Step): boolean {
    const { clock, inFlight } = this.#needs
    if (this.#count >= LIMITS.reconciledAtOnce) return false
    if ((this.#underWay.get(policy_kind) ?? 0) >= LIMITS.reconciledOfOneKind) return false
    if (inFlight.findEffect(dfid, step_id) !== undefined) return false
    return clock.monotonic() >= (this.#failed.get(toStepName({ dfid, step_id }))?.againAt ?? 0)
  }

  /** What is not among these is settled: that it failed once says nothing of it any more. */
  keep(rows: readonly Step[]): void {
    if (this.#failed.size === 0) return
    const open = new Set(rows.map(toStepName))
    for (const name of this.#failed.keys()) if (!open.has(name)) this.#failed.delete(name)
  }

  /** Never rejects. `giveUp` is called instead of trying for ever. */
  async run(
    step: Step,
    work: () => Promise<unknown>,
    giveUp: (error: unknown) => Promise<void>,
  ): Promise<void> {
    const name = toStepName(step)
    this.#enter(step.policy_kind, 1)
    try {
      await work()
      this.#failed.delete(name)
    } catch (error) {
      await this.#fail(name, error, giveUp)
    } finally {
      this.#enter(step.policy_kind, -1)
    }
  }

  async #fail(
    name: string,
    error: unknown,
    giveUp: (error: unknown) => Promise<void>,
  ): Promise<void> {
    const { clock, tell } = this.#needs
    tell(error)
    const times = (this.#failed.get(name)?.times ?? 0) + 1
    this.#failed.set(name, { times, againAt: clock.monotonic() + computeBackoffMs(times) })
    // A store, a registry or a signer that is away says nothing about the effect.
    if (error instanceof StoreError || toPassingFailure(error) !== null) return
    if (times < LIMITS.rowFailures) return
    try {
      await giveUp(error)
      this.#failed.delete(name)
    } catch (last) {
      tell(last)
    }
  }

  #enter(kind: string, by: 1 | -1): void {
    this.#count += by
    const count = (this.#underWay.get(kind) ?? 0) + by
    if (count === 0) this.#underWay.delete(kind)
    else this.#underWay.set(kind, count)
  }
}

function toStepName({ dfid, step_id }: Pick<Step, 'dfid' | 'step_id'>): string {
  return `${dfid} ${step_id}`
}
