import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simPlanted } from './planted.ts'

test('every planted bug is caught', async () => {
  const { bugs, caught, results } = await simPlanted()
  assert.equal(caught, bugs, JSON.stringify(results))
  assert.equal(bugs, 39)
})
