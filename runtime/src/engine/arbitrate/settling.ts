/**
 * Events whose windows this process is closing.
 *
 * S1 whoever sweeps waits a little for each event and then goes on: one whose winner waits for a source or a resource does not
 *    keep the windows of the others open.
 * S2 what is left goes on by itself, and is not begun a second time meanwhile; its failure is told of.
 * S3 only so many are under way: the next one waits for a place.
 */
import { EVENT_LIMITS } from 'rubicon-kernel'
import type { Clock } from '../../ports/clock.ts'

export type SettlingParts = {
  readonly clock: Pick<Clock, 'after'>
  /** Of what failed after nobody waited for it any more. */
  readonly tell: (error: unknown) => void
}

export class Settling {
  readonly #parts: SettlingParts
  /** None of them rejects. */
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(parts: SettlingParts) {
    this.#parts = parts
  }

  /** False: nothing was moved on, or it is still under way. */
  async run(id: string, work: () => Promise<boolean>): Promise<boolean> {
    if (this.#underWay.has(id)) return false
    if (this.#underWay.size >= EVENT_LIMITS.settling) await Promise.race(this.#underWay.values())
    const { clock, tell } = this.#parts
    const working = work()
    const end = (): void => void this.#underWay.delete(id)
    this.#underWay.set(id, working.then(end, end))
    const timer = clock.after(EVENT_LIMITS.settleWaitMs)
    const left = timer.elapsed.then(() => {
      working.catch(tell)
      return false
    })
    try {
      return await Promise.race([working, left])
    } finally {
      timer.cancel()
    }
  }

  /** Resolves when nothing is under way. */
  async finish(): Promise<void> {
    await Promise.all(this.#underWay.values())
  }
}
