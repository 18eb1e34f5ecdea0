/** What every part of the engine works with: what it needs from outside, and what it remembers. */
import type { AuthorityCache } from './authority-cache.ts'
import type { Deps } from './deps.ts'
import type { InFlight } from './in-flight.ts'
import type { SendTimes } from './send-times.ts'
import type { WritCache } from './writ-cache.ts'

export type Context = Deps & {
  readonly authorities: AuthorityCache
  readonly writs: WritCache
  readonly inFlight: InFlight
  readonly sends: SendTimes
}
