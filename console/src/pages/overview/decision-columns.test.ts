import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DecisionRow } from 'rubicon-agents/client'
import { groupDecisions } from './decision-columns.ts'

function buildDecision(at: string, outcome: DecisionRow['outcome'], agent_id = 'a'): DecisionRow {
  const where = { trajectory: 'main', seq: 1, leaf: 1, dfid: `flow-${at}`, object: 'o_1' }
  return { ...where, agent_id, policy_kind: 'REFUND', at, outcome, code: null }
}

test('every decision falls into one column, the newest into the last', () => {
  const { columns, agents } = groupDecisions(
    [
      buildDecision('2026-11-03T12:24:00.000Z', 'REJECTED', 'b'),
      buildDecision('2026-11-03T12:12:30.000Z', 'ACCEPTED'),
      buildDecision('2026-11-03T12:00:00.000Z', 'ACCEPTED'),
    ],
    true,
  )
  assert.equal(columns.length, 24)
  assert.deepEqual(columns[0], {
    label: '2026-11-03 12:00:00 UTC',
    href: '/flows/flow-2026-11-03T12:00:00.000Z',
    counts: [1, 0, 0],
  })
  assert.deepEqual(columns[12]?.counts, [1, 0, 0])
  assert.deepEqual(columns.at(-1)?.counts, [0, 1, 0])
  assert.equal(columns[5]?.href, null)
  assert.deepEqual(
    agents.map(({ agent }) => agent),
    ['a', 'b'],
  )
})

test('decisions of one moment share a column', () => {
  const { columns } = groupDecisions(
    [
      buildDecision('2026-11-03T12:00:00.000Z', 'ESCALATED'),
      buildDecision('2026-11-03T12:00:00.000Z', 'ACCEPTED'),
    ],
    true,
  )
  assert.deepEqual(columns[0]?.counts, [1, 0, 1])
})
