/**
 * Carries out calls of MCP tools.
 *
 * 1. A tool is called under the definition that a person agreed to, and under no other.
 * 2. Before the call is written, failure says that nothing happened. After it, only an answer says anything; all else is
 *    thrown, and the effect is UNKNOWN. That goes for every code of an error: libraries of servers answer "invalid
 *    params" also where the tool has run and its result does not fit its schema.
 * 3. An answer that is too large, does not fit its schema or cannot be recorded is withheld. That the call was answered
 *    is recorded.
 */
import {
  type JsonObject,
  LIMITS,
  type McpExecutor,
  type Sha256,
  toCanonicalText,
} from 'rubicon-kernel'
import type { EffectIo } from 'rubicon-runtime/ports'
import {
  createNotSentError,
  type ManifestAnswer,
  type ManifestCall,
  type ManifestHands,
} from 'rubicon-runtime/tools'
import { computePin, type ToolDefinition } from '../definition/tool-definition.ts'
import { type CallProgress, computeCallKey } from '../notices/server-notice.ts'
import { ServerNotices } from '../notices/server-notices.ts'
import { ANSWERED, ANSWERED_WITH_ERROR } from './answered.ts'
import type { ListedTools } from './list-tools.ts'
import { readThing } from './read-thing.ts'
import { findResultProblem } from './result-problem.ts'
import { isNotSent } from './send-pinned.ts'
import { stripMeta } from './strip-meta.ts'
import { toAbsent } from './to-absent.ts'
import { toJson } from './to-json.ts'
import { type CallBounds, ServerAbsent, type Upstream } from './upstream.ts'

/** A tool that is not the one that was agreed to. `found`: its pin now; null: its server has it no more. */
export type DriftedTool = {
  readonly server: string
  readonly tool: string
  readonly found: string | null
}
export type TellDrift = (drifted: DriftedTool) => void

/** Who is told what servers say while a call is under way, and of tools that are not what was agreed to. */
export type HandsOptions = {
  readonly notices?: ServerNotices
  readonly onDrift?: TellDrift
  /** For agents of another tenant than the one whose clients are told: theirs have the same names. */
  readonly isBeside?: boolean
}

/** No agent is called so. Its calls count where nobody can tell whose call a server speaks of. */
const NOBODY = ' '

export function createMcpHands(
  servers: ReadonlyMap<string, Upstream>,
  sha256: Sha256,
  { notices = new ServerNotices(), onDrift = () => {}, isBeside = false }: HandsOptions = {},
): ManifestHands {
  /** For as long as it is under way, its agent is told what the server says. */
  const passNotices = async (
    { name }: Upstream,
    { kind, params, agent_id }: ManifestCall,
    work: (onProgress: (progress: CallProgress) => void) => Promise<ManifestAnswer>,
  ): Promise<ManifestAnswer> => {
    const agent = isBeside ? NOBODY : agent_id
    const key = computeCallKey(kind, params, sha256)
    const end = notices.beginCall(name, agent)
    return work((progress) => notices.tellProgress(agent, key, progress)).finally(end)
  }
  return {
    async execute(executor, call, io) {
      if ('mcp_read' in executor) {
        const server = getServer(servers, executor.mcp_read.server)
        return passNotices(server, call, (onProgress) =>
          readThing(server, executor.mcp_read, call, { io, onProgress }),
        )
      }
      if (!('mcp' in executor)) throw createNotSentError('TOOL_DENIED', 'it is no tool of a server')
      const server = getServer(servers, executor.mcp.server)
      const listed = await listInTime(server, io, chooseTimeout(executor.mcp))
      const definition = findPinned(server, listed, executor.mcp, sha256, onDrift)
      return passNotices(server, call, (onProgress) =>
        callTool(server, definition, executor.mcp, call, { io, onProgress }),
      )
    },
  }
}

function getServer(servers: ReadonlyMap<string, Upstream>, name: string): Upstream {
  const server = servers.get(name)
  if (server === undefined) throw createNotSentError('TOOL_DENIED', `\`${name}\` is not configured`)
  return server
}

function chooseTimeout({ timeout_ms }: McpExecutor): number {
  return Math.min(timeout_ms ?? LIMITS.toolMs, LIMITS.manifestTimeoutMs)
}

/** The list is everybody's, the time is that of one call: a server that starts slowly goes on for the next. */
async function listInTime(
  server: Upstream,
  { signal }: EffectIo,
  timeoutMs: number,
): Promise<ListedTools> {
  const late = Promise.withResolvers<never>()
  const giveUp = (): void => late.reject(new ServerAbsent(`\`${server.name}\` took too long`))
  signal.addEventListener('abort', giveUp, { once: true })
  const timer = setTimeout(giveUp, timeoutMs)
  try {
    return await Promise.race([server.listTools(), late.promise])
  } catch (cause) {
    throw toAbsent(server, cause)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}

function findPinned(
  server: Upstream,
  { definitions }: ListedTools,
  { tool, pin }: McpExecutor,
  sha256: Sha256,
  onDrift: TellDrift,
): ToolDefinition {
  const definition = definitions.get(tool)
  const found = definition === undefined ? null : computePin(definition, sha256)
  if (found !== pin) onDrift({ server: server.name, tool, found })
  if (definition === undefined)
    throw createNotSentError('TOOL_DRIFT', `\`${server.name}\` has no tool \`${tool}\` any more`)
  if (found !== pin)
    throw createNotSentError('TOOL_DRIFT', 'its definition is not the one that was agreed to', {
      agreed: pin,
      found,
    })
  return definition
}

async function callTool(
  server: Upstream,
  definition: ToolDefinition,
  executor: McpExecutor,
  { params }: ManifestCall,
  given: Pick<CallBounds, 'io' | 'onProgress'>,
): Promise<ManifestAnswer> {
  const { tool, max_bytes } = executor
  const timeoutMs = chooseTimeout(executor)
  let isSent = false
  const markSent = (): void => {
    isSent = true
  }
  try {
    const said = await server.callTool(tool, params, { ...given, timeoutMs, markSent })
    return readAnswer(server, definition, said, max_bytes ?? LIMITS.resultBytes)
  } catch (cause) {
    throw isSent && !isNotSent(cause) ? new Error(server.describe(cause)) : toAbsent(server, cause)
  }
}

function readAnswer(
  { redaction }: Upstream,
  definition: ToolDefinition,
  said: object,
  mostBytes: number,
): ManifestAnswer {
  const json = toJson(said)
  if (json === undefined) return buildWithheld('OBSERVATION_INVALID', 'it cannot be recorded')
  const result = stripMeta(redaction.redactJson(json) as JsonObject)
  const size = Buffer.byteLength(toCanonicalText(result))
  if (size > mostBytes)
    return buildWithheld('RESULT_TOO_LARGE', `the answer has ${size} bytes, at most ${mostBytes}`)
  if (result.isError === true) return { status: ANSWERED_WITH_ERROR, result }
  const problem = findResultProblem(definition, result)
  return problem === null
    ? { status: ANSWERED, result }
    : buildWithheld('OBSERVATION_INVALID', problem)
}

function buildWithheld(code: string, why: string): ManifestAnswer {
  const text = `${code}: ${why}`
  return {
    status: ANSWERED_WITH_ERROR,
    result: { content: [{ type: 'text', text }], isError: true, withheld: code },
  }
}
