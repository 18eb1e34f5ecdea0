/** What people see of all agents at once: how each did, when it was last at work, and what is left to it. */
import { getPrincipalName } from '../../people/principal.ts'
import type { FoundActivity, FoundAgents } from '../../search/index.ts'
import { agentActivity } from '../schemas/agent-activity.ts'
import { overviewRange } from '../schemas/overview.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import { buildClosedObject } from '../schemas/shape.ts'
import { listMovedBudgets } from './moved-budgets.ts'

export function createAgentActivityRoutes(parts: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/agent-activity',
      operation: 'getAgentActivity',
      summary: 'verdicts of each agent over time, when it was last at work, and its fullest budget',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({ range: overviewRange }),
      reply: agentActivity,
      handle: (asked) => showActivity(parts, asked),
    },
  ]
}

async function showActivity(
  { engine, lookups }: RouteParts,
  { principal, query }: RouteRequest,
): Promise<Reply> {
  const question = { asker: getPrincipalName(principal), own: null, params: {}, query }
  const counted = await lookups.answer('getAgentActivity', question)
  if (counted.status !== 200) return counted
  const found = parseFound(counted.body)
  // Of whoever was at work last: those with many agents have most of them idle.
  const recent = found.agents.toSorted(compareLastSeen).map(({ agent_id }) => agent_id)
  const { moved, lookedAt, of } = await listMovedBudgets(engine, recent)
  const agents = found.agents.map((agent) => ({
    ...agent,
    budget: moved.find((budget) => budget.agent === agent.agent_id) ?? null,
  }))
  return toReply({ ...found, agents, complete: found.complete && lookedAt === of })
}

function compareLastSeen(a: FoundActivity, b: FoundActivity): number {
  return (a.last_seen ?? '') > (b.last_seen ?? '') ? -1 : 1
}

/** A lookup answers as its route does; from another thread, as text. */
function parseFound(body: Reply['body']): FoundAgents {
  return (typeof body === 'string' ? JSON.parse(body) : body) as FoundAgents
}
