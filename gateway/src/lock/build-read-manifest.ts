/** Reading a resource or a prompt of a server, as a manifest. There is no definition to pin: what is read is data. */
import {
  type Failure,
  type JsonObject,
  type McpReadExecutor,
  parseManifest,
  type Result,
  type ToolManifest,
  toMcpReadKind,
} from 'rubicon-kernel'
import { MCP_LIMITS } from '../mcp-limits.ts'
import type { ServerConfig } from '../upstream/server-config.ts'

type ReadMethod = McpReadExecutor['method']

export function listReadMethods({ resources, prompts }: ServerConfig): readonly ReadMethod[] {
  return [
    ...(resources === true ? (['resources/read'] as const) : []),
    ...(prompts === true ? (['prompts/get'] as const) : []),
  ]
}

const TEXT = { type: 'string', maxLength: MCP_LIMITS.uriLength }

/** `scopes`: what a contract bounds by the set of that name. */
const READS: Readonly<Record<ReadMethod, JsonObject>> = {
  'resources/read': {
    summary: 'reads a resource',
    params: {
      type: 'object',
      properties: { uri: TEXT },
      required: ['uri'],
      additionalProperties: false,
    },
    scopes: { uris: '/uri' },
  },
  'prompts/get': {
    summary: 'asks for a prompt',
    params: {
      type: 'object',
      properties: {
        name: TEXT,
        arguments: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['name'],
      additionalProperties: false,
    },
    scopes: { prompts: '/name' },
  },
}

export function buildReadManifest(
  server: string,
  method: ReadMethod,
): Result<ToolManifest, Failure> {
  return parseManifest({
    manifest: 'rubicon/tool/1',
    kind: toMcpReadKind(server, method),
    version: '1',
    ...READS[method],
    ...{ effect: 'read', reversible: true, risk: 'low' },
    labels: { result: 'external' },
    executor: { mcp_read: { server, method } },
  })
}
