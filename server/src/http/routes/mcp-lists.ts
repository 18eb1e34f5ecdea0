/** What agents are told of the MCP servers behind the gateway: what these offer now, and what they say unasked. */
import { LIMITS } from 'rubicon-kernel'
import type { Principal } from '../../people/principal.ts'
import { MCP_LIST_NAMES, type McpListName, type McpNotices } from '../schemas/mcp-lists.ts'
import { type Route, toReply } from '../schemas/route.ts'
import {
  buildArray,
  buildClosedObject,
  buildWholeObject,
  count,
  nameSchema,
  open,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

const items = nameSchema('McpItems', buildWholeObject({ items: buildArray(open) }))

const notices = nameSchema(
  'McpNotices',
  buildWholeObject<McpNotices>({ last: count, notices: buildArray(open) }),
)

const NOBODY: McpNotices = { last: 0, notices: [] }

export function createMcpListRoutes({ mcpLists }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/mcp/items',
      operation: 'listMcpItems',
      summary:
        'what the MCP servers behind the gateway offer now, under the names that clients see',
      roles: ['agent'],
      query: buildClosedObject({ list: { type: 'string', enum: [...MCP_LIST_NAMES] } }, ['list']),
      reply: items,
      async handle({ principal, query }) {
        const items = await mcpLists?.list(parseListName(query.list), getAgent(principal))
        return toReply({ items: items ?? [] })
      },
    },
    {
      method: 'GET',
      path: '/v1/mcp/notices',
      operation: 'awaitMcpNotices',
      summary:
        'what MCP servers say unasked: lists that changed, and of calls of the agent their progress and log',
      roles: ['agent'],
      query: buildClosedObject({
        after: { type: 'string', pattern: '^[0-9]{1,15}$' },
        wait_ms: { type: 'string', pattern: '^[0-9]{1,5}$' },
      }),
      reply: notices,
      async handle({ principal, query: { after, wait_ms }, isGone }) {
        const asked = {
          agent: getAgent(principal),
          after: after === undefined ? null : Number(after),
          waitMs: Math.min(LIMITS.waitMs, Number(wait_ms ?? 0)),
          isGone,
        }
        return toReply((await mcpLists?.awaitNotices(asked)) ?? NOBODY)
      },
    },
  ]
}

function getAgent(principal: Principal): string {
  return principal.kind === 'agent' ? principal.agent_id : ''
}

function parseListName(list: string | undefined): McpListName {
  return list as McpListName
}
