/**
 * The same gated, durable action on other systems, beside ours.
 *
 * The peers have a manifest of their own and are no part of the normal install, so nothing of
 * `bench/peers` is imported here: each is a child process that prints one line of JSON. A peer that
 * cannot run has no figure, and says why.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { roundFigure } from './measure.ts'

export type PeerFigure = {
  readonly per_s: number | null
  readonly concurrency: number
  readonly sequential_per_s?: number
  /** The median at that concurrency. */
  readonly latency_ms?: number
  /** What is durable, in which configuration. */
  readonly note?: string
  /** Why there is no figure. */
  readonly reason?: string
}

export type PeerScript = {
  readonly name: string
  readonly script: string
  /** Nothing has to be installed for it. */
  readonly isOurs?: true
  readonly variant?: string
  readonly needs?: 'postgres'
}

export type PeersOptions = {
  /** Where the server is that ours runs on too; null when there is none. */
  readonly postgres: string | null
  readonly seconds?: number
  readonly note?: (text: string) => void
  readonly peers?: readonly PeerScript[]
  readonly timeoutMs?: number
}

const LANES = 64
const TIMEOUT_MS = 60_000
/** To stop what it has started; then it is killed. */
const GRACE_MS = 5_000
const MOST_OUTPUT = 1 << 16
const REASON_LINES = 3
/** The caret below a quoted line of source. */
const SOURCE_MARK = /^\s*\^+$/m
/** Empty and indented lines, closing brackets, files with line numbers, Node's own name. */
const PLACES = /^(\s.*|[}\]]*|(node|file|\/)\S*:\d+|Node\.js v.*)$/

const DBOS = join(import.meta.dirname, '../peers/dbos.ts')
const RESTATE = join(import.meta.dirname, '../peers/restate.ts')
const LANGGRAPH = join(import.meta.dirname, '../peers/langgraph.ts')
const GOVERNANCE = join(import.meta.dirname, '../peers/agent-governance.ts')
const OWN = join(import.meta.dirname, './ours.ts')

export const PEERS: readonly PeerScript[] = [
  { name: 'dbos', script: DBOS, needs: 'postgres' },
  { name: 'dbos_one_step', script: DBOS, variant: 'one_step', needs: 'postgres' },
  { name: 'restate', script: RESTATE },
  { name: 'restate_one_step', script: RESTATE, variant: 'one_step' },
  { name: 'langgraph', script: LANGGRAPH, needs: 'postgres' },
  { name: 'langgraph_interrupt', script: LANGGRAPH, variant: 'interrupt', needs: 'postgres' },
  { name: 'langgraph_sqlite', script: LANGGRAPH, variant: 'sqlite' },
  { name: 'agent_governance', script: GOVERNANCE },
]

export const OURS: readonly PeerScript[] = [
  { name: 'rubicon_postgres', script: OWN, isOurs: true, needs: 'postgres' },
  {
    name: 'rubicon_postgres_with_opening',
    script: OWN,
    isOurs: true,
    variant: 'with_opening',
    needs: 'postgres',
  },
  {
    name: 'rubicon_postgres_act',
    script: OWN,
    isOurs: true,
    variant: 'act',
    needs: 'postgres',
  },
  { name: 'rubicon_sqlite_act', script: OWN, isOurs: true, variant: 'act_sqlite' },
]

export async function runPeersBench(
  options: PeersOptions,
): Promise<Readonly<Record<string, PeerFigure>>> {
  const { peers = PEERS, note = () => {} } = options
  const figures: Record<string, PeerFigure> = {}
  // One after the other: each has the machine to itself.
  for (const peer of peers) {
    note(`peer ${peer.name}`)
    figures[peer.name] = await measurePeer(peer, options)
  }
  return figures
}

async function measurePeer(peer: PeerScript, options: PeersOptions): Promise<PeerFigure> {
  const { postgres, seconds = 3, timeoutMs = TIMEOUT_MS } = options
  const isInstalled = peer.isOurs || existsSync(join(dirname(peer.script), 'node_modules'))
  if (!isInstalled) {
    return createMissingFigure('not installed: npm ci in bench/peers')
  }
  if (peer.needs === 'postgres' && postgres === null)
    return createMissingFigure('no Postgres server')
  const flags = {
    lanes: String(LANES),
    seconds: String(seconds),
    ...(postgres === null ? {} : { postgres }),
    ...(peer.variant === undefined ? {} : { variant: peer.variant }),
  }
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
  const { status, stdout, stderr } = await runScript([peer.script, ...args], timeoutMs)
  if (status === 'late') return createMissingFigure(`no figure after ${timeoutMs} ms`)
  if (status !== 0) return createMissingFigure(extractLastLines(stderr) || `left with ${status}`)
  return parseFigure(extractLastLines(stdout, 1)) ?? createMissingFigure('printed no figure')
}

function createMissingFigure(reason: string): PeerFigure {
  return { per_s: null, concurrency: LANES, reason }
}

type Ended = {
  /** An exit code, the signal that ended it, or that it took too long. */
  readonly status: number | string | null
  readonly stdout: string
  readonly stderr: string
}

function runScript(args: readonly string[], timeoutMs: number): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--no-warnings', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const said = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        said[stream] = `${said[stream]}${text}`.slice(-MOST_OUTPUT)
      })
    }
    child.on('error', ({ message }) => {
      said.stderr += message
    })
    let late = false
    const limit = setTimeout(() => {
      late = true
      child.kill('SIGTERM')
    }, timeoutMs)
    const last = setTimeout(() => child.kill('SIGKILL'), timeoutMs + GRACE_MS)
    child.on('close', (code, signal) => {
      clearTimeout(limit)
      clearTimeout(last)
      resolve({ status: late ? 'late' : (code ?? signal), ...said })
    })
  })
}

/** The end of what it said, without where in the code it said so. */
function extractLastLines(text: string, count = REASON_LINES): string {
  const behindSource = text.split(SOURCE_MARK).at(-1) ?? ''
  const lines = behindSource.split('\n').filter((line) => !PLACES.test(line))
  return lines.slice(-count).join('\n')
}

function parseFigure(line: string): PeerFigure | null {
  let figure: Partial<PeerFigure>
  try {
    figure = JSON.parse(line) ?? {}
  } catch {
    return null
  }
  const { per_s, concurrency, sequential_per_s, latency_ms, note } = figure
  if (typeof per_s !== 'number' || typeof concurrency !== 'number') return null
  return {
    per_s: roundFigure(per_s),
    concurrency,
    ...(typeof sequential_per_s === 'number'
      ? { sequential_per_s: roundFigure(sequential_per_s) }
      : {}),
    ...(typeof latency_ms === 'number' ? { latency_ms: roundFigure(latency_ms) } : {}),
    ...(typeof note === 'string' ? { note } : {}),
  }
}
