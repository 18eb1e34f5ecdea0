/** MCP servers behind the gateway, their tools, and what a person agreed to. */
import type { JsonObject } from 'rubicon-kernel'
import { effectClass } from './law.ts'
import type {
  McpApprovalNote,
  McpApproved,
  McpCalls,
  McpDefinitionChange,
  McpServerView,
  McpStanding,
  McpToolView,
} from './mcp-door.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildEnum,
  buildUnionEnum,
  buildWholeObject,
  count,
  moment,
  nameSchema,
  open,
  string,
} from './shape.ts'

const standing = nameSchema(
  'McpStanding',
  buildUnionEnum<McpStanding>({
    agreed: true,
    changed: true,
    gone: true,
    new: true,
    refused: true,
    unknown: true,
    unreviewed: true,
  }),
)

const server: JsonObject = nameSchema(
  'McpServer',
  buildWholeObject<McpServerView>({
    server: string,
    kind: buildEnum('program', 'address'),
    at: string,
    era: buildEnum('legacy', 'modern'),
    status: buildEnum('absent', 'connected', 'waiting'),
    restarts: count,
    errors: buildArray(string),
  }),
)

/** `file` and `agent` are null where this process has no gateway. */
export const mcpServers: JsonObject = nameSchema(
  'McpServers',
  buildWholeObject({
    file: allowNull(string),
    agent: allowNull(string),
    servers: buildArray(server),
  }),
)

const tool: JsonObject = nameSchema(
  'McpTool',
  buildWholeObject<McpToolView>({
    server: string,
    tool: string,
    kind: string,
    state: standing,
    pin: allowNull(string),
    in_use: boolean,
    class: allowNull(open),
    definition: allowNull(open),
    changes: buildArray(
      buildWholeObject<McpDefinitionChange>({
        member: string,
        agreed: allowNull(string),
        found: allowNull(string),
      }),
    ),
    hidden: buildArray(string),
    approved: allowNull(
      buildWholeObject<McpApprovalNote>({ by: string, at: string, reason: allowNull(string) }),
    ),
    why: allowNull(string),
    calls: buildWholeObject<McpCalls>({ accepted: count, rejected: count, escalated: count }),
    waiting: count,
  }),
)

/** `counted`: how many decisions were looked at for `calls`, and since when. */
export const mcpTools: JsonObject = nameSchema(
  'McpTools',
  buildWholeObject({
    tools: buildArray(tool),
    counted: buildWholeObject({ decisions: count, since: allowNull(moment) }),
  }),
)

export const mcpApproved: JsonObject = nameSchema(
  'McpApproved',
  buildWholeObject<McpApproved>({
    kind: string,
    was: standing,
    effect: allowNull(effectClass),
    lock: string,
    in_use: buildEnum('after the next start'),
  }),
)
