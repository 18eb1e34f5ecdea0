/** Time comes in through here, and so does waiting: the simulator owns every wake-up. */
export interface Clock {
  /** UTC, epoch milliseconds. May jump. */
  now(): number
  /** Milliseconds that never run backwards; for durations only. */
  monotonic(): number
  /** `awaited`: whoever asked waits for nothing else, so the process must not end before. */
  after(ms: number, awaited?: boolean): Timer
}

export interface Timer {
  /** Resolves when the time has passed; never, once it was cancelled. */
  readonly elapsed: Promise<void>
  cancel(): void
}
