import type { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

/** Serves one client over standard input and output, in whichever era it speaks, until it closes its end. */
export function serveFront(create: () => Server): Promise<void> {
  return new Promise((resolve) => {
    const served = serveStdio(create)
    process.stdin.once('end', () => void served.close().then(resolve))
    process.stdin.once('close', () => resolve())
  })
}
