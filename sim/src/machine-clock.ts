/**
 * The clock of one machine, which is wrong by some seconds and which somebody sets; and those of its
 * processes, whose monotonic time has nothing to do with that of any other process.
 */
import type { Clock, Timer } from '../../runtime/src/ports/clock.ts'
import type { VirtualTime } from './clock.ts'
import type { SimProcess } from './process.ts'

const START_MS: number = Date.UTC(2026, 5, 1)

export class MachineClock {
  readonly #time: VirtualTime
  #offset: number
  #astray = 0

  constructor(time: VirtualTime, skewMs: number) {
    this.#time = time
    this.#offset = skewMs
  }

  getNow(): number {
    return this.getUnstrayedTime() + this.#astray
  }

  /** What it would say if it had not gone astray. */
  getUnstrayedTime(): number {
    return START_MS + this.#time.getElapsedMs() + this.#offset
  }

  /** By more than anybody could take for the time. Nothing: it is put right. */
  goAstray(ms: number): void {
    this.#astray = ms
  }

  /** How far it is ahead of the truth. */
  get offset(): number {
    return this.#offset
  }

  /** Sets it, as an administrator or a time service would. */
  jump(ms: number): void {
    this.#offset += ms
  }

  /** As one process sees it: wake-ups end with the process, and wait while it stands still. */
  createProcessClock(process: SimProcess, firstMonotonic: number): Clock {
    const time = this.#time
    const shift = firstMonotonic - time.getElapsedMs()
    return {
      now: () => this.getNow(),
      monotonic: () => time.getElapsedMs() + shift,
      after(ms): Timer {
        let cancel = (): void => {}
        const elapsed = new Promise<void>((resolve) => {
          cancel = time.schedule(ms, () => process.deliver(resolve))
        })
        return { elapsed, cancel }
      },
    }
  }
}
