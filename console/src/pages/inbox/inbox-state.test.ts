import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboxRow } from 'rubicon-agents/client'
import { deriveShownInbox, findNextWaiting } from './inbox-state.ts'

function row(id: string, approvals = 0): InboxRow {
  return {
    id,
    kind: 'proposal',
    state: 'open',
    dfid: id,
    agent_id: 'bot',
    action: 'PAY',
    object: 'x',
    reason_code: 'AUTHORITY_CEILING',
    impact: 'LOW_IMPACT',
    exposure: null,
    requested_at: '',
    not_before: '',
    expires_at: '',
    needs: 1,
    approvals,
    ended: null,
    decided: null,
    stakes: { reversible: true, impact_reasons: [], over: null },
  }
}

const [a, b, c] = [row('a'), row('b'), row('c')]

test('what is on the screen stays where it is, brought up to date', () => {
  const shown = deriveShownInbox([b, a], [a, row('b', 1)])
  assert.deepEqual(
    shown.rows.map(({ id, approvals }) => [id, approvals]),
    [
      ['b', 1],
      ['a', 0],
    ],
  )
  assert.deepEqual([shown.fresh, [...shown.gone]], [[], []])
})

test('what came is counted and not shown; what went is marked and not moved', () => {
  const shown = deriveShownInbox([a, b], [b, c])
  assert.deepEqual(
    shown.rows.map(({ id }) => id),
    ['a', 'b'],
  )
  assert.deepEqual([shown.fresh, [...shown.gone]], [[c], ['a']])
})

test('an empty screen shows what comes', () => {
  assert.deepEqual(deriveShownInbox([], [a]).rows, [a])
  assert.deepEqual(deriveShownInbox(null, [a, b]).rows, [a, b])
})

test('the next one is below, then from the top, and never one that is gone', () => {
  const all = deriveShownInbox([a, b, c], [a, b, c])
  assert.equal(findNextWaiting(all, 'a'), 'b')
  assert.equal(findNextWaiting(all, 'c'), 'a')
  assert.equal(findNextWaiting(deriveShownInbox([a, b, c], [b]), 'b'), null)
  assert.equal(findNextWaiting(deriveShownInbox([a, b, c], [a, c]), 'a'), 'c')
  assert.equal(findNextWaiting(deriveShownInbox([a], [a]), 'elsewhere'), 'a')
  assert.equal(
    findNextWaiting(deriveShownInbox([a], [c]), 'a'),
    'c',
    'what came while it was decided',
  )
})
