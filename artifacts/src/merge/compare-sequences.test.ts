import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareSequences } from './compare-sequences.ts'

const sequences = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })

test('the hunks of two sequences, done to the first, give the second; what is between them is equal', () => {
  fc.assert(
    fc.property(sequences, sequences, (one, other) => {
      const hunks = compareSequences(one, other) ?? []
      const result: string[] = []
      let at = 0
      for (const { start, end, from, to } of hunks) {
        assert.ok(start >= at && end >= start)
        result.push(...one.slice(at, start), ...other.slice(from, to))
        at = end
      }
      result.push(...one.slice(at))
      assert.deepEqual(result, other)
    }),
    { numRuns: 2_000, seed: 20 },
  )
})

test('as few units as can be are changed', () => {
  fc.assert(
    fc.property(sequences, sequences, (one, other) => {
      const edits = (compareSequences(one, other) ?? []).reduce(
        (sum, { start, end, from, to }) => sum + end - start + to - from,
        0,
      )
      assert.equal(edits, one.length + other.length - 2 * measureCommon(one, other))
    }),
    { numRuns: 500, seed: 20 },
  )
})

test('an insertion between equal units is where the last of them is', () => {
  assert.deepEqual(compareSequences(['p', '', 'n'], ['p', '', 'x', '', 'n']), [
    { start: 2, end: 2, from: 2, to: 4 },
  ])
})

/** The length of the longest common subsequence, by its definition. */
function measureCommon(one: readonly string[], other: readonly string[]): number {
  let row = other.map(() => 0)
  for (const a of one) {
    const next: number[] = []
    for (const [j, b] of other.entries()) {
      const [left, above, before] = [next[j - 1] ?? 0, row[j] ?? 0, row[j - 1] ?? 0]
      next.push(a === b ? before + 1 : Math.max(left, above))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
