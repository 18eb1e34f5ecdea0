/** An agent in a list, and its session. */
import type { JsonObject } from 'rubicon-kernel'
import type { AgentSummary, Handshake } from 'rubicon-runtime/engine/authority'
import {
  allowNull,
  boolean,
  buildEnum,
  buildWholeObject,
  count,
  moment,
  nameSchema,
  string,
} from './shape.ts'

const STATUSES = ['INITIALIZING', 'ACTIVE', 'SUSPENDED', 'RETIRED'] as const

export const agentStatus: JsonObject = nameSchema('AgentStatus', buildEnum(...STATUSES))
export const agentState: JsonObject = nameSchema('AgentState', buildEnum(...STATUSES, 'ESCALATED'))

export const agentSummary: JsonObject = nameSchema(
  'AgentSummary',
  buildWholeObject<AgentSummary>({
    agent_id: string,
    status: agentState,
    /** Requests of it that wait for somebody. */
    waiting: count,
    version: allowNull(string),
    owner: allowNull(string),
    mission: allowNull(string),
    revoked: boolean,
    instance_of: allowNull(string),
    parent_agent: allowNull(string),
    problems: count,
  }),
)

export const handshake: JsonObject = nameSchema(
  'Handshake',
  buildWholeObject<Handshake>({
    session_token: string,
    expires_at: moment,
    schema_version: string,
    status: agentStatus,
  }),
)
