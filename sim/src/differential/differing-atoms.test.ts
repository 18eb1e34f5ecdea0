import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countDifferingAtoms } from './differing-atoms.ts'

test('no decision comes to another verdict under an atom than without, whatever has changed since its issue', () => {
  const { compared, differing, covered } = countDifferingAtoms(1_000, 11)
  assert.deepEqual([compared, differing], [1_000, 0])
  // Where nothing is covered nothing could differ.
  assert.ok(covered > 100, `${covered} covered`)
})
