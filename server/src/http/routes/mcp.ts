/** MCP servers behind the gateway: how they are, what tools they have, and a person's yes to a tool as it is now. */
import { type JsonValue, LIMITS } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { checkReason } from 'rubicon-runtime/engine/rows'
import { identifyOnlooker } from '../../people/person-asking.ts'
import { getPrincipalName, type Principal, toSignedBy } from '../../people/principal.ts'
import type { Lookups } from '../lookups/lookup.ts'
import { toProblemReply } from '../problems/problem.ts'
import { mcpApproved, mcpServers, mcpTools } from '../schemas/mcp.ts'
import type { McpCalls, McpDoor, McpToolView } from '../schemas/mcp-door.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import { buildClosedObject, buildEnum, text } from '../schemas/shape.ts'

const CLASSES = ['read', 'write', 'destroy']

export function createMcpRoutes({ engine, lookups, mcp }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/mcp/servers',
      operation: 'listMcpServers',
      summary: 'the MCP servers behind the gateway, whether they run, and what they wrote last',
      roles: ['operator', 'approver', 'auditor'],
      reply: mcpServers,
      handle: () =>
        toReply({
          file: mcp?.file ?? null,
          agent: mcp?.agent ?? null,
          servers: mcp?.listServers() ?? [],
        }),
    },
    {
      method: 'GET',
      path: '/v1/mcp/tools',
      operation: 'listMcpTools',
      summary:
        'the tools of all MCP servers as they are now, against what was approved, and what agents made of them lately',
      roles: ['operator', 'approver', 'auditor'],
      reply: mcpTools,
      handle: ({ principal }) => listTools(engine, lookups, mcp, principal),
    },
    {
      method: 'POST',
      path: '/v1/mcp/tools/:server/:tool/approve',
      operation: 'approveMcpTool',
      summary: 'approve a tool as it is now; it is used after the next start',
      roles: ['operator'],
      body: buildClosedObject(
        {
          pin: text(LIMITS.identifierLength),
          class: buildEnum(...CLASSES),
          reason: { ...text(LIMITS.justificationLength), minLength: 1 },
        },
        ['pin', 'reason'],
      ),
      once: true,
      reply: mcpApproved,
      handle: (asked) => approve(mcp, asked),
    },
  ]
}

async function listTools(
  engine: Engine,
  lookups: Lookups,
  mcp: McpDoor | undefined,
  principal: Principal,
): Promise<Reply> {
  if (mcp === undefined) return toReply({ tools: [], counted: { decisions: 0, since: null } })
  const agents = [...new Set([mcp.agent, ...mcp.tokens.listAgents()])]
  const asker = getPrincipalName(principal)
  const states = await mcp.listTools()
  if (!states.ok) return toProblemReply(states.error)
  const [waiting, ...pages] = await Promise.all([
    countWaiting(engine, principal),
    ...agents.map((agent) => listDecisions(lookups, asker, agent)),
  ])
  const decisions = pages.flat()
  const tools: readonly McpToolView[] = states.value.map((state) => ({
    ...state,
    calls: countCalls(decisions.filter(({ policy_kind }) => policy_kind === state.kind)),
    waiting: waiting.get(state.kind) ?? 0,
  }))
  const since = decisions.map(({ at }) => at).sort()[0] ?? null
  return toReply({ tools, counted: { decisions: decisions.length, since } })
}

type Decision = { readonly policy_kind: string; readonly outcome: string; readonly at: string }

/** The newest of an agent, as many as a list has. */
async function listDecisions(
  lookups: Lookups,
  asker: string,
  agent: string,
): Promise<readonly Decision[]> {
  const query = { agent, limit: String(LIMITS.listed) }
  const { status, body } = await lookups.answer('listDecisions', {
    ...{ asker, own: null, params: {} },
    query,
  })
  return status === 200 ? parseDecisions(body) : []
}

/** A lookup answers as its route does; from another thread, as text. */
function parseDecisions(body: Reply['body']): readonly Decision[] {
  const read = typeof body === 'string' ? JSON.parse(body) : body
  return (read as { readonly decisions: readonly Decision[] }).decisions
}

function countCalls(decisions: readonly Decision[]): McpCalls {
  const countOf = (wanted: string): number =>
    decisions.filter(({ outcome }) => outcome === wanted).length
  return {
    accepted: countOf('ACCEPTED'),
    rejected: countOf('REJECTED'),
    escalated: countOf('ESCALATED'),
  }
}

/** Requests that are open, by the kind that they are about, whoever is to decide them. */
async function countWaiting(
  engine: Engine,
  principal: Principal,
): Promise<ReadonlyMap<string, number>> {
  const who = await identifyOnlooker(engine, principal)
  const counts = new Map<string, number>()
  for (const tab of ['mine', 'fast', 'team'] as const) {
    const { requests } = await engine.oversight.inbox({ tab, limit: LIMITS.listed }, who)
    for (const { action } of requests)
      if (action !== null) counts.set(action, (counts.get(action) ?? 0) + 1)
  }
  return counts
}

async function approve(
  mcp: McpDoor | undefined,
  { principal, params: { server = '', tool = '' }, body, ended }: RouteRequest,
): Promise<Reply> {
  if (mcp === undefined)
    return toProblemReply({
      code: 'MCP_NOT_CONFIGURED',
      summary: 'this server has no gateway to MCP servers',
      fix: 'start it with `rubicon up --mcp FILE`',
    })
  const { pin, class: named, reason } = parseApproval(body)
  const unsaid = checkReason(reason, 'whoever approves a tool')
  if (unsaid !== null) return toProblemReply(unsaid)
  const { by = 'the local operator' } = toSignedBy(principal)
  let refused: Reply | null = null
  const mayWrite = async (): Promise<boolean> => {
    refused = await ended()
    return refused === null
  }
  const done = await mcp.approve({ server, tool, pin, class: named, by, reason, mayWrite })
  if (refused !== null) return refused
  return done.ok ? toReply(done.value) : toProblemReply(done.error)
}

type ApprovalBody = {
  readonly pin: string
  readonly class?: string
  readonly reason: string
}

function parseApproval(body: JsonValue): ApprovalBody {
  return body as ApprovalBody
}
