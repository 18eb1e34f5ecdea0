import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listConversations } from './list-conversations.ts'

test('calls are counted by conversation, the one with the newest call first', () => {
  const flows = [
    { conversation: 'b', opened_at: '4', state: 'CLOSED' },
    { conversation: 'a', opened_at: '3', state: 'ESCALATED' },
    { conversation: null, opened_at: '2', state: 'ESCALATED' },
    { conversation: 'b', opened_at: '1', state: 'ABORTED' },
  ] as const
  assert.deepEqual(listConversations(flows), [
    { conversation: 'b', calls: 2, waiting: 0, latest: '4' },
    { conversation: 'a', calls: 1, waiting: 1, latest: '3' },
  ])
})
