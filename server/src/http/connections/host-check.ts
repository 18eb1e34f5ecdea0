/**
 * Whether a request was meant for us. A web page can give this port a name of its own and have the
 * browser ask under it; what it cannot do is ask under an address.
 */
import { isIP } from 'node:net'

export type OurNames = {
  /** What the server is bound to. */
  readonly host: string
  /** Where people find it, if a proxy stands in front of it. */
  readonly publicUrl?: URL
}

export function isOurHost(header: string | undefined, { host, publicUrl }: OurNames): boolean {
  const name = parseHostName(header)
  if (name === null) return false
  return [host, publicUrl?.hostname, 'localhost'].includes(name) || isIP(name) !== 0
}

/** Without the port and the brackets of an IPv6 address; null: it is none. */
function parseHostName(header: string | undefined): string | null {
  if (header === undefined || header === '') return null
  const bracketed = /^\[([0-9a-fA-F:.]+)\](:[0-9]{1,5})?$/.exec(header)
  if (bracketed !== null) return bracketed[1] ?? null
  const plain = /^([A-Za-z0-9.-]{1,253})(:[0-9]{1,5})?$/.exec(header)
  return plain?.[1]?.toLowerCase() ?? null
}
