/** `mcp …`. */
import type { McpToolRow } from '../mcp-tools.ts'
import {
  anything,
  buildAnyOfSchema,
  buildClosedSchema,
  buildNullableSchema,
  type Family,
  flag,
  listOf,
  type Members,
  text,
} from './shape.ts'

const row = {
  server: text,
  tool: text,
  kind: text,
  state: text,
  effect: buildNullableSchema(text),
  risk: buildNullableSchema(text),
  changed: listOf(text),
  hidden: listOf(text),
  why: buildNullableSchema(text),
  in_use: buildNullableSchema(flag),
} satisfies Members<McpToolRow>

export const MCP: Family = {
  mcp: {
    prints: 'messages of the Model Context Protocol, one a line',
    shape: buildAnyOfSchema(
      buildClosedSchema({ jsonrpc: text, id: anything, result: anything }),
      buildClosedSchema({ jsonrpc: text, id: anything, error: anything }),
      buildClosedSchema({ jsonrpc: text, method: text, params: anything }),
    ),
  },
  'mcp tools': {
    prints: 'the tools of all MCP servers, and how each compares with what was approved',
    shape: buildClosedSchema({ tools: listOf(buildClosedSchema(row)) }),
  },
  'mcp approve': {
    prints: 'the tools that were approved, what each was before, and where that is written',
    shape: buildClosedSchema({
      lock: text,
      approved: listOf(
        buildClosedSchema({ kind: text, was: text, effect: buildNullableSchema(text) }),
      ),
    }),
  },
  'mcp token': {
    prints: 'the token of an agent for MCP clients over HTTP',
    shape: buildClosedSchema({ agent: text, tenant: text, token: text }),
  },
}
