import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSimilarPath } from './similar-path.ts'

const NONE = { overridden: 0, modified: 0, aborted: 0, expired: 0, median_ms: null }

test('similar requests are those of the agent and the action, decided or expired', () => {
  const like = { agent_id: 'buyer', action: 'PURCHASE' }
  assert.equal(
    toSimilarPath({ ...like, before: { ...NONE, aborted: 1, expired: 2 } }),
    '/inbox?in=decided&agent=buyer&kind=PURCHASE&within=30d',
  )
  assert.equal(
    toSimilarPath({ ...like, before: { ...NONE, expired: 2 } }),
    '/inbox?in=expired&agent=buyer&kind=PURCHASE&within=30d',
  )
  assert.equal(
    toSimilarPath({ agent_id: 'buyer', action: null, before: NONE }),
    '/inbox?in=expired&agent=buyer&within=30d',
  )
})
