/**
 * The time of the server: every batch and every decision asks for it, so that processes whose clocks
 * differ agree about what has ended. In between a process counts on from what it was told last; how far
 * its own clock is off is all that its own clock is asked for.
 *
 * A server whose clock is set back by less than the skew is not followed back: what a process decided at one
 * time it never writes down at an earlier one.
 */
import { formatInstant, LIMITS } from 'rubicon-kernel'
import type { StoreTime } from '../../ports/store-time.ts'
import { parseNumber } from './rows.ts'
import type { DatabaseSession, NamedStatement } from './session.ts'

export class ServerTime implements StoreTime {
  readonly #clock: () => number
  /** A test's clock is the server's. */
  readonly #isGiven: boolean
  /** How far the server's clock is ahead of ours. */
  #aheadMs = 0
  /** The latest that the server said. */
  #latest = 0

  constructor(clock: () => number, isGiven: boolean) {
    this.#clock = clock
    this.#isGiven = isGiven
  }

  getNow(): number {
    return this.#clock() + this.#aheadMs
  }

  findSkew(): null {
    return null
  }

  confirm(): () => void {
    return () => {}
  }

  /** Asks, in the transaction of the session. */
  async ask(session: DatabaseSession): Promise<string> {
    if (this.#isGiven) return formatInstant(this.#follow(this.#clock()))
    const [row] = await session.run(SERVER_TIME)
    const said = parseNumber(row, 'now')
    if (said === undefined) throw new Error('the server did not say its time')
    const now = this.#follow(said)
    this.#aheadMs = now - Math.floor(this.#clock())
    return formatInstant(now)
  }

  #follow(now: number): number {
    const isBehind = now < this.#latest && now >= this.#latest - LIMITS.clockSkewMs
    if (!isBehind) this.#latest = now
    return this.#latest
  }
}

const SERVER_TIME: NamedStatement = {
  name: 'server_time',
  text: 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
}
