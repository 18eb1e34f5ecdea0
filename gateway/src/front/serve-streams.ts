import type { Readable, Writable } from 'node:stream'
import type { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { MCP_LIMITS } from '../mcp-limits.ts'

/** Serves one client over two streams, as over standard input and output. */
export function serveStreams(
  create: () => Server,
  input: Readable,
  output: Writable,
): { close(): Promise<void> } {
  const transport = new StdioServerTransport(input, output, {
    maxBufferSize: MCP_LIMITS.messageBytes,
  })
  return serveStdio(create, { transport })
}
