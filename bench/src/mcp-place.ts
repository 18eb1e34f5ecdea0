/** A store, an agent and the reference server `everything` behind a gateway, set up by the command, and a real `rubicon up`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { main } from '../../server/src/cli/main.ts'

export const EVERYTHING: string = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
)
const RUBICON = fileURLToPath(new URL('../../server/bin/rubicon.js', import.meta.url))
const RULES = fileURLToPath(new URL('./mcp-rules.ts', import.meta.url))

export const MCP_AGENT = 'desk'

export type McpBenchPlace = {
  readonly keyFile: string
  /** The words of a command that lead to the store and the servers. */
  readonly mcp: readonly string[]
}

export async function prepareMcpPlace(folder: string): Promise<McpBenchPlace> {
  const at = ['--store', `sqlite:${join(folder, 'bench.db')}`, '--state', join(folder, 'state')]
  const file = join(folder, 'mcp.yaml')
  const servers = { everything: { command: [process.execPath, EVERYTHING] } }
  writeFileSync(file, JSON.stringify({ agent: MCP_AGENT, servers }))
  const mcp = ['--mcp', file, ...at]
  await runVerb(['mcp', 'approve', 'everything', 'echo', '--class', 'write', ...mcp])
  const contract = join(folder, 'contract.yaml')
  writeFileSync(contract, JSON.stringify(CONTRACT))
  await runVerb(['contract', 'deploy', contract, ...at])
  const keyFile = join(folder, 'state', 'agents', `${MCP_AGENT}.pem`)
  mkdirSync(join(folder, 'state', 'agents'), { recursive: true })
  const registered = ['--purpose', 'agent', '--subject', MCP_AGENT, '--out', keyFile]
  await runVerb(['keys', 'register', ...registered, ...at])
  return { keyFile, mcp }
}

async function runVerb(argv: readonly string[]): Promise<void> {
  let said = ''
  const stream = { write: (text: string) => (said += text) }
  const stdin = Object.assign(new PassThrough(), { isTTY: false })
  const exit = await main(argv, { stdout: stream, stderr: stream, stdin, env: {} })
  if (exit !== 0) throw new Error(`rubicon ${argv.join(' ')}: ${said}`)
}

const CONTRACT = {
  ...{ api_version: 'rubicon/v1', kind: 'ResponsibilityContract' },
  ...{ agent_id: MCP_AGENT, version: '1.0.0', owner: 'jane.doe@example.com' },
  ...{ effective_from: '2025-01-01', role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' },
  mission: 'Say again what was said.',
  permissions: { policy_kinds: ['mcp.everything.echo', 'ECHO'] },
}

export type McpBenchServer = { readonly url: string; readonly child: ChildProcess }

export async function startMcpServer({ mcp }: McpBenchPlace): Promise<McpBenchServer> {
  const words = [RUBICON, 'up', '--rules', RULES, '--port', '0', '--json', ...mcp]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    const url = /"url": *"([^"]+)"/.exec(said)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return { url, child }
  }
  throw new Error(`the server did not start: ${said}`)
}

/** What a client starts. */
export function listGatewayWords({ mcp }: McpBenchPlace): readonly string[] {
  return [RUBICON, 'mcp', ...mcp]
}
