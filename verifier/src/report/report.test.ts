import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFindings, NOWHERE } from './report.ts'

test('ten thousand findings are listed, and the rest are counted', () => {
  const findings = createFindings()
  const problem = { code: 'AUTHORITY_ORDER', detail: 'wrong' } as const
  const seen = (): readonly number[] => [
    findings.list().length,
    findings.leftOff(),
    findings.count(),
  ]
  findings.add(
    NOWHERE,
    Array.from({ length: 10_000 }, () => problem),
  )
  assert.deepEqual(seen(), [10_000, 0, 10_000])
  findings.add(NOWHERE, [problem, problem])
  assert.deepEqual(seen(), [10_000, 2, 10_002])
})
