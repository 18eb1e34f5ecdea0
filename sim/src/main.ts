/** The storm as a command: many seeds on every core, one result. */
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { FAILPOINTS, type Failpoint } from '../../runtime/src/ports/failpoint.ts'
import {
  runSeeds,
  type SeedsDone,
  type SeedsOptions,
  type SeedsResult,
  type StormViolation,
} from './run-seeds.ts'
import type { StormMessage } from './storm-worker.ts'
import { FAULTS, type Fault } from './swarm.ts'

export type StormOptions = {
  readonly seeds: number
  /** Only this one. */
  readonly seed?: number
  /** Only these. */
  readonly chosen?: readonly number[]
  /** The first of many. */
  readonly from?: number
  readonly threads?: number
  readonly progress?: (done: number, of: number) => void
}

export type StormReport = {
  readonly seeds: number
  readonly intents: number
  readonly faults: number
  readonly violations: readonly StormViolation[]
  readonly history_hash: string
}

/** What was never reached or never happened: a storm that misses it proves less than it says. */
export type Coverage = {
  readonly failpoints_missed: readonly Failpoint[]
  readonly faults_missed: readonly Fault[]
}

/** To start a thread for fewer takes longer than they do. */
const SEEDS_A_THREAD = 8

export async function runStorm(options: StormOptions): Promise<StormReport & Coverage> {
  const { seeds, seed, from = 1 } = options
  const listCounted = (): readonly number[] => Array.from({ length: seeds }, (_, i) => from + i)
  const chosen = options.chosen ?? (seed === undefined ? listCounted() : [seed])
  const worthwhile = Math.min(availableParallelism(), Math.ceil(chosen.length / SEEDS_A_THREAD))
  const threads = Math.min(options.threads ?? worthwhile, chosen.length)
  const shares = Array.from({ length: threads }, (_, share) =>
    chosen.filter((_seed, index) => index % threads === share),
  )
  const behind = shares.map(() => 0)
  const trackShare = (share: number): SeedsDone => {
    return (done) => {
      behind[share] = done
      const all = behind.reduce((sum, count) => sum + count, 0)
      options.progress?.(all, chosen.length)
    }
  }
  const results =
    threads <= 1
      ? [await runSeeds({ seeds: chosen }, trackShare(0))]
      : await Promise.all(
          shares.map((seeds, share) => runSeedsInThread({ seeds }, trackShare(share))),
        )
  return merge(results)
}

/** The command that repeats a failure. */
export function repeatCommand({ seed }: Pick<StormViolation, 'seed'>): string {
  return `npx rubicon sim --seed ${seed}`
}

function runSeedsInThread(workerData: SeedsOptions, onDone: SeedsDone): Promise<SeedsResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./storm-worker.ts', import.meta.url), { workerData })
    worker.on('message', (message: StormMessage) => {
      if ('done' in message) onDone(message.done)
      else resolve(message.result)
    })
    worker.once('error', reject)
  })
}

function merge(results: readonly SeedsResult[]): StormReport & Coverage {
  const hashes = results.flatMap((result) => result.hashes).sort(([a], [b]) => a - b)
  const history = createHash('sha256')
  for (const [seed, hash] of hashes) history.update(`${seed} ${hash}\n`)
  const sum = (of: (result: SeedsResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  const hits = new Set(results.flatMap((result) => result.hits.map(([point]) => point)))
  const struck = new Set(results.flatMap((result) => result.struck.map(([fault]) => fault)))
  return {
    seeds: sum((result) => result.seeds),
    intents: sum((result) => result.intents),
    faults: sum((result) => result.faults),
    violations: results.flatMap((result) => result.violations).sort((a, b) => a.seed - b.seed),
    history_hash: history.digest('hex'),
    failpoints_missed: FAILPOINTS.filter((point) => !hits.has(point)),
    faults_missed: FAULTS.filter((fault) => !struck.has(fault)),
  }
}
