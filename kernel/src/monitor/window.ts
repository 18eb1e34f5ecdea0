/**
 * The executions that a monitor looks at, and what it says of them. It rolls: what is added may push
 * out what is too old or too much.
 *
 * W1 the verdict is that of the full computation over the samples in the window, whatever came before.
 * W2 fewer samples than the monitor wants are no data. No data is not fine, and trips nothing.
 * W3 an unreadable value is in the window like any other, and counts as a sample.
 */

import { LIMITS } from '../limits.ts'
import { parseDuration } from './duration.ts'
import type { Monitor, MonitorWindow, Statistic } from './monitor.ts'
import { createReader, type Reader, type Reading, type Sample } from './sample.ts'
import { isHit } from './streak-tally.ts'
import { createTally, type Tally } from './tally.ts'
import type { Breach } from './total.ts'

/** The bound that was passed. */
export type MonitorBreach =
  | Breach
  | {
      /** Which bound it is. */
      readonly bound: 'unreadable'
      /** Where it stands. */
      readonly threshold: string
    }

/** What a monitor says. */
export type MonitorVerdict = {
  /** All is well, it has tripped, or there is too little to say. */
  readonly kind: 'ok' | 'trip' | 'no_data'
  /** Decimal text, rounded away from zero for showing; null where there is nothing to compute. */
  readonly value: string | null
  /** Executions in the window. */
  readonly samples: number
  /** Values in the window that are no number. */
  readonly unreadable: number
  /** With `trip`. */
  readonly breach: MonitorBreach | null
}

type Held = { readonly leaf: number; readonly at: number; readonly reading: Reading }

export class RollingWindow {
  readonly monitor: Monitor
  readonly #reader: Reader
  readonly #tally: Tally
  readonly #most: number
  readonly #durationMs: number
  #held: Held[] = []
  /** Those before it have left. */
  #first = 0
  #now = 0
  #unreadable = 0

  constructor(monitor: Monitor) {
    this.monitor = monitor
    this.#reader = createReader(monitor)
    this.#tally = createTally(monitor.statistic)
    this.#most = monitor.window.executions ?? LIMITS.monitorWindowExecutions
    this.#durationMs = getDurationMs(monitor.window)
  }

  /** In tree order. False: the monitor does not watch executions of this kind. */
  add(sample: Sample): boolean {
    const reading = this.#reader(sample)
    if (reading === undefined) return false
    this.#advance(sample.at)
    this.#held.push({ leaf: sample.leaf, at: this.#now, reading })
    this.#tally.add(reading)
    if (reading === null) this.#unreadable += 1
    const oldest = this.#held[this.#first]
    if (this.#size > this.#most && oldest !== undefined) this.#drop(oldest)
    return true
  }

  /** As of the last execution; `now`: as of then, without forgetting what is too old by then. */
  computeVerdict(now: number = this.#now): MonitorVerdict {
    const start = now - this.#durationMs
    const oldest = this.#held[this.#first]
    if (oldest === undefined || oldest.at > start)
      return this.#judge(this.#tally, this.#size, this.#unreadable)
    const left = this.#held.slice(this.#first).filter(({ at }) => at > start)
    const tally = createTally(this.monitor.statistic)
    for (const { reading } of left) tally.add(reading)
    return this.#judge(tally, left.length, left.filter(({ reading }) => reading === null).length)
  }

  #judge(tally: Tally, samples: number, unreadable: number): MonitorVerdict {
    const { min_samples, max_unreadable, statistic } = this.monitor
    const { value, breach } = tally.computeTotal()
    const found = { value, samples, unreadable }
    if (samples < min_samples) return { kind: 'no_data', ...found, breach: null }
    if (!isUnreadableTolerated(statistic) && unreadable > max_unreadable) {
      const threshold = String(max_unreadable)
      return { kind: 'trip', ...found, breach: { bound: 'unreadable', threshold } }
    }
    return { kind: breach === null ? 'ok' : 'trip', ...found, breach }
  }

  /** Leaves of the executions behind a breach, the oldest first. */
  listLeavesBehind({ bound }: MonitorBreach): readonly number[] {
    const held = this.#held.slice(this.#first)
    const toLeaves = (some: readonly Held[]): readonly number[] => some.map(({ leaf }) => leaf)
    if (bound === 'unreadable') return toLeaves(held.filter(({ reading }) => reading === null))
    // A run ends now, and starts after the last that did not meet the condition.
    if (bound === 'length')
      return toLeaves(held.slice(held.findLastIndex(({ reading }) => !isHit(reading)) + 1))
    const isRate = this.monitor.statistic.kind === 'rate'
    if (isRate && bound === 'max') return toLeaves(held.filter(({ reading }) => isHit(reading)))
    return toLeaves(held)
  }

  get #size(): number {
    return this.#held.length - this.#first
  }

  /** The tree keeps the order of each trajectory, not of time: here time does not run back. */
  #advance(now: number): void {
    this.#now = Math.max(this.#now, now)
    const start = this.#now - this.#durationMs
    for (;;) {
      const oldest = this.#held[this.#first]
      if (oldest === undefined || oldest.at > start) return
      this.#drop(oldest)
    }
  }

  #drop({ reading }: Held): void {
    this.#tally.drop(reading)
    if (reading === null) this.#unreadable -= 1
    this.#first += 1
    if (this.#first * 2 <= this.#held.length) return
    this.#held = this.#held.slice(this.#first)
    this.#first = 0
  }
}

function getDurationMs({ duration }: MonitorWindow): number {
  return parseDuration(duration ?? '') ?? Number.POSITIVE_INFINITY
}

/** Where an unreadable value counts as the worst that it can be, it needs no limit of its own. */
function isUnreadableTolerated({ kind }: Statistic): boolean {
  return kind === 'rate' || kind === 'streak'
}
