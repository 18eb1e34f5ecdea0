/** `rubicon mcp approve SERVER [TOOL…]`: agrees to tools as they are now, and writes them down beside the MCP file. */
import { userInfo } from 'node:os'
import type { Client } from 'rubicon-agents/client'
import { isToolClassName, TOOL_CLASSES, type ToolClassName } from 'rubicon-mcp'
import { nodeCrypto } from 'rubicon-verifier'
import { type ApprovedRow, approveInLock, keepApprovals } from '../mcp/approve-tool.ts'
import {
  assertSpeakerOption,
  type CommandCall,
  createUsageFailure,
  getArgument,
  getSpeakerName,
  type Options,
} from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { findGatewayServer } from './mcp-asking.ts'
import { tellWhatIsNotGranted } from './mcp-granted.ts'
import { findLockFile, openMcpPlace } from './mcp-place.ts'
import { executeWithEngine } from './open.ts'
import { SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'

type Asked = {
  readonly server: string
  /** None: all that can be governed. */
  readonly tools: readonly string[]
  readonly class: ToolClassName | undefined
  readonly reason: string | undefined
}

type Approved = {
  readonly lock: string
  readonly approved: readonly Omit<ApprovedRow, 'capability_hash'>[]
}

export async function approveMcpTools(call: CommandCall): Promise<ExitCode> {
  const { args, options, out } = call
  assertSpeakerOption(call)
  const server = getArgument(call, 0, 'SERVER')
  const asked = {
    ...{ server, tools: args.slice(1), class: parseClass(options) },
    reason: options.text('reason'),
  }
  const client = await findGatewayServer(call)
  const { lock, approved } =
    client === null ? await approveHere(call, asked) : await approveThere(client, asked)
  for (const { kind, effect } of approved)
    out.line(`${out.symbol(SYMBOLS.allowed)} ${kind} ${describeClass(asked.class, effect)}`)
  out.note(`${SYMBOLS.info} a gateway that runs uses it after its next start`)
  await tellWhatIsNotGranted(
    call,
    approved.map(({ kind }) => kind),
  )
  out.data({ lock, approved })
  return EXIT.done
}

const MEANINGS: Readonly<Record<ToolClassName, string>> = {
  read: 'it changes nothing',
  write: 'its changes can be undone',
  destroy: 'its changes cannot be undone',
}

/** The word that was typed, and what it means; without one a tool keeps the class that it had. */
function describeClass(said: ToolClassName | undefined, effect: string | null): string {
  if (said !== undefined) return `is ${said}: ${MEANINGS[said]}`
  return effect === null
    ? 'is not classified: it may do anything'
    : `keeps its class, with the effect ${effect}`
}

async function approveHere(call: CommandCall, { reason, ...asked }: Asked): Promise<Approved> {
  const { options } = call
  const { gateway } = await openMcpPlace(options)
  const lockFile = findLockFile(options)
  const by = getSpeakerName(call) ?? userInfo().username
  const note = { by, at: new Date().toISOString(), reason: reason ?? null }
  const said = asked.class === undefined ? undefined : TOOL_CLASSES[asked.class]
  const place = { gateway, lockFile, sha256: nodeCrypto.sha256 }
  const done = await approveInLock(place, { ...asked, class: said, note }).finally(() =>
    gateway.close(),
  )
  const rows = unwrap(done)
  await keepForNextStart(call, rows, by)
  const approved = rows.map(({ kind, was, effect }) => ({ kind, was, effect }))
  return { lock: lockFile, approved }
}

/** Where there is no ledger yet, the first rules need nobody's yes. */
const NOTHING_BEGUN: readonly string[] = ['STORE_MISSING', 'TENANT_UNKNOWN']

/** The list is written by now: where the store cannot be opened, the next start asks. */
async function keepForNextStart(
  call: CommandCall,
  rows: readonly ApprovedRow[],
  by: string,
): Promise<void> {
  try {
    const isKept = await executeWithEngine(call, (engine) => keepApprovals(engine, rows, by))
    if (!isKept) call.out.note(NOT_KEPT)
  } catch (error) {
    if (error instanceof CliFailure && NOTHING_BEGUN.includes(error.failure.code)) return
    call.out.note(
      `${NOT_KEPT} (${escapeText(error instanceof Error ? error.message : String(error))})`,
    )
  }
}

const NOT_KEPT = `${SYMBOLS.waiting} the approval could not be kept in the store: the next start asks for --accept-rules`

/** One after the other, each as it is listed now: a server that changes it meanwhile is not agreed to. */
async function approveThere(client: Client, asked: Asked): Promise<Approved> {
  const { server, class: named, reason = DEFAULT_REASON } = asked
  const { tools } = unwrapAnswer(await client.listMcpTools())
  const own = tools.filter((one) => one.server === server)
  const governable = own.filter(({ state }) => !UNGOVERNABLE.includes(state))
  const names = asked.tools.length > 0 ? asked.tools : governable.map(({ tool }) => tool)
  const approved: Approved['approved'][number][] = []
  let lock = ''
  for (const name of names) {
    const pin = own.find(({ tool }) => tool === name)?.pin
    if (typeof pin !== 'string') throw new CliFailure(createUnknownFailure(server, name))
    const body = { pin, reason, ...(named === undefined ? {} : { class: named }) }
    const params = { server, tool: name }
    const done = unwrapAnswer(
      await client.approveMcpTool({ params, body, ...createIdempotencyKey() }),
    )
    lock = done.lock
    approved.push({ kind: done.kind, was: done.was, effect: done.effect })
  }
  return { lock, approved }
}

const UNGOVERNABLE: readonly string[] = ['refused', 'gone', 'unknown']
const DEFAULT_REASON = 'given with `rubicon mcp approve`, without a reason'

function createUnknownFailure(
  server: string,
  tool: string,
): ConstructorParameters<typeof CliFailure>[0] {
  return {
    code: 'MCP_TOOL_UNKNOWN',
    summary: `\`${server}\` has no tool \`${tool}\` that could be approved`,
    why: 'it lists none of that name, or does not answer',
    fix: 'see `rubicon mcp tools`',
  }
}

function parseClass(options: Options): ToolClassName | undefined {
  const name = options.text('class')
  if (name === undefined) return undefined
  if (isToolClassName(name)) return name
  throw createUsageFailure(`\`${name}\` is no class`, 'use read, write or destroy')
}
