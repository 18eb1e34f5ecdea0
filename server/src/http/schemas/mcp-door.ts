/**
 * The gateway to MCP servers, as far as the server needs it. What speaks the protocol is behind it, so that a server
 * without a gateway loads nothing of that.
 */
import type { Failure, JsonObject, JsonValue, Result } from 'rubicon-kernel'
import type { McpTokens } from '../../people/mcp-tokens.ts'

export interface McpDoor {
  readonly tokens: McpTokens
  /** The file that names the servers. */
  readonly file: string
  /** In whose name clients on this machine call. */
  readonly agent: string
  listServers(): readonly McpServerView[]
  /** Asks every server what it has now. */
  listTools(): Promise<Result<readonly McpToolState[], Failure>>
  approve(asked: McpApproval): Promise<Result<McpApproved, Failure>>
  /** A request of a client, without credentials; `body` is what was read of it. */
  answer(agent: string, request: Request, body: JsonValue): Promise<Response>
}

export type McpServerView = {
  readonly server: string
  readonly kind: 'program' | 'address'
  /** The program with its arguments, or the address, without what may be a credential. */
  readonly at: string
  readonly era: 'legacy' | 'modern'
  readonly status: 'absent' | 'connected' | 'waiting'
  /** How often it was connected again since this process started. */
  readonly restarts: number
  /** The last that it wrote to its standard error. */
  readonly errors: readonly string[]
}

/** How a tool stands against the list of agreed ones. */
export type McpStanding =
  | 'agreed'
  | 'changed'
  | 'gone'
  | 'new'
  | 'refused'
  | 'unknown'
  | 'unreviewed'

export type McpToolState = {
  readonly server: string
  readonly tool: string
  readonly kind: string
  readonly state: McpStanding
  /** As it is now; null: its server does not have it, or does not answer. */
  readonly pin: string | null
  /** Whether calls are judged under what the list says: a change counts after the next start. */
  readonly in_use: boolean
  /** What a person said that it is; null: nobody did. */
  readonly class: JsonObject | null
  readonly definition: JsonObject | null
  readonly changes: readonly McpDefinitionChange[]
  /** Characters in its words that nobody sees. */
  readonly hidden: readonly string[]
  readonly approved: McpApprovalNote | null
  readonly why: string | null
}

export type McpDefinitionChange = {
  readonly member: string
  readonly agreed: string | null
  readonly found: string | null
}

export type McpApprovalNote = {
  readonly by: string
  readonly at: string
  readonly reason: string | null
}

/** What agents made of a tool lately, and what of that waits for a person. */
export type McpToolView = McpToolState & {
  readonly calls: McpCalls
  readonly waiting: number
}

export type McpCalls = {
  readonly accepted: number
  readonly rejected: number
  readonly escalated: number
}

export type McpApproval = {
  readonly server: string
  readonly tool: string
  /** Of the definition that the person was shown; another one is not agreed to. */
  readonly pin: string
  /** Undefined: the class that it had. */
  readonly class: string | undefined
  readonly by: string
  readonly reason: string
  /** Asked when everything else is done: servers take their time, and a role may be gone by then. */
  readonly mayWrite: () => Promise<boolean>
}

export type McpApproved = {
  readonly kind: string
  readonly was: McpStanding
  readonly effect: string | null
  /** Where it is written. */
  readonly lock: string
  readonly in_use: 'after the next start'
}
