/** The gateway as an MCP client sees it: one server with the tools of all servers behind it, each under its server's name. */
import { type CallToolResult, Server, type Tool } from '@modelcontextprotocol/server'
import { type ActNames, type AgentConnection, AgentError } from 'rubicon-agents'
import { isDfid, isObject, type JsonObject, parseShownName, toMcpKind } from 'rubicon-kernel'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import { readCallNames, UNREADABLE_KEY } from './call-names.ts'
import { describeError, type ShowFlow, toCallResult } from './call-result.ts'

export type FrontOptions = {
  readonly agent: AgentConnection
  /** Those that were agreed to, by the names that clients see. */
  readonly tools: () => ReadonlyMap<string, ToolDefinition>
  readonly showFlow: ShowFlow
  readonly instructions?: string
  /** The conversation, among all of the agent, in which clients give no id twice; absent: nobody vouches for that. */
  readonly conversation?: string
  /** How long somebody else is waited for before a client is told to ask again. */
  readonly waitMs?: number
}

/** Shorter than clients wait for an answer. */
const WAIT_MS = 10_000

const RESULT_TOOL: Tool = {
  name: 'rubicon_result',
  description: 'What became of a call that waited for a person, or whose outcome was not known.',
  inputSchema: {
    type: 'object',
    properties: { dfid: { type: 'string', description: 'as the call was answered' } },
    required: ['dfid'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
}

export function createFront(options: FrontOptions): Server {
  const server = new Server(
    { name: 'rubicon', version: '0.2.0' },
    { capabilities: { tools: { listChanged: true } }, instructions: options.instructions ?? '' },
  )
  server.setRequestHandler('tools/list', () => ({ tools: listTools(options) }))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(options, params.name, toObject(params.arguments), () =>
      readCallNames(options.conversation, mcpReq.id, mcpReq._meta ?? params._meta),
    ),
  )
  return server
}

function listTools({ tools }: FrontOptions): Tool[] {
  const shown = [...tools()].map(([name, definition]) => ({ ...definition, name }) as Tool)
  return [...shown, RESULT_TOOL]
}

async function callTool(
  options: FrontOptions,
  name: string,
  args: JsonObject,
  readNames: () => ActNames | null,
): Promise<CallToolResult> {
  if (name === RESULT_TOOL.name) return tellResult(options, args)
  const named = parseShownName(name)
  if (named === undefined || !options.tools().has(name))
    return describeError('TOOL_UNKNOWN', null, [`There is no tool \`${name}\` here.`])
  const once = readNames()
  if (once === null) return describeError('ARGUMENTS_INVALID', null, [UNREADABLE_KEY])
  try {
    const answer = await options.agent.act({
      trigger: `mcp ${name}`,
      policy_kind: toMcpKind(named.server, named.tool),
      params: args,
      once,
    })
    return toCallResult(answer, options.showFlow)
  } catch (error) {
    if (!isReused(error)) throw error
    const { code, message, fix, meta } = error
    return describeError(code, typeof meta.dfid === 'string' ? meta.dfid : null, [message, fix])
  }
}

/** A call that is not carried out is an answer to the client, not a failure of the gateway. */
function isReused(error: unknown): error is AgentError {
  return error instanceof AgentError && error.code === 'CALL_REUSED'
}

/** A person may take until tomorrow: a client that waited so long would take its call for lost. */
async function tellResult(
  { agent, showFlow, waitMs = WAIT_MS }: FrontOptions,
  { dfid }: JsonObject,
): Promise<CallToolResult> {
  if (typeof dfid !== 'string' || !isDfid(dfid))
    return describeError('ARGUMENTS_INVALID', null, ['`dfid` is not the name of a flow.'])
  const signal = AbortSignal.timeout(waitMs)
  try {
    return toCallResult(await agent.settled(dfid, { signal }), showFlow)
  } catch (error) {
    if (!signal.aborted) throw error
    return describeError('PENDING', dfid, ['It is not decided yet. Ask again later.'])
  }
}

function toObject(args: unknown): JsonObject {
  return isObject(args as JsonObject) ? (args as JsonObject) : {}
}
