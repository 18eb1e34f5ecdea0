import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeCoverage } from './coverage.ts'

function said(evaluated: number, determined: number, erred: number): readonly unknown[] {
  const rule = { policy: 'draft', rule: 'small', line: 1, evaluated, determined, erred }
  const { kind, word, share } = describeCoverage(rule)
  return [kind, word, share]
}

test('a rule is said to err, to decide, to be silent or never to be asked; never two of them', () => {
  assert.deepEqual(said(0, 0, 0), ['unasked', 'never evaluated', 0])
  assert.deepEqual(said(4, 0, 0), ['silent', 'evaluated 4 times, never decided', 0])
  assert.deepEqual(said(4, 1, 0), ['decided', 'decided 1 of 4', 25])
  assert.deepEqual(said(3, 3, 0), ['decided', 'decided 3 of 3', 100])
  assert.deepEqual(said(4, 1, 1), ['erred', 'error in 1 of 4', 25])
})
