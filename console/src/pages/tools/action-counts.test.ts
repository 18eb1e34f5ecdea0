import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countByAction } from './action-counts.ts'

test('decisions are counted by what they were about and what came of them', () => {
  const find = countByAction([
    { policy_kind: 'REFUND', outcome: 'ACCEPTED' },
    { policy_kind: 'REFUND', outcome: 'ESCALATED' },
    { policy_kind: 'REFUND', outcome: 'ACCEPTED' },
    { policy_kind: 'DEPLOY', outcome: 'REJECTED' },
  ])
  assert.deepEqual(find('REFUND'), { accepted: 2, rejected: 0, escalated: 1 })
  assert.deepEqual(find('DEPLOY'), { accepted: 0, rejected: 1, escalated: 0 })
  assert.deepEqual(find('SELL'), { accepted: 0, rejected: 0, escalated: 0 })
})
