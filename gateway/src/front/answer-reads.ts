/** Reading a resource and asking for a prompt: acts of the agent, like calls of tools, which its contract bounds. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { AgentAnswer } from 'rubicon-agents'
import {
  isObject,
  type JsonObject,
  type McpReadExecutor,
  parseShownName,
  toMcpReadKind,
} from 'rubicon-kernel'
import { parseShownUri, toShownUri } from '../behind/shown-uri.ts'
import { describeAnswer, type ToldAnswer } from './call-result.ts'
import { describeConnectionError } from './connection-error.ts'
import { readConversation, UNREADABLE_CONVERSATION } from './conversation.ts'
import type { FrontOptions } from './front-options.ts'
import { performAct } from './perform-act.ts'

type ReadMethod = McpReadExecutor['method']

export function answerReads(server: Server, options: FrontOptions): void {
  const { behind } = options
  if (behind === undefined) return
  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const named = parseShownUri(params.uri, behind.soleResourceServer)
    if (named === undefined)
      throw refuse('RESOURCE_UNKNOWN', [`No server is named in \`${params.uri}\`.`], null)
    const said = await read(options, named.server, 'resources/read', { uri: named.uri }, context)
    return toReadResult(named.uri === params.uri ? said : showContents(named.server, said))
  })
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const named = parseShownName(params.name)
    if (named === undefined)
      throw refuse('PROMPT_UNKNOWN', [`There is no prompt \`${params.name}\` here.`], null)
    const { tool: name, server: of } = named
    const given = params.arguments === undefined ? {} : { arguments: { ...params.arguments } }
    return toReadResult(await read(options, of, 'prompts/get', { name, ...given }, context))
  })
}

/** What is returned was read when it arrived. */
function toReadResult(result: JsonObject): never {
  return result as never
}

async function read(
  options: FrontOptions,
  server: string,
  method: ReadMethod,
  params: JsonObject,
  context: ServerContext,
): Promise<JsonObject> {
  const talk = readConversation(options, context.mcpReq._meta)
  if (talk === null) throw refuse('ARGUMENTS_INVALID', [UNREADABLE_CONVERSATION], null)
  const kind = toMcpReadKind(server, method)
  const answer = await performAct(
    options,
    { server, kind, params, trigger: `mcp ${method} ${server}`, conversation: talk.name },
    context,
  ).catch((error: unknown) => {
    const { code, words } = describeConnectionError(error, 'question')
    throw refuse(code, words, null)
  })
  return takeResult(answer, describeAnswer(answer, options.showFlow))
}

function takeResult({ dfid }: AgentAnswer, told: ToldAnswer): JsonObject {
  if (told.kind === 'error') throw refuse(told.code, told.words, dfid)
  const { result } = told
  if (isObject(result) && isObject(result.error ?? null)) {
    const { code, why } = result.error as JsonObject
    throw refuse(String(code), [String(why)], dfid)
  }
  return isObject(result) ? { ...result, _meta: { 'rubicon/dfid': dfid } } : {}
}

/** Under the names by which clients know them. */
function showContents(server: string, result: JsonObject): JsonObject {
  const { contents } = result
  if (!Array.isArray(contents)) return result
  const shown = contents.map((one) => ({ ...one, uri: toShownUri(server, String(one.uri)) }))
  return { ...result, contents: shown }
}

const ASKED_WRONGLY: readonly string[] = ['ARGUMENTS_INVALID', 'PROMPT_UNKNOWN', 'RESOURCE_UNKNOWN']

function refuse(code: string, words: readonly string[], dfid: string | null): ProtocolError {
  const text = [code, ...words.filter((word) => word !== '')].join('\n')
  const data = { 'rubicon/code': code, ...(dfid === null ? {} : { 'rubicon/dfid': dfid }) }
  const isAsked = ASKED_WRONGLY.includes(code)
  const number = isAsked ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  return new ProtocolError(number, text, data)
}
