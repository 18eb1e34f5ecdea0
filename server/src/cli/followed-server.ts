/**
 * The server that a long-lived verb asks, also after it was started anew: each start has a socket of its own.
 *
 * Nothing is sent again here. Whoever asked knows whether that is safe, and finds the new server when they do.
 */
import type { Announcement } from '../local-socket/announcement.ts'
import { createSocketFetch } from '../local-socket/socket-fetch.ts'
import type { StorePlace } from './call.ts'
import { findRunningServer } from './running-server.ts'

export class FollowedServer {
  readonly #place: StorePlace
  #running: Announcement
  #fetch: typeof fetch
  #looking: Promise<void> | null = null

  constructor(place: StorePlace, running: Announcement) {
    this.#place = place
    this.#running = running
    this.#fetch = createSocketFetch(running.socket, { keepAlive: true })
  }

  /** Where people find its console; empty: it does not say. */
  get url(): string {
    return this.#running.url
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const { socket } = this.#running
    try {
      return await this.#fetch(input, init)
    } catch (error) {
      if (this.#running.socket === socket) await this.#look()
      throw error
    }
  }

  #look(): Promise<void> {
    this.#looking ??= this.#findAgain().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async #findAgain(): Promise<void> {
    const found = await findRunningServer(this.#place).catch(() => null)
    if (found === null || found.socket === this.#running.socket) return
    this.#running = found
    this.#fetch = createSocketFetch(found.socket, { keepAlive: true })
  }
}
