/**
 * A folder with the reference servers behind a gateway, an agent and its contract, as somebody would set it up with
 * the command. It is made anew for every client, at the same path: results name paths.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { demand } from '../pack.ts'
import { ENVIRONMENT, ROOT, runRubicon } from '../shell.ts'
import { type ExpectedTool, listExpected, type ReferenceServer } from './expected.ts'
import type { McpTarget } from './target.ts'

export const RUBICON: string = join(ROOT, 'server/bin/rubicon.js')
const AGENT = 'desk'

/** The server that dies in the middle of a call. */
export const FRAGILE = 'fragile'
export const FRAGILE_TOOL = 'trigger-long-running-operation'

export type TriedPlace = {
  readonly folder: string
  /** The files that the server of files may touch. */
  readonly data: string
  readonly expected: readonly ExpectedTool[]
  readonly env: Readonly<Record<string, string>>
  /** The options that lead to its store. */
  readonly at: readonly string[]
  readonly mcp: readonly string[]
}

export type RunningPlace = {
  readonly url: string
  stop(): Promise<void>
}

/** A picture of one pixel. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Files and servers, without a gateway: what a direct client meets. */
export function preparePlace(folder: string, env: Readonly<Record<string, string>>): TriedPlace {
  rmSync(folder, { recursive: true, force: true })
  const data = join(folder, 'data')
  mkdirSync(join(data, 'sub'), { recursive: true })
  writeFileSync(join(data, 'note.txt'), 'hello\nworld\n')
  writeFileSync(join(data, 'ticks.txt'), 'tick')
  writeFileSync(join(data, 'sub', 'deep.txt'), 'deep')
  writeFileSync(join(data, 'dot.png'), Buffer.from(DOT, 'base64'))
  const at = ['--store', `sqlite:${join(folder, 'rubicon.db')}`, '--state', join(folder, 'state')]
  const mcp = ['--mcp', join(folder, 'mcp.yaml'), ...at]
  return { folder, data, env, at, mcp, expected: listExpected(data) }
}

export function findReference(
  { data, folder, env }: TriedPlace,
  server: ReferenceServer,
): McpTarget & { readonly kind: 'program' } {
  const program = { kind: 'program', command: process.execPath, env } as const
  if (server === 'everything') return { ...program, args: [resolveServer('everything')] }
  if (server === 'files') return { ...program, args: [resolveServer('filesystem'), data] }
  const memory = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }
  return { ...program, env: { ...env, ...memory }, args: [resolveServer('memory')] }
}

function resolveServer(name: string): string {
  return fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`))
}

const SERVERS: readonly ReferenceServer[] = ['everything', 'files', 'memory']

/** Approves the tools, deploys the contract and registers the agent's key. */
export function setUpGateway(place: TriedPlace): void {
  const { folder, at } = place
  const servers = Object.fromEntries(
    SERVERS.map((name) => {
      const { command, args, env } = findReference(place, name)
      return [name, { command: [command, ...args], env }]
    }),
  )
  const all = { ...servers, [FRAGILE]: { command: writeFragileServer(place), env: place.env } }
  writeFileSync(join(folder, 'mcp.yaml'), JSON.stringify({ agent: AGENT, servers: all }))
  approveAll(place)
  const contract = join(folder, 'contract.yaml')
  writeFileSync(contract, JSON.stringify(buildContract(place)))
  askRubicon(place, ['contract', 'deploy', contract, ...at])
  mkdirSync(join(folder, 'state', 'agents'), { recursive: true })
  const key = join(folder, 'state', 'agents', `${AGENT}.pem`)
  const registered = ['--purpose', 'agent', '--subject', AGENT, '--out', key]
  askRubicon(place, ['keys', 'register', ...registered, ...at])
}

/** What the command printed; it throws where the command fails. */
export function askRubicon({ env }: TriedPlace, words: readonly string[]): string {
  return demand(`rubicon ${words[0]} ${words[1]}`, runRubicon(words, { env: { ...env } }))
}

function approveAll(place: TriedPlace): void {
  const groups = Map.groupBy(place.expected, (one) => `${one.server} ${one.class ?? ''}`)
  for (const tools of groups.values()) {
    const [{ server, class: said } = { server: '', class: null }] = tools
    const option = said === null ? [] : ['--class', said]
    const names = tools.map(({ tool }) => tool)
    askRubicon(place, ['mcp', 'approve', server, ...names, ...option, ...place.mcp])
  }
  askRubicon(place, ['mcp', 'approve', FRAGILE, FRAGILE_TOOL, '--class', 'write', ...place.mcp])
}

function buildContract({ expected }: TriedPlace): object {
  const toKind = ({ server, tool }: ExpectedTool): string => `mcp.${server}.${tool}`
  const granted = expected.filter(({ outcome }) => outcome !== 'RBAC_DENIED')
  const asked = expected.filter(({ outcome }) => outcome === 'PENDING_APPROVAL')
  return {
    ...{ api_version: 'rubicon/v1', kind: 'ResponsibilityContract' },
    ...{ agent_id: AGENT, version: '1.0.0', owner: 'jane.doe@example.com' },
    ...{ effective_from: '2025-01-01', role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' },
    mission: 'Try every tool of the reference servers.',
    permissions: {
      policy_kinds: [...granted.map(toKind), `mcp.${FRAGILE}.${FRAGILE_TOOL}`],
      limits: [{ id: 'a', field: '/a', max: '10', applies_to: ['mcp.everything.get-sum'] }],
    },
    safety_rules: { requires_human_approval: asked.map(toKind) },
  }
}

/** The reference server `everything`, which is killed as soon as it has been sent a call. */
function writeFragileServer({ folder }: TriedPlace): readonly string[] {
  const file = join(folder, 'fragile.mjs')
  const text = `
import { appendFileSync } from 'node:fs'
const watch = (chunk) => {
  if (!String(chunk).includes('"tools/call"')) return
  appendFileSync(${JSON.stringify(join(folder, FRAGILE_LOG))}, 'called\\n')
  process.kill(process.pid, 'SIGKILL')
}
// Not before the server listens: what arrives earlier would be lost to it.
process.stdin.on('newListener', function follow(event) {
  if (event !== 'data') return
  process.stdin.off('newListener', follow)
  process.stdin.on('data', watch)
})
await import(${JSON.stringify(resolveServer('everything'))})
`
  writeFileSync(file, text)
  return [process.execPath, file]
}

const FRAGILE_LOG = 'fragile.log'

/** How often a call reached it. */
export function countFragileCalls({ folder }: TriedPlace): number {
  return readFileSync(join(folder, FRAGILE_LOG), 'utf8').trim().split('\n').length
}

const STARTS_WITHIN_MS = 60_000

/** The server with the gateway in it. */
export function startPlace({ mcp, env }: TriedPlace): Promise<RunningPlace> {
  return startUpProcess(mcp, env)
}

/** `env`: beside those of this process. */
export async function startUpProcess(
  mcp: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningPlace> {
  const words = [RUBICON, 'up', '--port', '0', '--json', ...mcp]
  const child = spawn(process.execPath, words, {
    env: { ...ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += String(chunk)
  })
  const late = setTimeout(() => child.kill('SIGKILL'), STARTS_WITHIN_MS)
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.trimEnd().endsWith('}')) break
  }
  clearTimeout(late)
  if (!text.trimEnd().endsWith('}')) throw new Error(`rubicon up ended: ${errors}`)
  return {
    url: JSON.parse(text).url,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
