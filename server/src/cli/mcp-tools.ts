/** `rubicon mcp tools`: what servers say of their tools now, against what somebody agreed to. */
import type { McpTool } from 'rubicon-agents/client'
import { compareTools } from 'rubicon-mcp'
import { nodeCrypto } from 'rubicon-verifier'
import type { McpToolState } from '../http/schemas/mcp-door.ts'
import { describeTool } from '../mcp/tool-states.ts'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { findGatewayServer } from './mcp-asking.ts'
import { openMcpPlace } from './mcp-place.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'

export type McpToolRow = {
  readonly server: string
  readonly tool: string
  readonly kind: string
  readonly state: McpToolState['state']
  readonly effect: string | null
  readonly risk: string | null
  /** Members of the definition that are not as they were. */
  readonly changed: readonly string[]
  /** Characters in its words that nobody sees. */
  readonly hidden: readonly string[]
  readonly why: string | null
  /** Whether the server that runs judges by it; null: none runs. */
  readonly in_use: boolean | null
}

export async function listMcpTools(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const client = await findGatewayServer(call)
  const rows =
    client === null
      ? (await readTools(call)).map((one) => toRow(one, null))
      : unwrapAnswer(await client.listMcpTools()).tools.map((one) => toRow(one, one.in_use))
  const cells = rows.map((row) => [
    row.server,
    row.tool,
    row.state,
    row.effect ?? '',
    row.risk ?? '',
    [...row.changed, ...row.hidden].join(' '),
  ])
  if (cells.length > 0) for (const line of formatTable([HEAD, ...cells], out.width)) out.line(line)
  for (const { server, tool, why } of rows)
    if (why !== null) out.note(`${SYMBOLS.waiting} ${server} ${tool}: ${why}`)
  for (const { kind } of rows.filter(isWaitingForStart))
    out.note(`${SYMBOLS.waiting} ${kind} is approved, and used after the next start of the server`)
  out.data({ tools: rows })
  return EXIT.done
}

const HEAD = ['server', 'tool', 'is', 'effect', 'risk', 'look at']

/** In this process, which starts the servers for it. */
async function readTools({ options }: CommandCall): Promise<readonly McpToolState[]> {
  const { gateway, lock } = await openMcpPlace(options)
  try {
    const { sha256 } = nodeCrypto
    const compared = await compareTools(gateway.servers, lock, sha256)
    return compared.map((one) => describeTool(one, lock, lock, sha256))
  } finally {
    await gateway.close()
  }
}

function isWaitingForStart({ state, in_use }: McpToolRow): boolean {
  return in_use === false && (state === 'agreed' || state === 'unreviewed')
}

function toRow(one: McpToolState | McpTool, in_use: boolean | null): McpToolRow {
  const { server, tool, kind, state, class: said, changes, hidden, why } = one
  return {
    server,
    tool,
    kind,
    state,
    effect: getWord(said?.effect),
    risk: getWord(said?.risk),
    changed: state === 'changed' ? changes.map(({ member }) => member) : [],
    hidden,
    why,
    in_use,
  }
}

function getWord(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
