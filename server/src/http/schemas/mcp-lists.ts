/** What a front in another process is told of the MCP servers behind the gateway of this one. */
import type { JsonObject } from 'rubicon-kernel'

export interface McpLists {
  /** As far as it is the agent's business. */
  list(list: McpListName, agent: string): Promise<readonly JsonObject[]>
  /** Null: from now on. Waits until there is one, and at most so long; `isGone`: nobody waits any more. */
  awaitNotices(asked: McpNoticesAsked): Promise<McpNotices>
}

export const MCP_LIST_NAMES = ['prompts', 'resources', 'templates', 'tools'] as const

export type McpListName = (typeof MCP_LIST_NAMES)[number]

export type McpNoticesAsked = {
  readonly agent: string
  readonly after: number | null
  readonly waitMs: number
  readonly isGone: () => boolean
}

/** `last`: of the newest, whoever it is for. One that is smaller than before is that of another process. */
export type McpNotices = { readonly last: number; readonly notices: readonly JsonObject[] }
