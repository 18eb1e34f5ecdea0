/** An agent in a list, and its session. */
import type { JsonObject } from 'rubicon-kernel'
import type { AgentSummary } from '../../engine/registry/agent-summary.ts'
import type { Handshake } from '../../engine/registry/handshake.ts'
import {
  boolean,
  buildWholeObject,
  count,
  moment,
  named,
  orNull,
  string,
  words,
} from '../routes/shape.ts'

const STATUSES = ['INITIALIZING', 'ACTIVE', 'SUSPENDED', 'RETIRED'] as const

export const agentStatus: JsonObject = named('AgentStatus', words(...STATUSES))
export const agentState: JsonObject = named('AgentState', words(...STATUSES, 'ESCALATED'))

export const agentSummary: JsonObject = named(
  'AgentSummary',
  buildWholeObject<AgentSummary>({
    agent_id: string,
    status: agentState,
    /** Requests of it that wait for somebody. */
    waiting: count,
    version: orNull(string),
    owner: orNull(string),
    mission: orNull(string),
    revoked: boolean,
    instance_of: orNull(string),
    parent_agent: orNull(string),
    problems: count,
  }),
)

export const handshake: JsonObject = named(
  'Handshake',
  buildWholeObject<Handshake>({
    session_token: string,
    expires_at: moment,
    schema_version: string,
    status: agentStatus,
  }),
)
