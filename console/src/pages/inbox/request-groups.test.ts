import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupRequests, isSelectable, type ListedRequest, parseGrouping } from './request-groups.ts'

function row(id: string, more: Partial<ListedRequest> = {}): ListedRequest {
  return {
    id,
    kind: 'proposal',
    state: 'open',
    agent_id: 'bot',
    action: 'PAY',
    reason_code: 'AUTHORITY_CEILING',
    impact: 'LOW_IMPACT',
    exposure: null,
    stakes: null,
    ...more,
  }
}

test('groups stand in the order of their first rows, and keep the order of these', () => {
  const rows = [row('a'), row('b', { agent_id: 'ads' }), row('c')]
  const groups = groupRequests(rows, 'agent').map(({ name, rows: found }) => [
    name,
    ...found.map(({ id }) => id),
  ])
  assert.deepEqual(groups, [
    ['bot', 'a', 'c'],
    ['ads', 'b'],
  ])
})

test('what has no action is named by what it is', () => {
  const rows = [
    row('a'),
    row('b', { action: null, kind: 'silence' }),
    row('c', { kind: 'outcome' }),
  ]
  assert.deepEqual(
    groupRequests(rows, 'kind').map(({ name }) => name),
    ['PAY', 'an agent fell silent', 'an effect with an unknown outcome'],
  )
  assert.equal(parseGrouping('colour'), null)
  assert.equal(parseGrouping('reason'), 'reason')
})

test('only proposals of low impact that wait can be selected', () => {
  assert.equal(isSelectable(row('a')), true)
  assert.equal(isSelectable(row('a', { impact: 'HIGH_IMPACT' })), false)
  assert.equal(isSelectable(row('a', { impact: null })), false)
  assert.equal(isSelectable(row('a', { state: 'approved' })), false)
  assert.equal(isSelectable(row('a', { kind: 'asked' })), false)
})
