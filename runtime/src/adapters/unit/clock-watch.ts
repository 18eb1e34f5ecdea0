/**
 * Watches the clock of a machine that works on a store alone. Whoever sets that clock decides what has
 * ended: far enough ahead everything has, and what was once written so stays so.
 *
 * C1 a step back by more than the skew, or forward by more than seven days, is not followed: time stands
 *    still where it was, and nothing is begun, until the clock is back or an operator confirms it.
 * C2 a smaller step forward is a machine that slept.
 * C3 at the start it is compared with the newest entry. Behind that one the clock counts only if it was
 *    confirmed there, and has not gone back since.
 */
import { formatInstant, LIMITS } from 'rubicon-kernel'
import { StoreError, type Unit } from '../../ports/store.ts'
import type { ClockSkew, StoreTime } from '../../ports/store-time.ts'

export type MachineTime = {
  readonly clock: () => number
  /** Time that passes is no step. Without it nobody can tell, and the clock is taken as it is. */
  readonly monotonic?: () => number
}

export type KnownTime = {
  /** Of the newest entry; null: there is none. */
  readonly newest: number | null
  /** Where the clock stood when it was last confirmed. */
  readonly confirmed: number | null
}

/** `known` is asked once, where there is something to watch. */
export function machineTime({ clock, monotonic }: MachineTime, known: () => KnownTime): StoreTime {
  if (monotonic !== undefined) return new ClockWatch(clock, monotonic, known())
  return { now: clock, skew: () => null, confirm: () => () => {} }
}

class ClockWatch implements StoreTime {
  readonly #clock: () => number
  readonly #monotonic: () => number
  /** Where the clock last stood while it could be believed, and when that was. */
  #last: number
  #lastAt: number

  constructor(clock: () => number, monotonic: () => number, { newest, confirmed }: KnownTime) {
    this.#clock = clock
    this.#monotonic = monotonic
    const now = clock()
    const isConfirmed = confirmed !== null && now >= confirmed - LIMITS.clockSkewMs
    this.#last = newest === null || (now < newest && isConfirmed) ? now : newest
    this.#lastAt = monotonic()
  }

  now(): number {
    const clock = this.#clock()
    const at = this.#monotonic()
    if (this.#step(clock, at) !== null) return this.#last
    if (clock > this.#last) {
      this.#last = clock
      this.#lastAt = at
    }
    return clock
  }

  skew(): ClockSkew | null {
    const clock = this.#clock()
    const kind = this.#step(clock, this.#monotonic())
    if (kind === null) return null
    return { kind, clock: formatInstant(clock), last: formatInstant(this.#last) }
  }

  confirm(): () => void {
    const before = { last: this.#last, at: this.#lastAt }
    this.#last = this.#clock()
    this.#lastAt = this.#monotonic()
    return () => {
      this.#last = before.last
      this.#lastAt = before.at
    }
  }

  #step(clock: number, at: number): ClockSkew['kind'] | null {
    if (clock < this.#last - LIMITS.clockSkewMs) return 'behind'
    const passed = at - this.#lastAt
    return clock > this.#last + passed + LIMITS.clockStepMs ? 'ahead' : null
  }
}

/** What begins something, or lets something out: a deadline that was not looked at may have passed. */
const BEGINNING: ReadonlySet<string> = new Set(['accepted', 'dispatch', 'resend', 'writ'])

/** Throws while the clock cannot be believed. What settles, suspends or revokes passes. */
export function assertInTime(time: StoreTime, { writes }: Unit): void {
  const begins = writes.some((write) => write.kind === 'append' && BEGINNING.has(write.entry))
  const skew = begins ? time.skew() : null
  if (skew !== null) throw new ClockSkewed(skew)
}

export class ClockSkewed extends StoreError {
  readonly skew: ClockSkew

  constructor(skew: ClockSkew) {
    const { clock, last, kind } = skew
    super(
      'CLOCK_SKEW',
      `the clock stands at ${clock}, ${kind} of ${last} where it last was`,
      'set the clock of this machine, or confirm it: rubicon clock confirm --reason "…"',
    )
    this.skew = skew
  }
}
