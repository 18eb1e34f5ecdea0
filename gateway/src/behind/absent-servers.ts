/**
 * Lists that a client asked for and did not get. What stands in them is not shown, so that no call would bring it back: each
 * is asked for again until it is answered, and clients are told then.
 *
 * Boundary: the same list, and not whether its server answers something else. Clients that are told of a list ask for it.
 */
import type { ListName } from '../notices/server-notice.ts'
import type { ServerNotices } from '../notices/server-notices.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { McpList } from './servers-behind.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

export type AbsentList = {
  readonly server: Upstream
  readonly list: McpList
  ask(): Promise<unknown>
}

export class AbsentServers {
  readonly #notices: ServerNotices
  readonly #awaited = new Set<string>()

  constructor(notices: ServerNotices) {
    this.#notices = notices
  }

  awaitList(absent: AbsentList): void {
    const name = `${absent.server.name} ${absent.list}`
    if (this.#awaited.has(name)) return
    this.#awaited.add(name)
    this.#tryLater(name, absent, FIRST_PAUSE_MS)
  }

  #tryLater(name: string, absent: AbsentList, pauseMs: number): void {
    setTimeout(() => {
      void absent.ask().then(
        () => {
          this.#awaited.delete(name)
          this.#notices.tellChanged(toListName(absent.list))
        },
        () => {
          if (!absent.server.isClosed)
            this.#tryLater(name, absent, Math.min(pauseMs * 2, LONGEST_PAUSE_MS))
        },
      )
    }, pauseMs).unref()
  }
}

/** Templates are a part of what clients are told of resources. */
function toListName(list: McpList): ListName {
  return list === 'templates' ? 'resources' : list
}
