/** A folder with files behind an MCP server, its gateway and an agent: as somebody would set it up by hand. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from 'rubicon-kernel'
import { type Home, home, run } from './cli.test-support.ts'

const FILES = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
)

export const LAUNCHER: string = fileURLToPath(
  new URL('../../../server/bin/rubicon.js', import.meta.url),
)

export type McpHome = Home & {
  /** What the server behind may touch. */
  readonly data: string
  /** The options that every verb of the gateway gets. */
  readonly mcp: readonly string[]
}

export async function prepareMcpHome(): Promise<McpHome> {
  const { folder, at } = home()
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'note.txt'), 'hello')
  const file = join(folder, 'mcp.yaml')
  const servers = { files: { command: [process.execPath, FILES, data], env: toCompiled() } }
  writeFileSync(file, JSON.stringify({ agent: 'desk', servers }))
  const mcp = ['--mcp', file, ...at]
  await succeed(['mcp', 'approve', 'files', 'read_text_file', '--class', 'read', ...mcp])
  await succeed(['mcp', 'approve', 'files', 'write_file', '--class', 'write', ...mcp])
  const contract = join(folder, 'desk.yaml')
  writeFileSync(contract, JSON.stringify(CONTRACT))
  await succeed(['contract', 'deploy', contract, ...at])
  mkdirSync(join(folder, 'state', 'agents'), { recursive: true })
  const key = join(folder, 'state', 'agents', 'desk.pem')
  const registered = ['--purpose', 'agent', '--subject', 'desk', '--out', key]
  await succeed(['keys', 'register', ...registered, ...at])
  return { folder, at, data, mcp }
}

/** What a client gives the gateway that it starts. */
export function toClientEnvironment(): Record<string, string> {
  const { HOME = '', TMPDIR = '', XDG_RUNTIME_DIR = '' } = process.env
  return { HOME, TMPDIR, XDG_RUNTIME_DIR, ...toCompiled() }
}

/** Where programs that start again and again find themselves compiled. */
function toCompiled(): Record<string, string> {
  const { NODE_COMPILE_CACHE = '' } = process.env
  return NODE_COMPILE_CACHE === '' ? {} : { NODE_COMPILE_CACHE }
}

async function succeed(argv: readonly string[]): Promise<void> {
  const { exit, stdout, stderr } = await run(argv)
  assert.equal(exit, 0, `${argv.join(' ')}: ${stdout}${stderr}`)
}

export const CONTRACT: JsonObject = {
  ...{ api_version: 'rubicon/v1', kind: 'ResponsibilityContract' },
  ...{ agent_id: 'desk', version: '1.0.0', owner: 'jane.doe@example.com' },
  ...{ effective_from: '2025-01-01', role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' },
  mission: 'Keep the notes of a desk.',
  permissions: { policy_kinds: ['mcp.files.read_text_file', 'mcp.files.write_file'] },
  safety_rules: { requires_human_approval: ['mcp.files.write_file'] },
}

/** The first message of a client of the older era. */
export const INITIALIZE: JsonObject = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
}

/** One line for each message, as a process of its own answers. */
export async function askMcp(
  mcp: readonly string[],
  messages: readonly JsonObject[],
): Promise<readonly string[]> {
  const child = spawn(process.execPath, [LAUNCHER, 'mcp', ...mcp], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const answers: string[] = []
  const answered = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      answers.push(line)
      if (answers.length === messages.length) resolve()
    })
    lines.on('close', resolve)
  })
  for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`)
  await answered
  const ended = once(child, 'exit')
  child.stdin.end()
  await ended
  return answers
}
