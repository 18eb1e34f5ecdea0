/** A server of files in a few lines, with the tools by which one is known. It does nothing, and starts fast. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = `
const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const both = { type: 'object', properties: { source: { type: 'string' }, destination: { type: 'string' } }, required: ['source', 'destination'] }
const tools = [
  { name: 'read_text_file', inputSchema: path }, { name: 'directory_tree', inputSchema: path },
  { name: 'write_file', inputSchema: path },
  { name: 'move_file', inputSchema: both },
  { name: 'frobnicate', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
]
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  const serverInfo = { name: 'fake', version: '1' }
  if (method === 'initialize')
    say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo })
  if (method === 'tools/list') say({ tools })
  if (method === 'tools/call') say({ content: [{ type: 'text', text: 'done' }] })
})`

/** The path of the program. */
export function writeFilesServer(folder: string): string {
  const file = join(folder, 'server.cjs')
  writeFileSync(file, PROGRAM)
  return file
}
