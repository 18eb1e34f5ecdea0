import type { AgentConnection } from 'rubicon-agents'
import type { ServersBehind } from '../behind/servers-behind.ts'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import type { ShowFlow } from './call-result.ts'

export type FrontOptions = {
  readonly agent: AgentConnection
  /** Those that were agreed to, by the names that clients see. */
  readonly tools: () => ReadonlyMap<string, ToolDefinition>
  /** The servers as they are now. Without it clients are shown what was agreed to, and nothing else. */
  readonly behind?: ServersBehind
  /** False: it ends with one request, so that somebody else tells its client of lists that change. */
  readonly isLasting?: boolean
  readonly showFlow: ShowFlow
  readonly instructions?: string
  /** The conversation, an identifier among all of the agent, in which clients give no id twice; absent: nobody vouches for that. */
  readonly conversation?: string
  /** What calls are grouped by that name no conversation, where nobody vouches for ids. */
  readonly nameConversation?: () => string
  /** How long somebody else is waited for before a client is told to ask again. */
  readonly waitMs?: number
  /** How long a call that was sent is waited for; shorter than clients wait. */
  readonly callMs?: number
}
