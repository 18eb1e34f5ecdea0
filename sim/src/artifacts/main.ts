/**
 * `sim artifacts`: the laws of structural deltas, over and over, from a seed.
 *
 * A1 whatever was applied is undone in every permitted order, and the text is the first one, unit by unit.
 * A2 the deltas of several authors come to the same bytes in any permutation of the batch.
 * A3 every mistake of the table is refused, with a code that says what it is.
 * A4 one seed has one report, however many threads there are: every part draws from a number of its own.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { VIOLATIONS } from './all-violations.ts'
import type { ArtifactsMessage } from './artifacts-worker.ts'
import {
  type ArtifactsFailure,
  createShareResult,
  type ProofPart,
  playShare,
  type ShareResult,
} from './play-share.ts'
import { TEXT_NAMES } from './texts.ts'

export type ArtifactsOptions = {
  readonly cases: number
  /** Of one batch of each format. */
  readonly permutations: number
  readonly violations: number
  readonly seed: number
  /** As many as there are cores, and work for. */
  readonly threads?: number
  readonly progress?: (done: number, of: number) => void
}

export type ArtifactsReport = {
  readonly batches: number
  /** Batches of which nothing came: their claims fitted, and together they did not. */
  readonly refused: number
  /** Batches that, undone in one of the orders, did not give back the first text, or could not be undone. */
  readonly not_restored: number
  readonly deltas: number
  /** Deltas by what they do. */
  readonly by_op: Readonly<Record<string, number>>
  /** Orders in which all of a batch was undone. */
  readonly orders: number
  readonly permutations: number
  /** Of the results of all permutations: one for each batch. */
  readonly hashes: number
  readonly violations: { readonly seeded: number; readonly refused: number }
  readonly by_violation: Readonly<Record<string, number>>
  /** The first of what was found. */
  readonly failures: readonly ArtifactsFailure[]
}

const FAILURES = 20
/** To start a thread for fewer takes longer than they do. */
const PARTS_A_THREAD = 64
const PERMUTATIONS_A_PART = 25

export async function runArtifactsProof(options: ArtifactsOptions): Promise<ArtifactsReport> {
  const parts = listParts(options)
  const worthwhile = Math.min(availableParallelism(), Math.ceil(parts.length / PARTS_A_THREAD))
  const threads = Math.max(1, Math.min(options.threads ?? worthwhile, parts.length))
  const shares = Array.from({ length: threads }, (_, share) =>
    parts.filter((_part, index) => index % threads === share),
  )
  const behind = shares.map(() => 0)
  const trackShare = (share: number) => (done: number) => {
    behind[share] = done
    options.progress?.(sum(behind), parts.length)
  }
  const results =
    threads === 1
      ? [playShare(parts, trackShare(0))]
      : await Promise.all(shares.map((share, i) => playInThread(share, trackShare(i))))
  return report(options, results)
}

function listParts({ cases, permutations, violations, seed }: ArtifactsOptions): ProofPart[] {
  const parts: ProofPart[] = []
  for (let i = 0; i < cases; i += 1) parts.push({ at: parts.length, kind: 'undo', seed: seed + i })
  for (const name of TEXT_NAMES)
    for (let from = 0; from < permutations; from += PERMUTATIONS_A_PART) {
      const to = Math.min(permutations, from + PERMUTATIONS_A_PART)
      parts.push({ at: parts.length, kind: 'permutation', seed, name, from, to })
    }
  for (let i = 0; i < violations; i += 1) {
    const violation = i % VIOLATIONS.length
    parts.push({ at: parts.length, kind: 'violation', seed: seed + i, violation })
  }
  return parts
}

function playInThread(
  workerData: readonly ProofPart[],
  onDone: (done: number) => void,
): Promise<ShareResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./artifacts-worker.ts', import.meta.url), { workerData })
    worker.on('message', (message: ArtifactsMessage) => {
      if ('done' in message) onDone(message.done)
      else resolve(message.result)
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a thread ended with ${code}, and no result`)))
  })
}

function report(
  { permutations, violations, seed }: ArtifactsOptions,
  results: readonly ShareResult[],
): ArtifactsReport {
  const all = results.reduce(addShare, createShareResult())
  const hashes = TEXT_NAMES.map(
    (name) => new Set(all.hashes.flatMap(([one, found]) => (one === name ? found : []))).size,
  )
  const failures: ArtifactsFailure[] = all.failures
    .toSorted((a, b) => a.at - b.at)
    .map(({ part, seed, detail }) => ({ part, seed, detail }))
  for (const [i, name] of permutations === 0 ? [] : TEXT_NAMES.entries())
    if ((hashes[i] ?? 0) > 1)
      failures.push({ part: 'permutation', seed, detail: `${name}: ${hashes[i]} different texts` })
  return {
    ...{ batches: all.batches, refused: all.empty, not_restored: all.not_restored },
    ...{ deltas: all.deltas, by_op: sortCounts(all.by_op), orders: all.orders },
    ...{ permutations: all.permutations, hashes: sum(hashes) },
    violations: { seeded: violations, refused: all.refused },
    by_violation: sortCounts(all.by_violation),
    failures: failures.slice(0, FAILURES),
  }
}

function addShare(all: ShareResult, one: ShareResult): ShareResult {
  return {
    batches: all.batches + one.batches,
    empty: all.empty + one.empty,
    not_restored: all.not_restored + one.not_restored,
    deltas: all.deltas + one.deltas,
    orders: all.orders + one.orders,
    permutations: all.permutations + one.permutations,
    refused: all.refused + one.refused,
    by_op: addCounts(all.by_op, one.by_op),
    by_violation: addCounts(all.by_violation, one.by_violation),
    hashes: [...all.hashes, ...one.hashes],
    failures: [...all.failures, ...one.failures],
  }
}

type Counts = Readonly<Record<string, number>>

function addCounts(all: Counts, one: Counts): Record<string, number> {
  const added: Record<string, number> = { ...all }
  for (const [name, count] of Object.entries(one)) added[name] = (added[name] ?? 0) + count
  return added
}

function sortCounts(counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
