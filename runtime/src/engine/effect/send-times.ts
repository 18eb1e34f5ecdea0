/**
 * How long ago effects were sent, by the clock that nobody can set. The wall clock may have jumped
 * since: forward, and an effect that is still on its way looks as if it could not arrive any more;
 * back, and a key that the provider has forgotten looks fresh.
 *
 * 1. What was sent here is measured here.
 * 2. What somebody else sent left before it was first seen here; where others share the store, one
 *    that was taken for dead may let go of it a little later.
 * 3. Only the wall clock says how much older it is. A clock that is behind what was written by it
 *    says nothing, so that the effect is as old as can be.
 */
import { LIMITS, parseInstant } from 'rubicon-kernel'
import type { Clock } from '../../ports/clock.ts'
import type { ExecutionRow, Store } from '../../ports/store.ts'

type Step = Pick<ExecutionRow, 'dfid' | 'step_id'>

type Known = {
  /** When the first send began, if it was sent here, else when it was first seen. */
  readonly since: number
  readonly sentHere: boolean
  /** Since when no byte of the latest send leaves this process; or since it was seen. */
  readonly last: { readonly sends: number; readonly at: number; readonly sentHere: boolean }
}

export class SendTimes {
  readonly #clock: Clock
  /** How long a send of somebody else may leave after it was seen. */
  readonly #lateMs: number
  readonly #known = new Map<string, Known>()

  constructor(clock: Clock, { shared }: Pick<Store, 'shared'>) {
    this.#clock = clock
    this.#lateMs = shared ? LIMITS.lateSendMs : 0
  }

  /** A send began then and is over now: no byte of it leaves any more. */
  recordSendEnd(row: ExecutionRow, began: number): void {
    const before = this.#known.get(toStepName(row))
    this.#known.set(toStepName(row), {
      since: before?.since ?? began,
      sentHere: before?.sentHere ?? row.sends === 1,
      last: { sends: row.sends, at: this.#clock.monotonic(), sentHere: true },
    })
  }

  forget(step: Step): void {
    this.#known.delete(toStepName(step))
  }

  /** All that is uncertain now: the time of each is taken, and that of what others settled dropped. */
  look(rows: readonly ExecutionRow[]): void {
    const names = new Set(rows.map(toStepName))
    for (const [name, { last }] of this.#known)
      if (!last.sentHere && !names.has(name)) this.#known.delete(name)
    for (const row of rows) this.#trackSends(row)
  }

  /** At most this long ago the first byte of the first send left. */
  measureSinceFirst(row: ExecutionRow): number {
    const { since, sentHere } = this.#trackSends(row)
    const wall = this.#clock.now() - (parseInstant(row.dispatched_at) ?? 0)
    if (!sentHere && wall < -LIMITS.clockSkewMs) return Number.POSITIVE_INFINITY
    return Math.max(wall, this.#clock.monotonic() - since)
  }

  /** At least this long ago the last byte of the last send left. */
  measureSinceLast(row: ExecutionRow): number {
    const { at, sentHere } = this.#trackSends(row).last
    return this.#clock.monotonic() - at - (sentHere ? 0 : this.#lateMs)
  }

  #trackSends(row: ExecutionRow): Known {
    const before = this.#known.get(toStepName(row))
    if (before?.last.sends === row.sends) return before
    const at = this.#clock.monotonic()
    const { since = at, sentHere = false } = before ?? {}
    const known = { since, sentHere, last: { sends: row.sends, at, sentHere: false } }
    this.#known.set(toStepName(row), known)
    return known
  }
}

function toStepName({ dfid, step_id }: Step): string {
  return `${dfid} ${step_id}`
}
