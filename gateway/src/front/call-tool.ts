/** A call of a tool. Whatever comes of it is a result with a code, for a model to read, and no error of the protocol. */
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { AgentError } from 'rubicon-agents'
import { findNearest, isDfid, type JsonObject, parseShownName, toMcpKind } from 'rubicon-kernel'
import { ARTIFACT_TOOLS } from '../artifacts/artifact-tools.ts'
import { readCallNames, UNREADABLE_KEY } from './call-names.ts'
import { describeError, toCallResult } from './call-result.ts'
import { describeConnectionError } from './connection-error.ts'
import { readConversation, UNREADABLE_CONVERSATION } from './conversation.ts'
import type { FrontOptions } from './front-options.ts'
import { type ClientCall, performAct } from './perform-act.ts'
import { RESULT_TOOL } from './result-tool.ts'

/** Shorter than clients wait for an answer. */
const WAIT_MS = 10_000
/** Of tools of the runtime itself: no server has this name, which is empty. */
const OWN_SERVER = ''

export async function callTool(
  options: FrontOptions,
  name: string,
  args: JsonObject,
  context: ServerContext,
): Promise<CallToolResult> {
  if (name === RESULT_TOOL.name) return tellResult(options, args, context)
  const called = findCalled(options, name)
  if (called === null) return describeUnknown(options, name)
  const { id, _meta } = context.mcpReq
  const talk = readConversation(options, _meta)
  if (talk === null) return describeError('ARGUMENTS_INVALID', null, [UNREADABLE_CONVERSATION])
  const once = readCallNames(talk.vouched, id, _meta)
  if (once === null) return describeError('ARGUMENTS_INVALID', null, [UNREADABLE_KEY])
  const conversation = talk.name
  const call = { ...called, params: args, trigger: `mcp ${name}`, conversation, once }
  try {
    return toCallResult(await performAct(options, call, context), options.showFlow)
  } catch (error) {
    if (isReused(error)) {
      const { code, message, fix, meta } = error
      return describeError(code, typeof meta.dfid === 'string' ? meta.dfid : null, [message, fix])
    }
    const { code, words } = describeConnectionError(error, 'call')
    return describeError(code, null, words)
  }
}

/** Whoever lists the tools sees the names of all that were agreed to. */
function describeUnknown({ tools }: Pick<FrontOptions, 'tools'>, name: string): CallToolResult {
  const near = findNearest(name, [...tools().keys()])
  const hint = near === undefined ? [] : [`Did you mean \`${near}\`?`]
  return describeError('TOOL_UNKNOWN', null, [`There is no tool \`${name}\` here.`, ...hint])
}

/** What it is to the runtime; null: there is no such tool. Whether the agent may is for the kernel to say. */
function findCalled(
  { tools }: Pick<FrontOptions, 'tools'>,
  name: string,
): Pick<ClientCall, 'server' | 'kind'> | null {
  const own = ARTIFACT_TOOLS.get(name)
  if (own !== undefined) return { server: OWN_SERVER, kind: own.kind }
  const named = parseShownName(name)
  if (named === undefined || !tools().has(name)) return null
  return { server: named.server, kind: toMcpKind(named.server, named.tool) }
}

/** It was not carried out: the first call of that name was another one. */
function isReused(error: unknown): error is AgentError {
  return error instanceof AgentError && error.code === 'CALL_REUSED'
}

/** A person may take until tomorrow: a client that waited so long would take its call for lost. */
async function tellResult(
  { agent, showFlow, waitMs = WAIT_MS }: FrontOptions,
  { dfid }: JsonObject,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  if (typeof dfid !== 'string' || !isDfid(dfid))
    return describeError('ARGUMENTS_INVALID', null, ['`dfid` is not the name of a flow.'])
  const late = AbortSignal.timeout(waitMs)
  const signal = AbortSignal.any([late, mcpReq.signal])
  try {
    return toCallResult(await agent.settled(dfid, { signal }), showFlow)
  } catch (error) {
    if (signal.aborted)
      return describeError('PENDING', dfid, ['It is not decided yet. Ask again later.'])
    const { code, words } = describeConnectionError(error, 'question')
    return describeError(code, dfid, words)
  }
}
