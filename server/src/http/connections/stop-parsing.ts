/**
 * Ends the reading of a connection in the midst of what it has sent. Node reads 64 KB at a time, and makes a
 * request of everything in them that is one, also when the connection was destroyed at the first: 1,500
 * requests that nobody will answer, for each of which somebody else waits.
 */
import type { Socket } from 'node:net'

/** As `node:http` hangs it on the socket. It is not documented; without it the rest is read in vain. */
type Parsed = Socket & { readonly parser?: { onIncoming?: () => number } | null }

/** What the parser is told where a connection becomes something else: whatever follows is not HTTP. */
const NO_MORE = 2

export function stopParsing({ parser }: Parsed): void {
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => NO_MORE
}
