import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runStoreTamperProof } from './main.ts'

test('a sample of changes to a store that stands still: nothing is missed, nothing signed over (I18)', async () => {
  const report = await runStoreTamperProof({ cases: 4, store: 'sqlite', seed: 11, stride: 67 })
  assert.deepEqual(report.examples, [])
  const { cases, missed, signed_over, false_alarms, found } = report
  assert.deepEqual(
    { cases, missed, signed_over, false_alarms },
    {
      cases: 4,
      missed: 0,
      signed_over: 0,
      false_alarms: 0,
    },
  )
  const excused = [report.harmless, report.out_of_reach].flatMap((some) => Object.values(some))
  const all = [...Object.values(found), ...excused].reduce((sum, count) => sum + count, 0)
  assert.equal(all, 4, JSON.stringify(report))
  assert.ok(excused.length < 4)
})
