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
import { type EffectIo, NotApplied } from 'rubicon-runtime/ports'
import {
  createNotSentError,
  type ManifestAnswer,
  type ManifestCall,
  type ManifestHands,
} from 'rubicon-runtime/tools'
import { computePin, type ToolDefinition } from '../definition/tool-definition.ts'
import { findResultProblem } from './result-problem.ts'
import { isNotSent } from './send-pinned.ts'
import { type ListedTools, ServerAbsent, toJson, type Upstream } from './upstream.ts'

/** How a tool answered: with what it was asked for, or with an error of its own. */
export const ANSWERED = 0
export const ANSWERED_WITH_ERROR = 1

/** A tool that is not the one that was agreed to. `found`: its pin now; null: its server has it no more. */
export type DriftedTool = {
  readonly server: string
  readonly tool: string
  readonly found: string | null
}
export type TellDrift = (drifted: DriftedTool) => void

export function createMcpHands(
  servers: ReadonlyMap<string, Upstream>,
  sha256: Sha256,
  onDrift: TellDrift = () => {},
): ManifestHands {
  return {
    async execute(executor, call, io) {
      if (!('mcp' in executor)) throw createNotSentError('TOOL_DENIED', 'it is no tool of a server')
      const server = servers.get(executor.mcp.server)
      if (server === undefined)
        throw createNotSentError('TOOL_DENIED', `\`${executor.mcp.server}\` is not configured`)
      const listed = await listInTime(server, io, chooseTimeout(executor.mcp))
      const definition = findPinned(server, listed, executor.mcp, sha256, onDrift)
      return callTool(server, definition, executor.mcp, call, io)
    },
  }
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
  io: EffectIo,
): Promise<ManifestAnswer> {
  const { tool, max_bytes } = executor
  const timeoutMs = chooseTimeout(executor)
  let isSent = false
  const markSent = (): void => {
    isSent = true
  }
  try {
    const said = await server.callTool(tool, params, { io, timeoutMs, markSent })
    return readAnswer(server, definition, said, max_bytes ?? LIMITS.resultBytes)
  } catch (cause) {
    throw isSent && !isNotSent(cause) ? new Error(server.describe(cause)) : toAbsent(server, cause)
  }
}

function toAbsent(server: Upstream, cause: unknown): NotApplied {
  const details = { code: 'SERVER_ABSENT' }
  return new NotApplied(server.describe(cause), { transient: true, details })
}

function readAnswer(
  { redaction }: Upstream,
  definition: ToolDefinition,
  said: object,
  mostBytes: number,
): ManifestAnswer {
  const json = toJson(said)
  if (json === undefined) return buildWithheld('OBSERVATION_INVALID', 'it cannot be recorded')
  const { _meta: _, ...result } = redaction.redactJson(json) as JsonObject
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
