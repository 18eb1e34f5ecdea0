/** What an agent may know of the MCP servers behind its runtime, beside what it does there. */
import type { JsonObject } from 'rubicon-kernel/canonical'
import type { AwaitMcpNoticesReply, ListMcpItemsAsked } from '../generated.ts'
import type { AgentWire } from './agent-wire.ts'

/** The MCP servers behind a runtime, as its gateway shows them. */
export type McpConnection = {
  /** What they offer now, under the names that clients see. */
  list(list: ListMcpItemsAsked['query']['list']): Promise<readonly JsonObject[]>
  /** What they say unasked, behind that number; null: from now on. It waits for a while, and may come back with nothing. */
  awaitNotices(after: number | null, signal?: AbortSignal): Promise<AwaitMcpNoticesReply>
}

/** Shorter than a server takes to stop: it waits for what was asked. */
const WAIT_MS = 3_000

export function createMcpConnection(wire: AgentWire): McpConnection {
  return {
    async list(list) {
      const { items } = await wire.perform((client) => client.listMcpItems({ query: { list } }))
      return items as readonly JsonObject[]
    },
    awaitNotices(after, signal) {
      const query = { wait_ms: `${WAIT_MS}`, ...(after === null ? {} : { after: `${after}` }) }
      const given = signal === undefined ? {} : { signal }
      return wire.perform((client) => client.awaitMcpNotices({ query, ...given }))
    },
  }
}
