/** `rubicon mcp approve SERVER [TOOL…]`: agrees to tools as they are now, and writes them down beside the MCP file. */
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { toMcpKind } from 'rubicon-kernel'
import {
  approveTools,
  compareTools,
  formatLock,
  isToolClassName,
  TOOL_CLASSES,
  type ToolApproval,
  type ToolClass,
  type ToolState,
} from 'rubicon-mcp'
import { nodeCrypto } from 'rubicon-verifier'
import { type CommandCall, createUsageFailure, getArgument, type Options } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { findLockFile, openMcpPlace } from './mcp-place.ts'
import { SYMBOLS } from './output.ts'

export const DRAFT = '.new'

export async function approveMcpTools(call: CommandCall): Promise<ExitCode> {
  const { args, options, out } = call
  const server = getArgument(call, 0, 'SERVER')
  const said = parseClass(options)
  const lockFile = findLockFile(options)
  const draft = `${lockFile}${DRAFT}`
  const asked = { server, tools: args.slice(1), class: said }
  const file = openDraft(draft)
  const rows = await replaceLock(options, asked, lockFile, file).catch((cause: unknown) => {
    rmSync(draft)
    throw cause
  })
  for (const { kind, effect } of rows)
    out.line(
      `${out.symbol(SYMBOLS.allowed)} ${kind} ${effect ?? 'is not classified: it may do anything'}`,
    )
  out.note(`${SYMBOLS.info} a gateway that runs uses it after its next start`)
  out.data({ lock: lockFile, approved: rows })
  return EXIT.done
}

/**
 * Whoever has the draft is the only one who approves, from before the lock is read: otherwise of two at once one would put
 * back what the other has changed, such as a tool that nobody may take for harmless any more.
 */
export function openDraft(draft: string): number {
  try {
    return openSync(draft, 'wx', 0o644)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
    throw new CliFailure({
      code: 'MCP_LOCK_BUSY',
      summary: `${draft} is there: somebody else approves tools`,
      why: 'of two approvals at once, one would undo the other',
      fix: 'try again; remove the file if an approval was interrupted',
    })
  }
}

type ApprovedRow = {
  readonly kind: string
  readonly was: ToolState
  readonly effect: string | null
}

/** Written aside and renamed: nobody reads half of it. */
async function replaceLock(
  options: Options,
  asked: ToolApproval,
  lockFile: string,
  draft: number,
): Promise<readonly ApprovedRow[]> {
  try {
    const { gateway, lock } = await openMcpPlace(options)
    const compared = await compareTools(gateway.servers, lock, nodeCrypto.sha256).finally(() =>
      gateway.close(),
    )
    const { lock: next, approved } = unwrap(approveTools(lock, compared, asked))
    writeFileSync(draft, formatLock(next), { flush: true })
    renameSync(`${lockFile}${DRAFT}`, lockFile)
    return approved.map(({ tool, state, class: before }) => ({
      kind: toMcpKind(asked.server, tool),
      was: state,
      effect: (asked.class ?? before)?.effect ?? null,
    }))
  } finally {
    closeSync(draft)
  }
}

function parseClass(options: Options): ToolClass | undefined {
  const name = options.text('class')
  if (name === undefined) return undefined
  if (isToolClassName(name)) return TOOL_CLASSES[name]
  throw createUsageFailure(`\`${name}\` is no class`, 'use read, write or destroy')
}
