/**
 * `rubicon bench monitors`: what a sweep costs over a long history. Ten agents, each with a mean over
 * thirty days, a rate over a thousand executions and a streak; all executions lie inside the thirty
 * days. Cold: a process that has just started reads every window. Incremental: a few new executions.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject, Sample } from 'rubicon-kernel'
import { createRuntime, type Runtime } from 'rubicon-runtime'
import { buildPackedWrites } from '../../runtime/src/engine/monitors/packed-writes.ts'
import { InForceCache } from '../../runtime/src/engine/monitors/streams.ts'
import type { Write } from '../../runtime/src/ports/store.ts'
import { ignoreProgress, type Progress, type ProgressOf } from '../../server/src/cli/progress.ts'
import { computePercentile, roundFigure } from './measure.ts'
import { fillStore } from './seeded.ts'
import { CONTRACT, REFUND } from './subject.ts'

export type MonitorsReport = {
  readonly executions: number
  readonly monitors: number
  readonly cold_sweep_ms: number
  readonly incremental_sweep_ms: { readonly p50: number; readonly p99: number }
}

const AGENTS = 10
const ROUNDS = 200
const NEW_EXECUTIONS = 5
const PACKED_AT_ONCE = 5_000
const DAY_MS = 86_400_000

export async function runMonitorsBench(options: {
  readonly executions: number
  readonly note: (text: string) => void
  readonly progressOf?: ProgressOf
}): Promise<MonitorsReport> {
  const { executions, note, progressOf = ignoreProgress } = options
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-bench-'))
  const start = async (): Promise<Runtime> => {
    const runtime = await createRuntime({
      store: `sqlite:${join(folder, 'bench.db')}`,
      stateDirectory: join(folder, 'state'),
      capabilities: [REFUND],
      background: false,
    })
    await runtime.start()
    return runtime
  }
  let runtime = await start()
  try {
    await deploy(runtime)
    note(`filling the ledger with ${executions} entries`)
    const first = await runtime.store.countLeaves()
    const filled = progressOf('entries')
    await fillStore(runtime.store, first + executions, filled.tell)
    filled.end()
    note('packing as many executions')
    const packed = progressOf('executions')
    await storeSamples(runtime, first, executions, packed.tell)
    packed.end()
    await runtime.close()

    runtime = await start()
    await execute(runtime, 1)
    const cold_sweep_ms = await measureTime(() => runtime.engine.oversight.sweepMonitors())
    const monitors = await checkWindows(runtime, executions)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await execute(runtime, NEW_EXECUTIONS)
      times.push(await measureTime(() => runtime.engine.oversight.sweepMonitors()))
    }
    const incremental_sweep_ms = {
      p50: roundFigure(computePercentile(times, 0.5)),
      p99: roundFigure(computePercentile(times, 0.99)),
    }
    return { executions, monitors, cold_sweep_ms: roundFigure(cold_sweep_ms), incremental_sweep_ms }
  } finally {
    await runtime.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function deploy(runtime: Runtime): Promise<void> {
  for (let i = 0; i < AGENTS; i++)
    await runtime.deploy({
      ...CONTRACT,
      agent_id: toAgentName(i),
      aggregate_thresholds: { max_average_amount_30d: '1000' },
    })
  const monitor: JsonObject = {
    api_version: 'rubicon/v1',
    kind: 'Monitor',
    agents: Array.from({ length: AGENTS }, (_, i) => toAgentName(i)),
  }
  const large = { value: 'measure:amount', when: { above: '400' } }
  await runtime.monitor({
    ...monitor,
    name: 'large_refunds',
    statistic: { kind: 'rate', ...large, max: '0.9' },
    window: { executions: 1000 },
  })
  const streak = { kind: 'streak', ...large, length: 100 }
  await runtime.monitor({ ...monitor, name: 'large_in_a_row', statistic: streak })
}

function toAgentName(i: number): string {
  return `bot_${i}`
}

/** As a sweep would have: the same blocks, the same cursor. */
async function storeSamples(
  runtime: Runtime,
  first: number,
  executions: number,
  progress: Progress,
): Promise<void> {
  const { store, engine } = runtime
  const { streams } = await new InForceCache(engine.context).loadLatest()
  const all = [...streams.values()]
  const step = Math.floor((29 * DAY_MS) / executions)
  const now = Date.now()
  const buildSample = (i: number): Sample => ({
    leaf: first + i,
    at: now - (executions - i) * step,
    policy_kind: 'REFUND',
    status: 'SUCCESS',
    values: { 'measure:amount': `${(i * 7919) % 500}.${String(i % 100).padStart(2, '0')}` },
  })
  for (let from = 0; from < executions; from += PACKED_AT_ONCE) {
    const count = Math.min(PACKED_AT_ONCE, executions - from)
    const samples = Array.from({ length: count }, (_, i) => buildSample(from + i))
    const writes: Write[] = []
    for (const [number, stream] of all.entries()) {
      const own = samples.filter(({ leaf }) => leaf % AGENTS === number)
      writes.push(...(await buildPackedWrites(store, stream, own)))
    }
    await store.commit({ guards: [], writes })
    progress(from + count, executions)
  }
  const body = { leaf: first + executions, now }
  const cursor = { record: 'monitor_cursor', group: 'all', key: 'all', body } as const
  await store.commit({ guards: [], writes: [{ kind: 'put_record', ...cursor }] })
}

async function execute(runtime: Runtime, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const flow = await runtime.open({ agent: toAgentName(i % AGENTS), trigger: 'bench' })
    const params = { order: 'o-1', amount: '20.00', currency: 'EUR' }
    const { outcome } = await flow.propose({ policy_kind: 'REFUND', params })
    if (outcome !== 'ACCEPTED') throw new Error(`a measured refund was ${outcome}`)
  }
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The windows hold what they should, and nobody was stopped. */
async function checkWindows(runtime: Runtime, executions: number): Promise<number> {
  const { monitors } = await runtime.engine.oversight.monitors()
  const held = monitors
    .filter(({ origin }) => origin === 'contract')
    .reduce((sum, { verdict }) => sum + verdict.samples, 0)
  const fine = monitors.every(({ verdict }) => verdict.kind === 'ok')
  if (held !== executions + 1 || !fine) throw new Error(`the windows hold ${held} executions`)
  return monitors.length
}
