/**
 * `rubicon bench api`: the server under load. So many requests a second, each sent when it is due (a
 * server that stalls is not asked less), while so many clients listen to the ledger and hang up again
 * and again. The load comes from a process of its own; the first seconds warm both up and do not count.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Load, LoadReport } from './api-load.ts'
import { type OpenFlow, PROPOSAL_EVERY } from './api-plan.ts'
import { measureFsyncRate } from './fsync.ts'
import { roundFigure, runLanes } from './measure.ts'
import {
  type BenchAgent,
  type BenchPlace,
  type BenchServer,
  greetAgents,
  serveBench,
} from './served.ts'

export type ApiOptions = {
  readonly seconds: number
  readonly perSecond: number
  readonly ears: number
  /** A store that was filled before; without one a store of so many flows is made. */
  readonly store?: string
  readonly flows: number
  readonly state?: string
  readonly seed: number
  readonly note: (text: string) => void
}

export type ApiReport = LoadReport & {
  readonly seconds: number
  readonly per_second: number
  readonly flows_before: number
  /** How many cores the server kept busy. */
  readonly server_cores: number
  readonly fsync_per_s: number
}

const RUBICON = fileURLToPath(new URL('../../server/bin/rubicon.js', import.meta.url))
const WARM_UP_S = 3
const PERSONS = 16
const LANES = 128

export async function runApiBench(options: ApiOptions): Promise<ApiReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-bench-'))
  try {
    const fsync_per_s = roundFigure(measureFsyncRate())
    const place = await preparePlace(options, folder)
    const server = await serveBench(place, PERSONS)
    try {
      const seconds = options.seconds + WARM_UP_S
      const { store } = server.runtime
      const flows_before = await store.countRows({
        of: 'flows',
        state: ['CLOSED', 'ABORTED', 'ACTIVE'],
      })
      const path = join(folder, 'load.json')
      await writeLoad(options, server, seconds, path)
      options.note(`${options.perSecond} requests a second for ${seconds} s`)
      const before = process.cpuUsage()
      const report = await run(path)
      const { user, system } = process.cpuUsage(before)
      for (const line of server.reports) options.note(line)
      return {
        seconds: options.seconds,
        per_second: options.perSecond,
        flows_before,
        ...report,
        server_cores: roundFigure((user + system) / 1e6 / seconds),
        fsync_per_s,
      }
    } finally {
      await server.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function preparePlace(options: ApiOptions, folder: string): Promise<BenchPlace> {
  const { store, state } = options
  if (store !== undefined) return { store, ...(state === undefined ? {} : { state }) }
  const fresh = { store: `sqlite:${join(folder, 'bench.db')}`, state: join(folder, 'state') }
  await fill(fresh, options)
  return fresh
}

/** In a process of its own: a server that starts has nothing to clear away. */
async function fill({ store, state }: Required<BenchPlace>, options: ApiOptions): Promise<void> {
  const { flows, seed, note } = options
  note(`filling a store with ${flows} flows`)
  const place = ['--store', store, '--state', state]
  const size = ['--flows', String(flows), '--seed', String(seed)]
  const child = spawn(process.execPath, [RUBICON, 'bench', 'fill', ...place, ...size], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    said += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the process that fills the store ended with ${code}: ${said}`)
}

async function openFlows(
  { runtime }: BenchServer,
  agents: readonly BenchAgent[],
  count: number,
): Promise<readonly OpenFlow[]> {
  const flows: OpenFlow[] = []
  let opened = 0
  await runLanes(count, LANES, async () => {
    const index = opened % agents.length
    opened += 1
    const agent = agents[index]?.agent ?? ''
    const { dfid, context } = await runtime.open({ agent, trigger: 'a customer wrote' })
    const { agent_id, snapshot_id: context_ref, mission_context_hash } = context
    flows.push({ agent: index, agent_id, dfid, context_ref, mission_context_hash })
  })
  return flows
}

/**
 * What the other process needs to make the load. It is handed over and forgotten: what this one keeps is
 * the server's, or its collector would be measured with a heap that no server has.
 */
async function writeLoad(
  { perSecond, ears, seed, note }: ApiOptions,
  server: BenchServer,
  seconds: number,
  path: string,
): Promise<void> {
  const agents = await greetAgents(server)
  const proposals = Math.ceil((seconds * perSecond) / PROPOSAL_EVERY)
  note(`opening ${proposals} flows to propose in`)
  const load: Load = {
    url: server.url,
    people: server.people,
    agents: agents.map(({ agent, token, key, private_key }) => ({
      agent,
      token,
      key_id: key.key_id,
      private_key,
    })),
    flows: await openFlows(server, agents, proposals),
    ears,
    seed,
    seconds,
    perSecond,
    warmUpMs: WARM_UP_S * 1000,
  }
  // Its keys are of a store that is thrown away, and yet nobody else's to read.
  writeFileSync(path, JSON.stringify(load), { mode: 0o600 })
}

async function run(path: string): Promise<LoadReport> {
  const program = fileURLToPath(new URL('./api-load.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    said += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the process that makes the load ended with ${code}`)
  return parseReport(said)
}

function parseReport(text: string): LoadReport {
  return JSON.parse(text) as LoadReport
}
