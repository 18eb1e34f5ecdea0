/**
 * Watches the clock of a machine that works on a store alone. Whoever sets that clock decides what has
 * ended: far enough ahead everything has, and what was once written so stays so.
 *
 * C1 a step back by more than the skew, or forward by more than seven days, is not followed: time stands
 *    still where it was, and nothing is begun, until the clock is back or an operator confirms it.
 * C2 a smaller step forward is a machine that slept; at a smaller step back time stands still until the clock
 *    has caught up, and everything goes on. What is decided at one time is never written down at an earlier one.
 * C3 at the start it is compared with the newest entry. Behind that one the clock counts only if it was
 *    confirmed there, and has not gone back since.
 * C4 time goes on where it was, also behind a clock that was confirmed further back: it runs ahead of the
 *    clock then, and three quarters as fast until the clock has caught up. If it stood still so long, nothing
 *    would end: an approval for an hour would last as long as the clock had been ahead.
 */
import { formatInstant, LIMITS } from 'rubicon-kernel'
import { type Confirmed, computeTimeByClock } from '../../ports/confirmed-clock.ts'
import { StoreError, type Unit } from '../../ports/store.ts'
import { type ClockSkew, describeSkew, type StoreTime } from '../../ports/store-time.ts'

export type MachineTime = {
  readonly clock: () => number
  /** Time that passes is no step. Without it nobody can tell, and the clock is taken as it is. */
  readonly monotonic?: () => number
}

export type KnownTime = {
  /** Of the newest entry; null: there is none. */
  readonly newest: number | null
  /** When the clock was last confirmed. */
  readonly confirmed: Confirmed | null
}

/** `known` is asked once, where there is something to watch. */
export function createMachineTime(
  { clock, monotonic }: MachineTime,
  known: () => KnownTime,
): StoreTime {
  if (monotonic !== undefined) return new ClockWatch(clock, monotonic, known())
  return { getNow: clock, findSkew: () => null, confirm: () => () => {} }
}

class ClockWatch implements StoreTime {
  readonly #clock: () => number
  readonly #monotonic: () => number
  #confirmed: Confirmed
  /** The last time while the clock could be believed, and when that was. */
  #last: number
  #lastAt: number

  constructor(clock: () => number, monotonic: () => number, { newest, confirmed }: KnownTime) {
    this.#clock = clock
    this.#monotonic = monotonic
    this.#confirmed = confirmed ?? { clock: 0, last: 0 }
    this.#last = newest ?? this.#computeTime()
    this.#lastAt = monotonic()
  }

  getNow(): number {
    const time = this.#computeTime()
    const at = this.#monotonic()
    if (this.#step(time, at) === null && time > this.#last) {
      this.#last = time
      this.#lastAt = at
    }
    return this.#last
  }

  findSkew(): ClockSkew | null {
    const clock = this.#clock()
    const kind = this.#step(this.#computeTime(clock), this.#monotonic())
    if (kind === null) return null
    return { kind, clock: formatInstant(clock), last: formatInstant(this.#last) }
  }

  confirm(): () => void {
    const before = { confirmed: this.#confirmed, last: this.#last, at: this.#lastAt }
    this.#confirmed = { clock: this.#clock(), last: this.#last }
    this.#last = this.#computeTime()
    this.#lastAt = this.#monotonic()
    return () => {
      this.#confirmed = before.confirmed
      this.#last = before.last
      this.#lastAt = before.at
    }
  }

  #computeTime(now: number = this.#clock()): number {
    return computeTimeByClock(now, this.#confirmed)
  }

  #step(time: number, at: number): ClockSkew['kind'] | null {
    if (time < this.#last - LIMITS.clockSkewMs) return 'behind'
    const passed = at - this.#lastAt
    return time > this.#last + passed + LIMITS.clockStepMs ? 'ahead' : null
  }
}

/** What begins something, or lets something out: a deadline that was not looked at may have passed. */
const BEGINNING: ReadonlySet<string> = new Set(['accepted', 'dispatch', 'resend', 'writ'])

/** Throws while the clock cannot be believed. What settles, suspends or revokes passes. */
export function assertInTime(time: StoreTime, { writes }: Unit): void {
  const begins = writes.some((write) => write.kind === 'append' && BEGINNING.has(write.entry))
  const skew = begins ? time.findSkew() : null
  if (skew !== null) throw new ClockSkewed(skew)
}

export class ClockSkewed extends StoreError {
  readonly skew: ClockSkew

  constructor(skew: ClockSkew) {
    super(
      'CLOCK_SKEW',
      describeSkew(skew),
      'set the clock of this machine, or confirm it: `rubicon clock confirm --reason "…"`',
    )
    this.skew = skew
  }
}
