/** The tools of a server as it says them now: those that can be governed, and why others cannot. */
import type { Client } from '@modelcontextprotocol/client'
import { LIMITS } from 'rubicon-kernel'
import type { Redaction } from 'rubicon-runtime/tools'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import { MCP_LIMITS } from '../mcp-limits.ts'
import { describeName, readDefinition } from './read-definition.ts'
import { toJson } from './to-json.ts'

/** What is known of a server's tools: those that can be governed, and why others cannot. */
export type ListedTools = {
  readonly definitions: ReadonlyMap<string, ToolDefinition>
  readonly refused: readonly RefusedTool[]
}

export type RefusedTool = { readonly name: string; readonly why: string }

export async function readTools(client: Client, redaction: Redaction): Promise<ListedTools> {
  // The library would say so on standard output, among what a command prints as JSON.
  if (client.getServerCapabilities()?.tools === undefined)
    return { definitions: new Map(), refused: [] }
  const { tools } = await client.listTools(undefined, {
    // All pages together: a server that always has another one comes to an end here.
    signal: AbortSignal.timeout(LIMITS.toolMs),
    // How long a list holds is not for the server to say: a definition could change meanwhile.
    cacheMode: 'refresh',
  })
  // Not the first of them: the same name may stand again behind.
  if (tools.length > MCP_LIMITS.listed) throw new Error(`more than ${MCP_LIMITS.listed} tools`)
  const definitions: ToolDefinition[] = []
  const refused: RefusedTool[] = []
  for (const said of tools) {
    const parsed = readDefinition(toJson(said), redaction)
    if (parsed.ok) definitions.push(parsed.value)
    else refused.push({ name: describeName(said.name, redaction), why: parsed.error })
  }
  return refuseCollisions(definitions, refused)
}

/**
 * Which of two tools of one name is called, only the server knows; and two names that differ in case alone would be
 * taken for each other by whoever approves one of them.
 */
function refuseCollisions(
  definitions: readonly ToolDefinition[],
  refused: readonly RefusedTool[],
): ListedTools {
  const groups = [...Map.groupBy(definitions, ({ name }) => name.toLowerCase()).values()]
  const alone = groups.filter(({ length }) => length === 1).flat()
  const twice = new Set(groups.filter(({ length }) => length > 1).flatMap(listNames))
  return {
    definitions: new Map(alone.map((one) => [one.name, one])),
    refused: [
      ...refused,
      ...[...twice].map((name) => ({
        name,
        why: 'another tool has the same name, or in other case',
      })),
    ],
  }
}

function listNames(definitions: readonly ToolDefinition[]): readonly string[] {
  return definitions.map(({ name }) => name)
}
