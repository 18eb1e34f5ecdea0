import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboxRow } from 'rubicon-runtime/client'
import { inboxShown, nextWaiting } from './inbox-state.ts'

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
  }
}

const [a, b, c] = [row('a'), row('b'), row('c')]

test('what is on the screen stays where it is, brought up to date', () => {
  const shown = inboxShown([b, a], [a, row('b', 1)])
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
  const shown = inboxShown([a, b], [b, c])
  assert.deepEqual(
    shown.rows.map(({ id }) => id),
    ['a', 'b'],
  )
  assert.deepEqual([shown.fresh, [...shown.gone]], [[c], ['a']])
})

test('an empty screen shows what comes', () => {
  assert.deepEqual(inboxShown([], [a]).rows, [a])
  assert.deepEqual(inboxShown(null, [a, b]).rows, [a, b])
})

test('the next one is below, then from the top, and never one that is gone', () => {
  const all = inboxShown([a, b, c], [a, b, c])
  assert.equal(nextWaiting(all, 'a'), 'b')
  assert.equal(nextWaiting(all, 'c'), 'a')
  assert.equal(nextWaiting(inboxShown([a, b, c], [b]), 'b'), null)
  assert.equal(nextWaiting(inboxShown([a, b, c], [a, c]), 'a'), 'c')
  assert.equal(nextWaiting(inboxShown([a], [a]), 'elsewhere'), 'a')
  assert.equal(nextWaiting(inboxShown([a], [c]), 'a'), 'c', 'what came while it was decided')
})
