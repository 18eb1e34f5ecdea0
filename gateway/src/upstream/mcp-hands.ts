/**
 * Carries out calls of MCP tools.
 *
 * 1. A tool is called under the definition that a person agreed to, and under no other.
 * 2. No error of the protocol is an answer to a call (`exchange.ts`): libraries of servers answer "invalid params" also
 *    where the tool has run and its result does not fit its schema.
 */
import type { JsonObject, McpExecutor, Sha256 } from 'rubicon-kernel'
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
import { chooseTimeout, exchange, type GivenBounds, type ServerQuestion } from './exchange.ts'
import type { ListedTools } from './list-tools.ts'
import { readThing } from './read-thing.ts'
import { findResultProblem } from './result-problem.ts'
import { toAbsent } from './to-absent.ts'
import { ServerAbsent, type Upstream } from './upstream.ts'

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

function callTool(
  server: Upstream,
  definition: ToolDefinition,
  { tool, timeout_ms, max_bytes }: McpExecutor,
  { params }: ManifestCall,
  given: GivenBounds,
): Promise<ManifestAnswer> {
  const question: ServerQuestion = {
    timeout_ms,
    max_bytes,
    send: (bounds) => server.callTool(tool, params, bounds),
    isError: (result) => result.isError === true,
    findProblem: (result) => findResultProblem(definition, result),
    withhold: buildWithheld,
  }
  return exchange(server, question, given)
}

function buildWithheld(code: string, why: string): JsonObject {
  const text = `${code}: ${why}`
  return { content: [{ type: 'text', text }], isError: true, withheld: code }
}
