/**
 * `rubicon bench decide`: everything about one decision, from one run, beside its floor. Rounds of
 * ours and of the floor alternate, and medians are taken, because the machine is noisy.
 */

import type { Entry, Policy } from 'rubicon-kernel'
import { createHelpedCrypto, verifyStored } from 'rubicon-verifier'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { replayTrajectory } from '../../runtime/src/evidence/replay.ts'
import { loadCedar } from '../../runtime/src/policies/load-policy.ts'
import type { Store } from '../../runtime/src/ports/store.ts'
import { ignoreProgress, type Progress, type ProgressOf } from '../../server/src/cli/progress.ts'
import { countOperations, type Operations } from './counted.ts'
import { createFloor, type Floor } from './floor.ts'
import { measureFsyncRate } from './fsync.ts'
import { measureGateLatency } from './gate.ts'
import { computeMedian, measureRate, roundFigure, runLanes } from './measure.ts'
import { fillStore } from './seeded.ts'
import { createSubject, type Subject } from './subject.ts'

const LANES = 64

type Pair = { readonly sequential: number; readonly concurrent_64: number }

export type DecideReport = {
  readonly decisions_per_s: Pair
  readonly decisions_per_s_cedar: Pair
  /** Opening the flow included: one more signature, one more entry, one more commit. */
  readonly decisions_per_s_with_open: { readonly concurrent_64: number }
  /** A flow opened and decided in at once. */
  readonly acts_per_s: Pair
  readonly floor_per_s: Pair
  readonly ratio_to_floor: Pair
  readonly act_ratio_to_floor: Pair
  readonly ops: Operations
  readonly fsync_per_s: number
  readonly gate_us: { readonly p50: number; readonly p99: number }
  readonly verify_entries_per_s: number
  readonly replay_entries_per_s: number
  readonly decision_us_at: Readonly<Record<string, number>>
  /** Cost at the largest size over that at the smallest. */
  readonly growth: number
}

export type DecideOptions = {
  readonly rounds?: number
  /** Ledger sizes at which the cost of a decision is measured. */
  readonly sizes?: readonly number[]
  readonly note?: (text: string) => void
  readonly progressOf?: ProgressOf
}

export async function runDecideBench(options: DecideOptions = {}): Promise<DecideReport> {
  const { rounds = 7, sizes = [1_000, 100_000, 1_000_000] } = options
  const { note = () => {}, progressOf = ignoreProgress } = options
  note('warming up')
  const subject = await createSubject()
  const cedar = await createSubject({ extra: [loadCedarLimit()] })
  const floor = createFloor()
  try {
    await runLanes(500, LANES, subject.openAndDecide)
    await runLanes(200, LANES, cedar.openAndDecide)
    floor.runBatch(LANES)
    note('decisions and floor')
    const measured = progressOf('rounds')
    const figures = await runAlternating({ subject, cedar, floor, rounds, progress: measured.tell })
    measured.end()
    note('operation counts')
    const ops = await countOperations(640)
    const gate = await measureGateLatency(subject.runtime.engine)
    note('verification and replay')
    const verified = await verifyRate(subject)
    note(`the cost of a decision at ${sizes.join(', ')} entries`)
    const decision_us_at = await measureCosts(sizes, note, progressOf)
    const costs = Object.values(decision_us_at)
    return {
      ...figures,
      ops,
      fsync_per_s: roundFigure(measureFsyncRate()),
      gate_us: { p50: roundFigure(gate.p50), p99: roundFigure(gate.p99) },
      ...verified,
      decision_us_at,
      growth: roundFigure((costs.at(-1) ?? 0) / (costs[0] ?? 1)),
    }
  } finally {
    floor.close()
    await subject.close()
    await cedar.close()
  }
}

function loadCedarLimit(): Policy {
  const text = `@id("large") forbid(principal, action, resource)
when { context.measures.amount.greaterThan(decimal("400.0")) };`
  const policy = loadCedar({ name: 'cedar-limit', version: '1', text }, sha256)
  if (!policy.ok) throw new Error(policy.error.summary)
  return policy.value
}

async function runAlternating(input: {
  subject: Subject
  cedar: Subject
  floor: Floor
  rounds: number
  progress: Progress
}): Promise<
  Pick<
    DecideReport,
    | 'decisions_per_s'
    | 'decisions_per_s_cedar'
    | 'decisions_per_s_with_open'
    | 'acts_per_s'
    | 'floor_per_s'
    | 'ratio_to_floor'
    | 'act_ratio_to_floor'
  >
> {
  const { subject, cedar, floor, rounds, progress } = input
  const samples = {
    ours: createSamples(),
    cedar: createSamples(),
    floor: createSamples(),
    ratio: createSamples(),
    acts: createSamples(),
    actRatio: createSamples(),
    opened: [] as number[],
  }
  for (let round = 0; round < rounds; round++) {
    progress(round, rounds)
    await subject.prepare(1280 + 100)
    await cedar.prepare(320 + 50)
    const floor64 = await measureRate(640, () => runBatches(floor, 10, LANES))
    const ours64 = await measureRate(1280, () => runLanes(1280, LANES, subject.decide))
    const opened64 = await measureRate(640, () => runLanes(640, LANES, subject.openAndDecide))
    const acts64 = await measureRate(640, () => runLanes(640, LANES, subject.act))
    const again64 = await measureRate(640, () => runBatches(floor, 10, LANES))
    const cedar64 = await measureRate(320, () => runLanes(320, LANES, cedar.decide))
    const floor1 = await measureRate(100, () => runBatches(floor, 100, 1))
    const ours1 = await measureRate(100, () => runLanes(100, 1, subject.decide))
    const acts1 = await measureRate(100, () => runLanes(100, 1, subject.act))
    const cedar1 = await measureRate(50, () => runLanes(50, 1, cedar.decide))
    const between = (floor64 + again64) / 2
    add(samples.floor, floor1, between)
    add(samples.ours, ours1, ours64)
    add(samples.cedar, cedar1, cedar64)
    samples.opened.push(opened64)
    add(samples.ratio, ours1 / floor1, ours64 / between)
    add(samples.acts, acts1, acts64)
    add(samples.actRatio, acts1 / floor1, acts64 / between)
  }
  return {
    decisions_per_s: computeMedians(samples.ours),
    decisions_per_s_cedar: computeMedians(samples.cedar),
    decisions_per_s_with_open: { concurrent_64: roundFigure(computeMedian(samples.opened)) },
    acts_per_s: computeMedians(samples.acts),
    floor_per_s: computeMedians(samples.floor),
    ratio_to_floor: computeMedians(samples.ratio),
    act_ratio_to_floor: computeMedians(samples.actRatio),
  }
}

type Samples = { readonly sequential: number[]; readonly concurrent_64: number[] }

function createSamples(): Samples {
  return { sequential: [], concurrent_64: [] }
}

function add(samples: Samples, sequential: number, concurrent: number): void {
  samples.sequential.push(sequential)
  samples.concurrent_64.push(concurrent)
}

function computeMedians({ sequential, concurrent_64 }: Samples): Pair {
  return {
    sequential: roundFigure(computeMedian(sequential)),
    concurrent_64: roundFigure(computeMedian(concurrent_64)),
  }
}

function runBatches(floor: Floor, count: number, size: number): void {
  for (let i = 0; i < count; i++) floor.runBatch(size)
}

/** Entries as stored, read before the clock starts: what is measured is the check, not the disk. */
async function verifyRate(
  subject: Subject,
): Promise<Pick<DecideReport, 'verify_entries_per_s' | 'replay_entries_per_s'>> {
  const { store } = subject.runtime
  await subject.runtime.engine.checkpoint()
  const entries = await readEntries(store)
  const crypto = createHelpedCrypto()
  const rates: number[] = []
  for (let round = 0; round < 3; round++) verifyStored(entries, crypto)
  for (let round = 0; round < 9; round++)
    rates.push(
      await measureRate(entries.length, () => {
        const report = verifyStored(entries, crypto)
        if (!report.ok) throw new Error('the measured ledger does not verify')
      }),
    )
  await crypto.close()
  const replayed: number[] = []
  for (let round = 0; round < 3; round++) {
    let count = 0
    const started = performance.now()
    const report = await replayTrajectory(store, 'main', sha256)
    count = report.entries
    replayed.push((count * 1000) / (performance.now() - started))
  }
  return {
    verify_entries_per_s: roundFigure(computeMedian(rates)),
    replay_entries_per_s: roundFigure(computeMedian(replayed)),
  }
}

async function readEntries(store: Store): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const page = await store.listLeaves(entries.length, 1000)
    if (page.length === 0) return entries
    entries.push(...page)
  }
}

/** Stores of each size, then rounds that go through all of them. */
async function measureCosts(
  sizes: readonly number[],
  note: (text: string) => void,
  progressOf: ProgressOf,
): Promise<Readonly<Record<string, number>>> {
  const subjects: { size: number; subject: Subject; times: number[] }[] = []
  for (const size of sizes) {
    const subject = await createSubject()
    note(`filling a store with ${size} entries`)
    const filled = progressOf('entries')
    await fillStore(subject.runtime.store, size, filled.tell)
    filled.end()
    await subject.runtime.engine.checkpoint()
    await runLanes(256, LANES, subject.openAndDecide)
    subjects.push({ size, subject, times: [] })
  }
  for (let round = 0; round < 9; round++)
    for (const { subject, times } of subjects) {
      await subject.prepare(512)
      times.push(1_000_000 / (await measureRate(512, () => runLanes(512, LANES, subject.decide))))
    }
  const costs: Record<string, number> = {}
  for (const { size, subject, times } of subjects) {
    costs[String(size)] = roundFigure(computeMedian(times))
    await subject.close()
  }
  return costs
}
