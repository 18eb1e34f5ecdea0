/** A proxy without a kernel, as small as the library allows: a server in front of a client. Its arguments are the program. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const [, , command = '', ...args] = process.argv
const client = new Client({ name: 'bare', version: '1' })
await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))

serveStdio(() => {
  const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => client.listTools())
  server.setRequestHandler('tools/call', ({ params }) =>
    client.request({ method: 'tools/call', params }),
  )
  return server
})
process.stdin.once('end', () => void client.close())
