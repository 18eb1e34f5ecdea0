import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildLineLabels } from './line-labels.ts'

test('each cell but the first has its head as a text of CSS, in the place where it stands', () => {
  assert.deepEqual(buildLineLabels(['flow', 'at stake', null, 'say "so"\\']), {
    '--head-2': '"at stake"',
    '--head-4': '"say \\"so\\"\\\\"',
  })
})

test('what stands before the first cell moves all places by one', () => {
  assert.deepEqual(buildLineLabels(['request', 'agent'], 1), { '--head-3': '"agent"' })
})
