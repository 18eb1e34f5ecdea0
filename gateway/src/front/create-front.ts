/**
 * The gateway as an MCP client sees it: one server with what all servers behind it have, each under its server's name.
 * What is not set up here (completion, subscriptions to one resource, tasks) is refused by the library.
 */
import { Server } from '@modelcontextprotocol/server'
import { isObject, type JsonObject } from 'rubicon-kernel'
import type { ServerNotice } from '../notices/server-notice.ts'
import { readPackageVersion } from '../package-version.ts'
import { answerLists } from './answer-lists.ts'
import { answerReads } from './answer-reads.ts'
import { callTool } from './call-tool.ts'
import type { FrontOptions } from './front-options.ts'

export function createFront(options: FrontOptions): Server {
  const { behind, instructions = '', isLasting = true } = options
  const lists = { listChanged: true }
  const more = behind === undefined ? {} : { resources: lists, prompts: lists, logging: {} }
  const server = new Server(
    { name: 'rubicon', version: readPackageVersion() },
    { capabilities: { tools: lists, ...more }, instructions },
  )
  answerLists(server, options)
  answerReads(server, options)
  server.setRequestHandler('tools/call', ({ params }, context) =>
    callTool(options, params.name, toObject(params.arguments), context),
  )
  if (behind !== undefined && isLasting)
    server.onclose = behind.follow((notice) => tellChanged(server, notice))
  return server
}

/** Whoever is not connected, or has not asked for it, is told nothing. */
function tellChanged(server: Server, notice: ServerNotice): void {
  if (notice.kind !== 'changed') return
  server.notification({ method: `notifications/${notice.list}/list_changed` }).catch(() => {})
}

function toObject(args: unknown): JsonObject {
  return isObject(args as JsonObject) ? (args as JsonObject) : {}
}
