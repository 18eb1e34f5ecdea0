/** `rubicon mcp approve SERVER [TOOL…]`: agrees to tools as they are now, and writes them down beside the MCP file. */
import { renameSync, writeFileSync } from 'node:fs'
import { toMcpKind } from 'rubicon-kernel'
import {
  approveTools,
  compareTools,
  formatLock,
  isToolClassName,
  TOOL_CLASSES,
  type ToolClass,
} from 'rubicon-mcp'
import { nodeCrypto } from 'rubicon-verifier'
import { type CommandCall, createUsageFailure, getArgument, type Options } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { unwrap } from './failure.ts'
import { openMcpPlace } from './mcp-place.ts'
import { SYMBOLS } from './output.ts'

export async function approveMcpTools(call: CommandCall): Promise<ExitCode> {
  const { args, options, out } = call
  const server = getArgument(call, 0, 'SERVER')
  const said = parseClass(options)
  const { gateway, lock, lockFile } = await openMcpPlace(options)
  try {
    const compared = await compareTools(gateway.servers, lock, nodeCrypto.sha256)
    const asked = { server, tools: args.slice(1), class: said }
    const { lock: next, approved } = unwrap(approveTools(lock, compared, asked))
    // Written aside and renamed: nobody reads half of it.
    writeFileSync(`${lockFile}.new`, formatLock(next))
    renameSync(`${lockFile}.new`, lockFile)
    const rows = approved.map(({ tool, state, class: before }) => ({
      kind: toMcpKind(server, tool),
      was: state,
      effect: (said ?? before)?.effect ?? null,
    }))
    for (const { kind, effect } of rows)
      out.line(
        `${out.symbol(SYMBOLS.allowed)} ${kind} ${effect ?? 'is not classified: it may do anything'}`,
      )
    out.note(`${SYMBOLS.info} a gateway that runs uses it after its next start`)
    out.data({ lock: lockFile, approved: rows })
    return EXIT.done
  } finally {
    await gateway.close()
  }
}

function parseClass(options: Options): ToolClass | undefined {
  const name = options.text('class')
  if (name === undefined) return undefined
  if (isToolClassName(name)) return TOOL_CLASSES[name]
  throw createUsageFailure(`\`${name}\` is no class`, 'use read, write or destroy')
}
