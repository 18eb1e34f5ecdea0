/**
 * Servers that a client asked for and did not get a list of. Their tools are not shown, so that no call would bring them
 * back: each is tried again until it answers, and clients are told then.
 */
import { LIST_NAMES } from '../notices/server-notice.ts'
import type { ServerNotices } from '../notices/server-notices.ts'
import type { Upstream } from '../upstream/upstream.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

export class AbsentServers {
  readonly #notices: ServerNotices
  readonly #awaited = new Set<string>()

  constructor(notices: ServerNotices) {
    this.#notices = notices
  }

  awaitServer(server: Upstream): void {
    if (this.#awaited.has(server.name)) return
    this.#awaited.add(server.name)
    this.#tryLater(server, FIRST_PAUSE_MS)
  }

  #tryLater(server: Upstream, pauseMs: number): void {
    setTimeout(() => {
      void server.listTools().then(
        () => {
          this.#awaited.delete(server.name)
          for (const list of LIST_NAMES) this.#notices.tellChanged(list)
        },
        () => {
          if (!server.isClosed) this.#tryLater(server, Math.min(pauseMs * 2, LONGEST_PAUSE_MS))
        },
      )
    }, pauseMs).unref()
  }
}
