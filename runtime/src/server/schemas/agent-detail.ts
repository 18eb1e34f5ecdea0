/** One agent, whole. */
import type { JsonObject } from 'rubicon-kernel'
import {
  boolean,
  buildWholeObject,
  integer,
  many,
  mapOf,
  named,
  orNull,
  string,
  words,
} from '../routes/shape.ts'
import { agentState, agentStatus } from './agent.ts'
import { sentence } from './contract.ts'
import { flowState } from './flow.ts'

const stateSince: JsonObject = named(
  'StateSince',
  buildWholeObject({
    at: string,
    seq: integer,
    from: orNull(agentStatus),
    actor: words('registry', 'runtime', 'operator', 'agent'),
    by: string,
    justification: string,
  }),
)

const budget: JsonObject = named(
  'AgentBudget',
  buildWholeObject({
    of: words('agent', 'window', 'flow'),
    dfid: orNull(string),
    measure: string,
    spent: string,
    reserved: string,
    limit: string,
    resets_at: orNull(string),
  }),
)

const verdictMix: JsonObject = named(
  'VerdictMix',
  buildWholeObject({
    since: string,
    outcomes: mapOf(integer),
    reasons: many(buildWholeObject({ code: string, count: integer })),
    last: orNull(string),
  }),
)

export const agentDetail: JsonObject = named(
  'AgentDetail',
  buildWholeObject({
    agent_id: string,
    status: agentState,
    waiting: integer,
    version: orNull(string),
    owner: orNull(string),
    mission: orNull(string),
    revoked: boolean,
    instance_of: orNull(string),
    parent_agent: orNull(string),
    state: orNull(stateSince),
    /** Of the contract in force. */
    sentences: many(sentence),
    source: orNull(string),
    budgets: many(budget),
    verdicts: verdictMix,
    last_seen: orNull(string),
    open_flows: many(
      buildWholeObject({ dfid: string, state: flowState, trigger: string, updated_at: string }),
    ),
    instances: many(buildWholeObject({ agent_id: string, status: agentStatus })),
    problems: many(buildWholeObject({ summary: string, fix: string })),
  }),
)

export const agentMoved: JsonObject = named(
  'AgentMoved',
  buildWholeObject(
    {
      agent_id: string,
      from: agentStatus,
      to: agentStatus,
      justification: string,
      /** With `revoke`: the entry of the authority trajectory that ended its contract. */
      seq: integer,
    },
    ['seq'],
  ),
)
