/**
 * How a client names a resource: its server stands before its scheme, so that no server can take the place of another
 * one by listing its URIs.
 */
import { isMcpServerName } from 'rubicon-kernel'

const PREFIX = 'mcp.'
const BETWEEN = '+'

export function toShownUri(server: string, uri: string): string {
  return `${PREFIX}${server}${BETWEEN}${uri}`
}

/** `only`: the server that is meant where none is named, as results of tools name their resources. */
export function parseShownUri(
  shown: string,
  only: string | undefined,
): { readonly server: string; readonly uri: string } | undefined {
  const at = shown.indexOf(BETWEEN)
  const server = shown.startsWith(PREFIX) ? shown.slice(PREFIX.length, Math.max(at, 0)) : ''
  if (at > 0 && isMcpServerName(server)) return { server, uri: shown.slice(at + BETWEEN.length) }
  return only === undefined ? undefined : { server: only, uri: shown }
}
