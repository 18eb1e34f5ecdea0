import type { ServerNotice } from './server-notice.ts'
import type { ServerNotices } from './server-notices.ts'

const LOOK_MS = 200

export type NoticesAsked = {
  readonly agent: string
  /** Null: from now on. */
  readonly after: number | null
  readonly waitMs: number
  /** Nobody waits any more. */
  readonly isGone: () => boolean
}

export type AwaitedNotices = { readonly last: number; readonly notices: readonly ServerNotice[] }

/** Those behind a number. Where there are none it waits for the next, and at most so long. */
export async function awaitNotices(
  notices: ServerNotices,
  { agent, after, waitMs, isGone }: NoticesAsked,
): Promise<AwaitedNotices> {
  const since = after ?? notices.last
  const take = (): AwaitedNotices => ({
    last: notices.last,
    notices: notices.listAfter(since, agent).map(({ notice }) => notice),
  })
  // Of another process, whose notices nobody has any more.
  if (since > notices.last) return take()
  for (let waited = 0; take().notices.length === 0 && waited < waitMs; waited += LOOK_MS) {
    if (isGone()) break
    await waitForNext(notices, Math.min(LOOK_MS, waitMs - waited))
  }
  return take()
}

function waitForNext(notices: ServerNotices, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stop()
      clearTimeout(timer)
      resolve()
    }
    const stop = notices.follow(end)
    const timer = setTimeout(end, ms)
  })
}
