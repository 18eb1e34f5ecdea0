/**
 * `rubicon bench mcp`: what the gateway adds to a call of a tool. One call after the other, of the same tool of the same
 * reference server: by a client that is connected to it, by one behind a proxy without a kernel, and by one behind the
 * gateway; beside them one act over loopback, with an effect that costs nothing. Rounds of all four are interleaved.
 */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { connectAgent, parseAgentKey } from 'rubicon-agents'
import {
  EVERYTHING,
  listGatewayWords,
  MCP_AGENT,
  type McpBenchPlace,
  prepareMcpPlace,
  startMcpServer,
} from './mcp-place.ts'
import { computePercentile, roundFigure } from './measure.ts'

export type McpBenchReport = {
  readonly direct_ms: number
  readonly bare_proxy_ms: number
  readonly gateway_ms: number
  readonly act_ms: number
  /** What the gateway may take: the bare proxy and 1.3 acts. */
  readonly bar_ms: number
  readonly ok: boolean
  readonly p99: Readonly<Record<Way, number>>
  readonly calls: number
}

export type McpBenchOptions = {
  readonly rounds: number
  readonly note: (text: string) => void
}

type Way = 'direct' | 'bare_proxy' | 'gateway' | 'act'
type Ways = Readonly<Record<Way, (message: string) => Promise<void>>>

/** Few, so that a disturbance of the machine meets all ways alike. */
const CALLS_A_ROUND = 5
/** The gateway is a process of its own, which has to be as warm as that of the acts. */
const WARM_UP_ROUNDS = 30
const ACTS_ALLOWED = 1.3

export async function runMcpBench({ rounds, note }: McpBenchOptions): Promise<McpBenchReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-bench-'))
  try {
    note('setting up a gateway in front of the server `everything`')
    const place = await prepareMcpPlace(folder)
    const { url, child } = await startMcpServer(place)
    try {
      note(`${rounds} rounds of ${CALLS_A_ROUND} calls each way`)
      return await measureWays(place, url, rounds)
    } finally {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureWays(
  place: McpBenchPlace,
  url: string,
  rounds: number,
): Promise<McpBenchReport> {
  const proxy = fileURLToPath(new URL('./mcp-proxy.ts', import.meta.url))
  const direct = await connect([EVERYTHING])
  const bare = await connect([proxy, process.execPath, EVERYTHING])
  const gateway = await connect(listGatewayWords(place))
  const key = await parseAgentKey(readFileSync(place.keyFile, 'utf8'))
  const agent = await connectAgent({ url, agent: MCP_AGENT, key })
  const ways: Ways = {
    direct: (message) => callEcho(direct, 'echo', message),
    bare_proxy: (message) => callEcho(bare, 'echo', message),
    gateway: (message) => callEcho(gateway, 'everything__echo', message),
    async act(message) {
      const answer = await agent.act({
        trigger: 'bench',
        policy_kind: 'ECHO',
        params: { message },
      })
      const status = 'execution' in answer ? answer.execution.status : answer.outcome
      if (status !== 'SUCCESS') throw new Error(`an act ended with ${JSON.stringify(answer)}`)
    },
  }
  try {
    return toReport(await takeTimes(ways, rounds))
  } finally {
    await agent.close()
    await Promise.all([direct, bare, gateway].map((client) => client.close()))
  }
}

async function connect(args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' })
  const { HOME = '', PATH = '', TMPDIR = '', XDG_RUNTIME_DIR = '' } = process.env
  const env = { HOME, PATH, NODE_NO_WARNINGS: '1', TMPDIR, XDG_RUNTIME_DIR }
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const program = { command: process.execPath, args: [...args], env: given }
  await client.connect(new StdioClientTransport({ ...program, stderr: 'inherit' }))
  return client
}

async function callEcho(client: Client, name: string, message: string): Promise<void> {
  const { content, isError } = await client.callTool({ name, arguments: { message } })
  const [part] = content
  if (isError === true || part?.type !== 'text' || part.text !== `Echo: ${message}`)
    throw new Error(`a call ended with ${JSON.stringify(content)}`)
}

type Times = Readonly<Record<Way, number[]>>

async function takeTimes(ways: Ways, rounds: number): Promise<Times> {
  const times: Times = { direct: [], bare_proxy: [], gateway: [], act: [] }
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++)
    for (const way of Object.keys(times) as Way[])
      for (let call = 0; call < CALLS_A_ROUND; call++) {
        const begun = performance.now()
        await ways[way](`${round}.${call}`)
        if (round >= WARM_UP_ROUNDS) times[way].push(performance.now() - begun)
      }
  return times
}

function toReport(times: Times): McpBenchReport {
  const read = (way: Way, share: number): number => computePercentile(times[way], share)
  const bar = read('bare_proxy', 0.5) + ACTS_ALLOWED * read('act', 0.5)
  return {
    direct_ms: roundFigure(read('direct', 0.5)),
    bare_proxy_ms: roundFigure(read('bare_proxy', 0.5)),
    gateway_ms: roundFigure(read('gateway', 0.5)),
    act_ms: roundFigure(read('act', 0.5)),
    bar_ms: roundFigure(bar),
    ok: read('gateway', 0.5) <= bar,
    p99: {
      direct: roundFigure(read('direct', 0.99)),
      bare_proxy: roundFigure(read('bare_proxy', 0.99)),
      gateway: roundFigure(read('gateway', 0.99)),
      act: roundFigure(read('act', 0.99)),
    },
    calls: times.gateway.length,
  }
}
