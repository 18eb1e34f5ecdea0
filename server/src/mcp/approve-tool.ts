/** A person's yes to tools as they are now, written down beside the MCP file with who gave it and why. */
import {
  err,
  type Failure,
  type JsonObject,
  ok,
  type Result,
  type Sha256,
  toMcpKind,
} from 'rubicon-kernel'
import {
  type ApprovalNote,
  approveTools,
  type ComparedTool,
  changeLock,
  compareTools,
  computePin,
  computeToolHash,
  type Gateway,
  type ToolClass,
  type ToolLock,
  type ToolState,
} from 'rubicon-mcp'
import type { Engine } from 'rubicon-runtime/engine'

export type AskedApproval = {
  readonly server: string
  /** None: all that can be governed. */
  readonly tools: readonly string[]
  /** Undefined: the class that each had. */
  readonly class: ToolClass | undefined
  readonly note: ApprovalNote
  /** Of what somebody was shown; where it is given, another definition is not agreed to. */
  readonly pin?: string
  readonly mayWrite?: () => Promise<boolean>
}

export type ApprovedRow = {
  readonly kind: string
  readonly was: ToolState
  readonly effect: string | null
  /** Of the rule that it is, from the next start on; null: it is none. */
  readonly capability_hash: string | null
}

type Place = {
  readonly gateway: Pick<Gateway, 'servers'>
  readonly lockFile: string
  readonly sha256: Sha256
}

export function approveInLock(
  { gateway, lockFile, sha256 }: Place,
  asked: AskedApproval,
): Promise<Result<readonly ApprovedRow[], Failure>> {
  return changeLock(lockFile, async (lock) => {
    const compared = await compareTools(pickServer(gateway, asked.server), lock, sha256)
    const { pin, mayWrite } = asked
    const other = pin === undefined ? undefined : findOther(compared, asked, pin, sha256)
    if (other !== undefined) return err(other)
    const done = approveTools(lock, compared, asked, sha256)
    if (!done.ok) return done
    if (mayWrite !== undefined && !(await mayWrite())) return err(createWithdrawnFailure())
    const value = done.value.approved.map(({ tool, state, class: before }) => ({
      kind: toMcpKind(asked.server, tool),
      was: state,
      effect: (asked.class ?? before)?.effect ?? null,
      capability_hash: findHash(done.value.lock, asked.server, tool, sha256),
    }))
    return ok({ lock: done.value.lock, value })
  })
}

/** The others are not asked: nobody else can approve meanwhile, and one that does not answer would keep everybody waiting. */
function pickServer({ servers }: Place['gateway'], name: string): Gateway['servers'] {
  const server = servers.get(name)
  return new Map(server === undefined ? [] : [[name, server]])
}

function findHash(lock: ToolLock, server: string, tool: string, sha256: Sha256): string | null {
  const one = lock.tools.find((it) => it.server === server && it.definition.name === tool)
  const hash = one === undefined ? undefined : computeToolHash(one, sha256)
  return hash?.ok === true ? hash.value.capability_hash : null
}

/** The operator's yes to these rows, for the rules of the next start. False: it could not be kept. */
export function keepApprovals(
  { oversight }: Pick<Engine, 'oversight'>,
  rows: readonly ApprovedRow[],
  by: string,
): Promise<boolean> {
  return oversight.approveCapabilities(
    rows.flatMap(({ kind, capability_hash }) =>
      capability_hash === null ? [] : [{ kind, capability_hash, by }],
    ),
  )
}

/** Why a tool is not what somebody was shown. One that is not there is refused where tools are approved. */
function findOther(
  compared: readonly ComparedTool[],
  { server, tools }: AskedApproval,
  pin: string,
  sha256: Sha256,
): Failure | undefined {
  const one = compared.find((it) => it.server === server && tools.includes(it.tool))
  if (one?.found === undefined) return undefined
  const found = computePin(one.found, sha256)
  if (found === pin) return undefined
  const meta: JsonObject = { shown: pin, found }
  return {
    code: 'MCP_TOOL_CHANGED',
    summary: `\`${one.tool}\` of \`${server}\` is not the one that was shown`,
    why: 'its server describes it differently since',
    fix: 'look at it again',
    meta,
  }
}

function createWithdrawnFailure(): Failure {
  return { code: 'TOKEN_INVALID', summary: 'whoever asked may no longer approve' }
}
