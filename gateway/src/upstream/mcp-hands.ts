/**
 * Carries out calls of MCP tools.
 *
 * 1. A tool is called under the definition that a person agreed to, and under no other.
 * 2. Before the call is written, failure says that nothing happened. After it, only an answer says anything, or an error
 *    that says that the server knew no such tool or arguments; all else is thrown, and the effect is UNKNOWN.
 * 3. An answer that is too large or does not fit its schema is withheld. That the call was answered is recorded.
 */
import { ProtocolError } from '@modelcontextprotocol/client'
import {
  type JsonObject,
  LIMITS,
  type McpExecutor,
  type Sha256,
  shorten,
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
import { ServerAbsent, type Upstream } from './upstream.ts'

/** How a tool answered: with what it was asked for, or with an error of its own. */
export const ANSWERED = 0
export const ANSWERED_WITH_ERROR = 1

/** Codes of JSON-RPC with which a server says that it did nothing. */
const METHOD_NOT_FOUND = -32_601
const INVALID_PARAMS = -32_602

export function createMcpHands(
  servers: ReadonlyMap<string, Upstream>,
  sha256: Sha256,
): ManifestHands {
  return {
    async execute(executor, call, io) {
      if (!('mcp' in executor)) throw createNotSentError('TOOL_DENIED', 'it is no tool of a server')
      const server = servers.get(executor.mcp.server)
      if (server === undefined)
        throw createNotSentError('TOOL_DENIED', `\`${executor.mcp.server}\` is not configured`)
      const definition = await findPinned(server, executor.mcp, sha256)
      return callTool(server, definition, executor.mcp, call, io)
    },
  }
}

async function findPinned(
  server: Upstream,
  { tool, pin }: McpExecutor,
  sha256: Sha256,
): Promise<ToolDefinition> {
  const { definitions } = await server.listTools().catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : 'its tools are not known'
    throw new NotApplied(why, { transient: true, details: { code: 'SERVER_ABSENT' } })
  })
  const definition = definitions.get(tool)
  if (definition === undefined)
    throw createNotSentError('TOOL_DRIFT', `\`${server.name}\` has no tool \`${tool}\` any more`)
  const found = computePin(definition, sha256)
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
  { tool, timeout_ms, max_bytes }: McpExecutor,
  { params }: ManifestCall,
  { signal }: EffectIo,
): Promise<ManifestAnswer> {
  const timeoutMs = Math.min(timeout_ms ?? LIMITS.toolMs, LIMITS.manifestTimeoutMs)
  let isSent = false
  const markSent = (): void => {
    isSent = true
  }
  try {
    const said = await server.callTool(tool, params, { signal, timeoutMs, markSent })
    return readAnswer(server, definition, said, max_bytes ?? LIMITS.resultBytes)
  } catch (cause) {
    throw isSent || !(cause instanceof ServerAbsent) ? judgeError(server, cause) : toAbsent(cause)
  }
}

function toAbsent({ message }: ServerAbsent): NotApplied {
  return new NotApplied(message, { transient: true, details: { code: 'SERVER_ABSENT' } })
}

function judgeError(server: Upstream, cause: unknown): Error {
  const words = cause instanceof Error ? cause.message : String(cause)
  const text = shorten(server.redaction.redactText(words), LIMITS.toolRefusalLength)
  const code = cause instanceof ProtocolError ? cause.code : undefined
  if (code === METHOD_NOT_FOUND || code === INVALID_PARAMS)
    return new NotApplied(text, { details: { status: code } })
  return new Error(text)
}

function readAnswer(
  { redaction }: Upstream,
  definition: ToolDefinition,
  said: JsonObject,
  mostBytes: number,
): ManifestAnswer {
  const { _meta: _, ...result } = redaction.redactJson(said) as JsonObject
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
