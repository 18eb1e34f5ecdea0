/** The MCP file of the demo, and what was approved beside it: a server that ships with the company and runs offline. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatLock, type LockedTool, TOOL_CLASSES } from 'rubicon-mcp'
import { PARCELS } from './parcels.ts'
import { APPROVED_TOOLS, CARRIER } from './tools.ts'

/** Where the MCP file is. What was approved is written once: a person may have approved something since. */
export function writeCarrierFiles(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'mcp.yaml')
  const program = import.meta.url.endsWith('.ts') ? './serve-carrier.ts' : './serve-carrier.js'
  const command = [process.execPath, fileURLToPath(new URL(program, import.meta.url))]
  // JSON is YAML.
  const document = { agent: PARCELS, servers: { [CARRIER]: { command } } }
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 })
  const lock = join(folder, 'mcp.lock.json')
  if (!existsSync(lock)) writeFileSync(lock, formatLock({ tools: listLocked() }), { mode: 0o600 })
  return file
}

/** One moment for all demos: files of two starts are the same. */
const APPROVED = { by: 'ann@example.com', at: '2026-01-12T09:30:00.000Z' }

function listLocked(): readonly LockedTool[] {
  return APPROVED_TOOLS.map((definition) => ({
    server: CARRIER,
    definition,
    class: definition.name === 'track_parcel' ? TOOL_CLASSES.read : TOOL_CLASSES.write,
    approved: { ...APPROVED, reason: 'what the contract with the carrier says' },
  }))
}
