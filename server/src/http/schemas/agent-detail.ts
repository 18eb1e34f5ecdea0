/** One agent, whole. */
import type { JsonObject, Occasion } from 'rubicon-kernel'
import { agentState, agentStatus } from './agent.ts'
import { sentence } from './contract.ts'
import { flowState } from './flow.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildEnum,
  buildMap,
  buildWholeObject,
  integer,
  nameSchema,
  string,
} from './shape.ts'

const stateSince: JsonObject = nameSchema(
  'StateSince',
  buildWholeObject({
    at: string,
    seq: integer,
    from: allowNull(agentStatus),
    actor: buildEnum('registry', 'runtime', 'operator', 'agent'),
    by: string,
    justification: string,
  }),
)

const budget: JsonObject = nameSchema(
  'AgentBudget',
  buildWholeObject({
    of: buildEnum('agent', 'window', 'flow'),
    dfid: allowNull(string),
    measure: string,
    spent: string,
    reserved: string,
    limit: string,
    resets_at: allowNull(string),
  }),
)

const verdictMix: JsonObject = nameSchema(
  'VerdictMix',
  buildWholeObject({
    since: string,
    outcomes: buildMap(integer),
    reasons: buildArray(buildWholeObject({ code: string, count: integer })),
    last: allowNull(string),
  }),
)

/** By whom an instance was spawned, and for how long. */
const occasion: JsonObject = nameSchema(
  'Occasion',
  buildWholeObject<Occasion>({
    spawner: string,
    until: { anyOf: [buildWholeObject({ flow: string }), buildWholeObject({ at: string })] },
    ends_at: string,
  }),
)

export const agentDetail: JsonObject = nameSchema(
  'AgentDetail',
  buildWholeObject({
    agent_id: string,
    status: agentState,
    waiting: integer,
    version: allowNull(string),
    owner: allowNull(string),
    mission: allowNull(string),
    revoked: boolean,
    instance_of: allowNull(string),
    parent_agent: allowNull(string),
    state: allowNull(stateSince),
    /** Of the contract in force. */
    sentences: buildArray(sentence),
    source: allowNull(string),
    budgets: buildArray(budget),
    verdicts: verdictMix,
    last_seen: allowNull(string),
    open_flows: buildArray(
      buildWholeObject({ dfid: string, state: flowState, trigger: string, updated_at: string }),
    ),
    instances: buildArray(buildWholeObject({ agent_id: string, status: agentStatus })),
    problems: buildArray(buildWholeObject({ summary: string, fix: string })),
    occasion: { ...allowNull(occasion), description: 'null: no agent spawned it' },
    /** Why its parent is not asked about what it does; null: it is, or there is none. */
    parent_passed_over: allowNull(string),
  }),
)

export const agentMoved: JsonObject = nameSchema(
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
