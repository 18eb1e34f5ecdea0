/** Time comes in through here, and so does waiting: the simulator owns every wake-up. */
export interface Clock {
  /** UTC, epoch milliseconds. May jump. */
  now(): number
  /** Milliseconds that never run backwards; for durations only. */
  monotonic(): number
  /** `idle`: nobody waits for it, so that a process with nothing else to do may end before. */
  after(ms: number, idle?: boolean): Timer
}

export interface Timer {
  /** Resolves when the time has passed; never, once it was cancelled. */
  readonly elapsed: Promise<void>
  cancel(): void
}
