/** `mcp …`. */
import type { CallTreatment, KeptRefusal } from 'rubicon-mcp'
import type { ProposedToolRow } from '../mcp-init.ts'
import type { LeftServer } from '../mcp-setup/setup-plan.ts'
import type { McpToolRow } from '../mcp-tools.ts'
import {
  anything,
  buildAnyOfSchema,
  buildClosedSchema,
  buildConstSchema,
  buildEnumSchema,
  buildNullableSchema,
  buildUnionSchema,
  count,
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

const proposed = {
  kind: text,
  class: text,
  treatment: buildUnionSchema<CallTreatment>({ asks: true, off: true, passes: true }),
  ground: text,
} satisfies Members<ProposedToolRow>

const left = { was: text, why: text, agreed: flag } satisfies Members<LeftServer>

const origin = { id: text, calls: count, dfid: text }

const need = buildAnyOfSchema(
  buildClosedSchema({
    ...origin,
    need: buildConstSchema('allow'),
    set: text,
    values: listOf(text),
  }),
  buildClosedSchema({ ...origin, need: buildEnumSchema(['grant', 'pass']), kind: text }),
)

const kept = { kind: text, code: text, calls: count, why: text } satisfies Members<KeptRefusal>

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
  'mcp init': {
    prints: 'what is proposed for each tool, and the files that are written',
    shape: buildClosedSchema({
      applied: flag,
      written: listOf(text),
      client: buildNullableSchema(text),
      files: listOf(text),
      secrets: listOf(text),
      agent: buildNullableSchema(text),
      owner: buildNullableSchema(text),
      self_approval: buildNullableSchema(flag),
      tools: listOf(buildClosedSchema(proposed)),
      refused: listOf(buildClosedSchema({ kind: text, why: text })),
      left: listOf(buildClosedSchema(left)),
    }),
  },
  'mcp eject': {
    prints: 'the file that was put back, and where the changed one is kept',
    shape: buildClosedSchema({ file: text, kept: buildNullableSchema(text) }),
  },
  'mcp learn': {
    prints: 'what refused and waiting calls would need, and how the contract would change',
    shape: buildClosedSchema({
      applied: flag,
      calls: count,
      needs: listOf(need),
      kept: listOf(buildClosedSchema(kept)),
      changes: listOf(
        buildClosedSchema({
          path: text,
          before: buildNullableSchema(text),
          after: buildNullableSchema(text),
        }),
      ),
    }),
  },
  'mcp token': {
    prints: 'the token of an agent for MCP clients over HTTP',
    shape: buildClosedSchema({ agent: text, tenant: text, token: text }),
  },
}
