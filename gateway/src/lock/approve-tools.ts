/**
 * A person agrees to tools as they are now; what they were before is replaced, also where the name was written in another case: the
 * server lists one of the two, and a list with both could not be read. What the next start could not make a rule of is not agreed to.
 */
import { err, type Failure, ok, type Result, type Sha256 } from 'rubicon-kernel'
import type { ComparedTool } from './compare-tools.ts'
import type { ApprovalNote, LockedTool, ToolLock } from './lock-file.ts'
import type { ToolClass } from './tool-class.ts'
import { computeToolHash } from './tool-hash.ts'

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
  sha256: Sha256,
): Result<ApprovedTools, Failure> {
  const own = compared.filter((one) => one.server === server)
  const names = tools.length > 0 ? tools : own.filter(isGovernable).map(({ tool }) => tool)
  const approved: ComparedTool[] = []
  const locked: LockedTool[] = []
  for (const name of names) {
    const one = own.find(({ tool }) => tool === name)
    if (one === undefined || !isGovernable(one) || one.found === undefined)
      return err(refuseApproval(server, name, one))
    const agreed: LockedTool = {
      server,
      definition: one.found,
      class: classifyAgain(one, said),
      ...(note === undefined ? {} : { approved: note }),
    }
    const ruled = computeToolHash(agreed, sha256)
    if (!ruled.ok) {
      const { summary, why = summary } = ruled.error
      return err(refuseApproval(server, name, { ...one, why }))
    }
    approved.push(one)
    locked.push(agreed)
  }
  const replaced = new Set(names.map((name) => name.toLowerCase()))
  const others = lock.tools.filter(
    (one) => one.server !== server || !replaced.has(one.definition.name.toLowerCase()),
  )
  return ok({ lock: { tools: [...others, ...locked] }, approved })
}

/**
 * What a tool is takes none of its bounds away: a contract counts on the arguments that its class names. What a class excuses a tool
 * from (`reducing`, `touches`, `accepts`) was said of what it was before, and so was how to ask what became of a call (`probe`).
 */
function classifyAgain(
  { class: before }: ComparedTool,
  said: ToolClass | undefined,
): ToolClass | null {
  if (said === undefined || before === null) return said ?? before
  const { accepts: _, probe: __, reducing: ___, touches: ____, ...bounds } = before
  return { ...bounds, ...said }
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
