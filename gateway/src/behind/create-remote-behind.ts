/**
 * The servers behind a front in another process: asked over the connection of its agent.
 *
 * 1. Notices are waited for as long as somebody follows. What goes wrong ends nothing: it is asked again after a pause.
 * 2. A runtime that was started anew counts from the beginning. What was said meanwhile is not known, so that all lists
 *    are taken for changed.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { LIST_NAMES, type ServerNotice } from '../notices/server-notice.ts'
import type { NoticeHandler } from '../notices/server-notices.ts'
import type { McpList, ServersBehind } from './servers-behind.ts'

export type RemoteServers = {
  list(list: McpList): Promise<readonly JsonObject[]>
  /** `after`: null for the first time. */
  awaitNotices(after: number | null, signal: AbortSignal): Promise<HeardNotices>
}

export type HeardNotices = { readonly last: number; readonly notices: readonly object[] }

export type RemoteBehind = ServersBehind & { close(): void }

const PAUSE_MS = 2_000

export function createRemoteBehind(
  remote: RemoteServers,
  soleResourceServer: string | undefined,
  pauseMs: number = PAUSE_MS,
): RemoteBehind {
  const followers = new Set<NoticeHandler>()
  const ended = new AbortController()
  const tell = (notice: ServerNotice): void => {
    for (const handler of followers) handler(notice)
  }
  let isFollowing = false
  return {
    soleResourceServer,
    list: (list) => remote.list(list),
    follow(handler) {
      followers.add(handler)
      if (!isFollowing) void followRemote(remote, tell, pauseMs, ended.signal)
      isFollowing = true
      return () => void followers.delete(handler)
    },
    close: () => ended.abort(),
  }
}

async function followRemote(
  remote: RemoteServers,
  tell: (notice: ServerNotice) => void,
  pauseMs: number,
  signal: AbortSignal,
): Promise<void> {
  let after: number | null = null
  while (!signal.aborted) {
    const heard: HeardNotices | null = await remote.awaitNotices(after, signal).catch(() => null)
    if (heard === null) {
      await new Promise((done) => setTimeout(done, pauseMs).unref())
      continue
    }
    if (after !== null && heard.last < after)
      for (const list of LIST_NAMES) tell({ kind: 'changed', list })
    after = heard.last
    for (const said of heard.notices) if (isNotice(said)) tell(said)
  }
}

/** The runtime wrote it; what a later version says besides is passed over. */
function isNotice(notice: object): notice is ServerNotice {
  const said = notice as JsonObject
  const isAgents = typeof said.agent === 'string'
  if (said.kind === 'changed') return (LIST_NAMES as readonly JsonValue[]).includes(said.list ?? '')
  if (said.kind === 'progress') return isAgents && typeof said.progress === 'number'
  return said.kind === 'log' && isAgents && typeof said.server === 'string'
}
