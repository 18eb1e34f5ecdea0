import type { Topology } from 'rubicon-kernel'

/** What the store keeps of a session of an agent, under the hash of its token. */
export type AgentSession = {
  /** The key that the handshake was signed with; null for one in process. */
  readonly key_id: string | null
  readonly schema_version: string
  /** What its agent can serve beside plain flows; those from before there were any name none. */
  readonly topologies?: readonly Topology[]
  readonly opened_at: string
  readonly expires_at: string
  readonly ended_at: string | null
}
