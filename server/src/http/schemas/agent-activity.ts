/** How agents did in a span of time, and what is left to each. */
import type { JsonObject } from 'rubicon-kernel'
import type { FoundActivity } from '../../search/index.ts'
import { type MovedBudget, movedBudget } from './overview.ts'
import { indexed } from './search.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildWholeObject,
  count,
  moment,
  nameSchema,
  string,
} from './shape.ts'

export type AgentActivity = FoundActivity & { readonly budget: MovedBudget | null }

const activity = nameSchema(
  'AgentActivity',
  buildWholeObject<AgentActivity>({
    agent_id: string,
    last_seen: { ...allowNull(moment), description: 'when a flow of it moved last' },
    accepted: count,
    rejected: count,
    escalated: count,
    series: { ...buildArray(count), description: 'verdicts in each step, the oldest first' },
    silent: { ...boolean, description: 'it opened no flow for far longer than it usually takes' },
    budget: {
      ...allowNull(movedBudget),
      description: 'the one that is closest to its limit; null as well where it was not looked at',
    },
  }),
)

export const agentActivity: JsonObject = nameSchema(
  'AgentsActivity',
  buildWholeObject({
    since: moment,
    until: moment,
    step_ms: count,
    indexed,
    agents: buildArray(activity),
    complete: {
      ...boolean,
      description:
        'false: there are more agents, or more budgets, than were looked at; what is missing is of those at work longest ago',
    },
  }),
)
