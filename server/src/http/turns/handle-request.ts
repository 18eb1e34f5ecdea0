/**
 * A request that was let in is read, and then handled: one that is large, or that looks much up, in the line of its
 * asker.
 *
 * Q1 what a person ends authority with waits for nothing. An agent that retires itself waits in line.
 * Q2 every other large request, or heavy one, is read in line. What is done in another thread or in slices leaves it then: it would
 *    hold up its own asker for nothing.
 */
import { LIMITS, type Result } from 'rubicon-kernel'
import type { Reply, Route } from '../schemas/route.ts'
import type { LargeRequests } from './large-requests.ts'

/** What is left to do when a request was read. */
export type Handle = () => Promise<Reply>

export type Arrived = {
  readonly route: Pick<Route, 'beside' | 'heavy'> & {
    /** A person ends authority. */
    readonly stops?: boolean
  }
  readonly asker: string
  readonly bytes: Uint8Array
  readonly isGone: () => boolean
  readonly read: () => Promise<Result<Handle, Reply>>
}

/** Null: whoever asked has hung up meanwhile. */
export async function handleRequest(
  large: LargeRequests,
  { route: { stops, beside, heavy }, asker, bytes, isGone, read }: Arrived,
): Promise<Reply | null> {
  const isLarge = stops !== true && (heavy === true || bytes.length > LIMITS.largeRequestBytes)
  if (!isLarge) return begin(await read())
  if (beside !== true) return large.handle(asker, isGone, async () => begin(await read()))
  const ready = await large.handle(asker, isGone, read)
  return ready === null ? null : begin(ready)
}

async function begin(ready: Result<Handle, Reply>): Promise<Reply> {
  return ready.ok ? ready.value() : ready.error
}
