/** Work that takes a moment, so that what may go on together does; and how much of it there was. */
import { setTimeout as wait } from 'node:timers/promises'

const MOMENT_MS = 20

export class SlowWork {
  /** How often it was begun, and at most how often together. */
  count = 0
  atOnce = 0
  #underWay = 0

  async take(): Promise<void> {
    this.count += 1
    this.#underWay += 1
    this.atOnce = Math.max(this.atOnce, this.#underWay)
    await wait(MOMENT_MS)
    this.#underWay -= 1
  }
}
