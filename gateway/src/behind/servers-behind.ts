/**
 * What a front needs to know of the servers behind it, beside what it does there: that is an act of its agent. The front
 * may be in another process than they are.
 */
import type { JsonObject } from 'rubicon-kernel'
import type { NoticeHandler } from '../notices/server-notices.ts'
import type { Upstream } from '../upstream/upstream.ts'

export const MCP_LISTS = ['prompts', 'resources', 'templates', 'tools'] as const

export type McpList = (typeof MCP_LISTS)[number]

/** Whether an agent has that kind in its contract, such as `mcp.files.resources.read`. */
export type MayRead = (kind: string) => boolean

export interface ServersBehind {
  /**
   * As clients are shown them. Of tools: those that were agreed to and are as they were. Of others: those of servers of which
   * the agent may read any, where somebody here knows.
   */
  list(list: McpList, mayRead?: MayRead): Promise<readonly JsonObject[]>
  /** The one server whose resources may be read; undefined: there are several, or none. */
  readonly soleResourceServer: string | undefined
  /** Until it is called, what is returned. */
  follow(handler: NoticeHandler): () => void
}

export function findSoleResourceServer(servers: ReadonlyMap<string, Upstream>): string | undefined {
  const [only, other] = [...servers.values()].filter(({ config }) => config.resources === true)
  return other === undefined ? only?.name : undefined
}
