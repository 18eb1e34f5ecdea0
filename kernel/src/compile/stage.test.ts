import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseAll } from './stage.ts'

test('of several refusals the first by precedence stands first, however they were found', () => {
  const early = { code: 'ORDER_VALUE_EXCEEDED', details: {} } as const
  const late = { code: 'PRECONDITION_FAILED', details: {} } as const
  for (const found of [
    [early, late],
    [late, early],
  ])
    assert.deepEqual(refuseAll(found), { said: 'reject', refusals: [early, late] })
})
