/** A gateway for the console to show: a small program that speaks MCP, whose tools nobody has approved. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openUpGateway, type UpGateway } from '../server/src/cli/up-mcp.ts'

const PROGRAM = `
process.stderr.write('desk is ready\\n')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  const serverInfo = { name: 'desk', version: '1' }
  const { protocolVersion } = params ?? {}
  if (method === 'initialize') say({ protocolVersion, capabilities: { tools: {} }, serverInfo })
  const inputSchema = { type: 'object', properties: { ticket: { type: 'string' } }, required: ['ticket'] }
  const tools = [
    { name: 'read_ticket', description: 'Reads a ticket.', inputSchema },
    { name: 'close_ticket', description: 'Closes a ticket.\\u200b', inputSchema },
  ]
  if (method === 'tools/list') say({ tools })
})`

export function openConsoleGateway(folder: string): Promise<UpGateway> {
  const file = join(folder, 'mcp.yaml')
  const servers = { desk: { command: [process.execPath, '-e', PROGRAM] } }
  writeFileSync(file, JSON.stringify({ agent: 'desk', servers }))
  return openUpGateway(file)
}
