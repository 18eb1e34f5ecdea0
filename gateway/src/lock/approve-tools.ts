/** A person agrees to tools as they are now; what they were before is replaced. */
import { err, type Failure, ok, type Result } from 'rubicon-kernel'
import type { ComparedTool } from './compare-tools.ts'
import type { ApprovalNote, LockedTool, ToolLock } from './lock-file.ts'
import type { ToolClass } from './tool-class.ts'

/** `tools`: names of the server's tools; none means all that can be governed. */
export type ToolApproval = {
  readonly server: string
  readonly tools: readonly string[]
  /** Undefined: the class that it had. */
  readonly class: ToolClass | undefined
  /** Whose word it is, and why. */
  readonly note?: ApprovalNote
}

export type ApprovedTools = { readonly lock: ToolLock; readonly approved: readonly ComparedTool[] }

export function approveTools(
  lock: ToolLock,
  compared: readonly ComparedTool[],
  { server, tools, class: said, note }: ToolApproval,
): Result<ApprovedTools, Failure> {
  const own = compared.filter((one) => one.server === server)
  const names = tools.length > 0 ? tools : own.filter(isGovernable).map(({ tool }) => tool)
  const approved: ComparedTool[] = []
  const locked: LockedTool[] = []
  for (const name of names) {
    const one = own.find(({ tool }) => tool === name)
    if (one === undefined || !isGovernable(one) || one.found === undefined)
      return err(refuseApproval(server, name, one))
    approved.push(one)
    locked.push({
      server,
      definition: one.found,
      class: said ?? one.class,
      ...(note === undefined ? {} : { approved: note }),
    })
  }
  const others = lock.tools.filter(
    (one) => one.server !== server || !names.includes(one.definition.name),
  )
  return ok({ lock: { tools: [...others, ...locked] }, approved })
}

function isGovernable({ state }: ComparedTool): boolean {
  return state !== 'refused' && state !== 'gone' && state !== 'unknown'
}

function refuseApproval(server: string, tool: string, one: ComparedTool | undefined): Failure {
  return {
    code: 'MCP_TOOL_UNKNOWN',
    summary: `\`${server}\` has no tool \`${tool}\` that could be approved`,
    why: one?.why ?? (one === undefined ? 'it lists none of that name' : 'it has it no more'),
    fix: 'see `rubicon mcp tools`',
  }
}
