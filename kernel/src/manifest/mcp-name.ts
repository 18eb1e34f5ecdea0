/**
 * Names of MCP servers and of their tools. Clients see `server__tool`: a server's name has no underscore, so that the
 * first two of them end it, and no name has a character that two people could read differently.
 */
import { HOST_CHARACTERS, hasOnly, NAME_CHARACTERS } from './plain-text.ts'
import type { McpReadExecutor } from './tool-manifest.ts'

const SHOWN_LENGTH = 64
const SERVER_LENGTH = 24
const BETWEEN = '__'

export function isMcpServerName(text: string): boolean {
  return text !== '' && text.length <= SERVER_LENGTH && hasOnly(text, HOST_CHARACTERS)
}

export function isMcpToolName(text: string): boolean {
  return text !== '' && text.length <= SHOWN_LENGTH && hasOnly(text, NAME_CHARACTERS)
}

/** What a contract calls the tool. */
export function toMcpKind(server: string, tool: string): string {
  return `mcp.${server}.${tool}`
}

/** What a contract calls reading what a server holds. No tool has it: names of tools have no dot. */
export function toMcpReadKind(server: string, method: McpReadExecutor['method']): string {
  return `mcp.${server}.${method === 'resources/read' ? 'resources.read' : 'prompts.get'}`
}

/** What a client calls it; undefined: it would be too long. */
export function toShownName(server: string, tool: string): string | undefined {
  const name = `${server}${BETWEEN}${tool}`
  return name.length <= SHOWN_LENGTH ? name : undefined
}

/** The tool that a client names; undefined: it is the name of none. */
export function parseShownName(
  name: string,
): { readonly server: string; readonly tool: string } | undefined {
  const at = name.indexOf(BETWEEN)
  const [server, tool] = [name.slice(0, at), name.slice(at + BETWEEN.length)]
  const isName = at !== -1 && name.length <= SHOWN_LENGTH && isMcpServerName(server)
  return isName && isMcpToolName(tool) ? { server, tool } : undefined
}
