/**
 * How long ago effects were sent, by the clock that nobody can set. The wall clock may have jumped
 * since: forward, and an effect that is still on its way looks as if it could not arrive any more;
 * back, and a key that the provider has forgotten looks fresh.
 *
 * What an earlier process sent left before this one started: that bounds it from one side, and only
 * the wall clock can from the other.
 */
import { parseInstant } from 'rubicon-kernel'
import type { Clock } from '../ports/clock.ts'
import type { ExecutionRow } from '../ports/store.ts'

type Step = Pick<ExecutionRow, 'dfid' | 'step_id'>
type Sent = { readonly firstBegan: number; readonly lastEnded: number }

export class SendTimes {
  readonly #clock: Clock
  readonly #started: number
  readonly #sent = new Map<string, Sent>()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#started = clock.monotonic()
  }

  /** A send began then and is over now: no byte of it leaves any more. */
  ended(step: Step, began: number): void {
    const firstBegan = this.#sent.get(nameOf(step))?.firstBegan ?? began
    this.#sent.set(nameOf(step), { firstBegan, lastEnded: this.#clock.monotonic() })
  }

  forget(step: Step): void {
    this.#sent.delete(nameOf(step))
  }

  /** At most this long ago the first byte of the first send left. */
  sinceFirst(row: ExecutionRow): number {
    const began = this.#sent.get(nameOf(row))?.firstBegan ?? this.#started
    return Math.max(this.#wallSince(row.dispatched_at), this.#clock.monotonic() - began)
  }

  /** At least this long ago the last byte of the last send left. */
  sinceLast(row: ExecutionRow): number {
    const ended = this.#sent.get(nameOf(row))?.lastEnded ?? this.#started
    return Math.min(this.#wallSince(row.last_sent_at), this.#clock.monotonic() - ended)
  }

  #wallSince(at: string): number {
    return this.#clock.now() - (parseInstant(at) ?? 0)
  }
}

function nameOf({ dfid, step_id }: Step): string {
  return `${dfid} ${step_id}`
}
