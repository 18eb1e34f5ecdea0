/**
 * The file in which an MCP client keeps its servers. Claude Desktop, Claude Code and Cursor call the member `mcpServers`,
 * VS Code calls it `servers` and says the type of each. What else stands in it is none of ours, and stays.
 */
import {
  checkJson,
  err,
  type Failure,
  isObject,
  type JsonObject,
  type JsonValue,
  ok,
  type Result,
} from 'rubicon-kernel'
import { toPlainJson } from './plain-json.ts'

export type ClientMember = 'mcpServers' | 'servers'

export type ClientServer = {
  /** As the client calls it. */
  readonly name: string
  readonly entry: JsonObject
}

export type ClientFile = {
  readonly member: ClientMember
  readonly document: JsonObject
  readonly servers: readonly ClientServer[]
}

export function parseClientFile(path: string, text: string): Result<ClientFile, Failure> {
  const document = parseText(text)
  if (!isObject(document)) return err(refuseClientFile(path, 'it is no JSON object'))
  const members = (['mcpServers', 'servers'] as const).filter((one) => isObject(document[one]))
  const [member, other] = members
  if (member === undefined || other !== undefined)
    return err(refuseClientFile(path, 'it has not one of `mcpServers` and `servers`'))
  const servers: ClientServer[] = []
  for (const [name, entry] of Object.entries(document[member] ?? {})) {
    if (!isObject(entry)) return err(refuseClientFile(path, `\`${name}\` is no object`))
    servers.push({ name, entry })
  }
  return ok({ member, document, servers })
}

function parseText(text: string): JsonValue | undefined {
  try {
    const checked = checkJson(JSON.parse(toPlainJson(text)))
    return checked.ok ? checked.value : undefined
  } catch {
    return undefined
  }
}

function refuseClientFile(path: string, why: string): Failure {
  return {
    code: 'MCP_CLIENT_FILE',
    summary: `${path}: no settings of an MCP client`,
    why,
    fix: 'name the file of Claude Desktop, VS Code or Cursor with --from',
  }
}
