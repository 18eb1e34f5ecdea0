/** Lists of tools, resources, templates and prompts, in pages. */
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import type { JsonObject } from 'rubicon-kernel'
import type { McpList } from '../behind/servers-behind.ts'
import { describeConnectionError } from './connection-error.ts'
import type { FrontOptions } from './front-options.ts'
import { selectPage } from './page.ts'
import { RESULT_TOOL } from './result-tool.ts'

const LISTS = [
  ['tools/list', 'tools', 'tools'],
  ['resources/list', 'resources', 'resources'],
  ['resources/templates/list', 'templates', 'resourceTemplates'],
  ['prompts/list', 'prompts', 'prompts'],
] as const

export function answerLists(server: Server, options: FrontOptions): void {
  for (const [method, list, member] of LISTS) {
    if (list !== 'tools' && options.behind === undefined) continue
    server.setRequestHandler(method, async ({ params }) => {
      const { items, ...next } = selectPage(await listAll(options, list), params?.cursor)
      return toListResult({ [member]: items, ...next })
    })
  }
}

/** What is listed was read when it arrived. */
function toListResult(result: object): never {
  return result as never
}

async function listAll(options: FrontOptions, list: McpList): Promise<readonly object[]> {
  const { behind, tools } = options
  const listed: readonly JsonObject[] =
    behind === undefined
      ? [...tools()].map(([name, definition]) => ({ ...definition, name }))
      : await behind.list(list).catch(refuseList)
  return list === 'tools' ? [...listed, RESULT_TOOL] : listed
}

function refuseList(error: unknown): never {
  const { code, words } = describeConnectionError(error, 'question')
  throw new ProtocolError(ProtocolErrorCode.InternalError, [code, ...words].join('\n'))
}
