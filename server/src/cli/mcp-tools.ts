/** `rubicon mcp tools`: what servers say of their tools now, against what somebody agreed to. */

import { toMcpKind } from 'rubicon-kernel'
import {
  type ComparedTool,
  compareTools,
  findHiddenCharacters,
  type ToolDefinition,
  type ToolState,
} from 'rubicon-mcp'
import { nodeCrypto } from 'rubicon-verifier'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { openMcpPlace } from './mcp-place.ts'
import { formatTable, SYMBOLS } from './output.ts'

export type McpToolRow = {
  readonly server: string
  readonly tool: string
  readonly kind: string
  readonly state: ToolState
  readonly effect: string | null
  readonly risk: string | null
  /** Members of the definition that are not as they were. */
  readonly changed: readonly string[]
  /** Characters in its words that nobody sees. */
  readonly hidden: readonly string[]
  readonly why: string | null
}

export async function listMcpTools({ options, out }: CommandCall): Promise<ExitCode> {
  const { gateway, lock } = await openMcpPlace(options)
  try {
    const compared = await compareTools(gateway.servers, lock, nodeCrypto.sha256)
    const rows = compared.map(toRow)
    const cells = rows.map((row) => [
      row.server,
      row.tool,
      row.state,
      row.effect ?? '',
      row.risk ?? '',
      [...row.changed, ...row.hidden].join(' '),
    ])
    if (cells.length > 0)
      for (const line of formatTable([HEAD, ...cells], out.width)) out.line(line)
    for (const { server, tool, why } of rows)
      if (why !== null) out.note(`${SYMBOLS.waiting} ${server} ${tool}: ${why}`)
    out.data({ tools: rows })
    return EXIT.done
  } finally {
    await gateway.close()
  }
}

const HEAD = ['server', 'tool', 'is', 'effect', 'risk', 'look at']

function toRow({ server, tool, state, class: said, agreed, found, why }: ComparedTool): McpToolRow {
  return {
    server,
    tool,
    kind: toMcpKind(server, tool),
    state,
    effect: said?.effect ?? null,
    risk: said?.risk ?? null,
    changed: state === 'changed' ? listChanged(agreed, found) : [],
    hidden: listHidden(found ?? agreed),
    why: why ?? null,
  }
}

const MEMBERS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

function listChanged(
  agreed: ToolDefinition | undefined,
  found: ToolDefinition | undefined,
): readonly string[] {
  return MEMBERS.filter((name) => JSON.stringify(agreed?.[name]) !== JSON.stringify(found?.[name]))
}

function listHidden(definition: ToolDefinition | undefined): readonly string[] {
  const text = JSON.stringify(definition ?? {})
  return [...new Set(findHiddenCharacters(text).map(({ code }) => code))]
}
