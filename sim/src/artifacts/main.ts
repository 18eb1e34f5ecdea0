/**
 * `sim artifacts`: the laws of structural deltas, over and over, from a seed.
 *
 * A1 whatever was applied is undone in every permitted order, and the text is the first one, unit by unit.
 * A2 the deltas of several authors come to the same bytes in any permutation of the batch.
 * A3 every mistake of the table is refused, with a code that says what it is.
 */
import { composeDeltas } from 'rubicon-artifacts'
import { STRATEGIES } from 'rubicon-kernel'
import { Rng } from '../rng.ts'
import { VIOLATIONS } from './all-violations.ts'
import { ARTIFACT, computeSha256, drawBatch, drawOrder } from './draw-batch.ts'
import { playBatch } from './play-batch.ts'
import { drawText, TEXT_NAMES, type TextName } from './texts.ts'
import { playViolation } from './violation.ts'

export type ArtifactsOptions = {
  readonly cases: number
  /** Of one batch of each format. */
  readonly permutations: number
  readonly violations: number
  readonly seed: number
  readonly progress?: (done: number, of: number) => void
}

export type ArtifactsReport = {
  readonly batches: number
  /** Batches of which nothing came: their claims fitted, and together they did not. */
  readonly refused: number
  readonly deltas: number
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

export type ArtifactsFailure = {
  readonly part: 'undo' | 'permutation' | 'violation'
  readonly seed: number
  readonly detail: string
}

const FAILURES = 20

export function runArtifactsProof(options: ArtifactsOptions): ArtifactsReport {
  const { cases, permutations, violations, seed, progress } = options
  const failures: ArtifactsFailure[] = []
  const all = cases + TEXT_NAMES.length + violations
  let [deltas, orders, hashes, permuted, refused, empty, done] = [0, 0, 0, 0, 0, 0, 0]
  const countDone = (): void => {
    done += 1
    progress?.(done, all)
  }
  for (let i = 0; i < cases; i += 1) {
    const played = playBatch(new Rng(seed + i))
    deltas += played.deltas
    if (played.deltas === 0 && played.failures.length === 0) empty += 1
    orders += played.orders
    for (const detail of played.failures) failures.push({ part: 'undo', seed: seed + i, detail })
    countDone()
  }
  for (const name of permutations === 0 ? [] : TEXT_NAMES) {
    const played = playPermutations(name, permutations, new Rng(seed))
    permuted += played.permutations
    hashes += played.hashes
    if (played.hashes !== 1)
      failures.push({ part: 'permutation', seed, detail: `${name}: ${played.detail}` })
    countDone()
  }
  const by_violation = new Map<string, number>()
  for (let i = 0; i < violations; i += 1) {
    const violation = VIOLATIONS[i % VIOLATIONS.length]
    if (violation === undefined) break
    const { name } = violation
    by_violation.set(name, (by_violation.get(name) ?? 0) + 1)
    const problem = playViolation(violation, new Rng(seed + i))
    if (problem === null) refused += 1
    else failures.push({ part: 'violation', seed: seed + i, detail: `${name}: ${problem}` })
    countDone()
  }
  return {
    ...{ batches: cases, refused: empty, deltas, orders, permutations: permuted, hashes },
    violations: { seeded: violations, refused },
    by_violation: Object.fromEntries(by_violation),
    failures: failures.slice(0, FAILURES),
  }
}

const PERMUTED = 12

type Permuted = { readonly permutations: number; readonly hashes: number; readonly detail: string }

/** A batch that can be composed, in one order after the other. */
function playPermutations(name: TextName, permutations: number, rng: Rng): Permuted {
  const options = { artifact: ARTIFACT, sha256: computeSha256 }
  const compose = (
    { parsed, format }: ReturnType<typeof drawText>,
    batch: ReturnType<typeof drawBatch>,
  ): ReturnType<typeof composeDeltas> =>
    composeDeltas(parsed, batch, STRATEGIES.SingleWriter, format, options)
  for (let tries = 0; tries < 50; tries += 1) {
    const text = drawText(name, rng)
    const batch = drawBatch(text, PERMUTED, rng)
    if (batch.length < PERMUTED / 2 || !compose(text, batch).ok) continue
    const hashes = new Set<string>()
    for (let i = 0; i < permutations; i += 1) {
      const result = compose(text, drawOrder(batch, rng))
      const bytes = new TextEncoder().encode(
        result.ok ? result.value.after.text : result.error.detail,
      )
      hashes.add(Buffer.from(computeSha256(bytes)).toString('hex'))
    }
    return { permutations, hashes: hashes.size, detail: `${hashes.size} different texts` }
  }
  return { permutations: 0, hashes: 0, detail: 'no batch was composed' }
}
