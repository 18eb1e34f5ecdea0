/** A share of the parts of a proof, one after the other, in this thread. */
import { Rng } from '../rng.ts'
import { VIOLATIONS } from './all-violations.ts'
import { playBatch } from './play-batch.ts'
import { type PermutedPart, playPermutations } from './play-permutations.ts'
import type { TextName } from './texts.ts'
import { playViolation } from './violation.ts'

/** Plain data, since it crosses threads. Each has its place among all: what is found is told in that order. */
export type ProofPart = { readonly at: number } & (
  | { readonly kind: 'undo'; readonly seed: number }
  | ({ readonly kind: 'permutation'; readonly seed: number } & PermutedPart)
  | { readonly kind: 'violation'; readonly seed: number; readonly violation: number }
)

export type ArtifactsFailure = {
  readonly part: ProofPart['kind']
  readonly seed: number
  readonly detail: string
}

export type ShareResult = {
  batches: number
  empty: number
  not_restored: number
  deltas: number
  orders: number
  permutations: number
  refused: number
  readonly by_op: Record<string, number>
  readonly by_violation: Record<string, number>
  readonly hashes: (readonly [TextName, readonly string[]])[]
  readonly failures: (ArtifactsFailure & { readonly at: number })[]
}

export function createShareResult(): ShareResult {
  return {
    ...{ batches: 0, empty: 0, not_restored: 0, deltas: 0, orders: 0, permutations: 0, refused: 0 },
    ...{ by_op: {}, by_violation: {}, hashes: [], failures: [] },
  }
}

export function playShare(
  parts: readonly ProofPart[],
  onDone: (done: number) => void = () => {},
): ShareResult {
  const result = createShareResult()
  for (const [index, part] of parts.entries()) {
    playPart(part, result)
    onDone(index + 1)
  }
  return result
}

function playPart(part: ProofPart, result: ShareResult): void {
  const { at, seed } = part
  const fail = (detail: string): void =>
    void result.failures.push({ at, part: part.kind, seed, detail })
  switch (part.kind) {
    case 'undo': {
      const { deltas, orders, failures, ops } = playBatch(new Rng(seed))
      result.batches += 1
      if (deltas === 0 && failures.length === 0) result.empty += 1
      if (failures.length > 0) result.not_restored += 1
      result.deltas += deltas
      result.orders += orders
      for (const op of ops) count(result.by_op, op)
      for (const detail of failures) fail(detail)
      return
    }
    case 'permutation': {
      const { permutations, hashes } = playPermutations(part, seed)
      result.permutations += permutations
      result.hashes.push([part.name, hashes])
      if (hashes.length === 0) fail(`${part.name}: no batch was composed`)
      return
    }
    case 'violation': {
      const violation = VIOLATIONS[part.violation]
      if (violation === undefined) {
        fail('there is no such mistake')
        return
      }
      count(result.by_violation, violation.name)
      const problem = playViolation(violation, new Rng(seed))
      if (problem === null) result.refused += 1
      else fail(`${violation.name}: ${problem}`)
    }
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
