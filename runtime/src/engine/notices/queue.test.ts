import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import type { Notice } from '../../ports/notifier.ts'
import { buildNoticeWrite, type QueuedNotice, toLastDueKey, toNoticeKey } from './queue.ts'

const NOTICE: Notice = {
  id: 'flow-1:1:drift',
  kind: 'drift',
  agent_id: 'bot',
  reason_code: 'STATE_DRIFT_DETECTED',
  channel: 'ops',
  at: '2026-06-01T12:00:00.000Z',
  details: {},
}

function queued(change: Partial<Notice>): QueuedNotice {
  const write = buildNoticeWrite({ ...NOTICE, ...change })
  assert.ok(write.kind === 'put_record' && write.record === 'notice')
  assert.equal(write.group, 'due')
  assert.equal(write.key, toNoticeKey(write.body))
  return write.body
}

function detailsOf(details: JsonObject): JsonObject {
  return queued({ details }).notice.details
}

test('ids, codes, amounts and times are told', () => {
  const details = {
    reason_code: 'LIMIT_EXCEEDED',
    amount: '-12.50',
    at: '2026-06-01T12:00:00.000Z',
    hash: `sha256:${'0'.repeat(64)}`,
    attempt: 2,
    high: true,
    nothing: null,
    triggers: ['a', { id: 'b' }],
  }
  assert.deepEqual(detailsOf(details), details)
})

test('free text and addresses of people are withheld, wherever they stand', () => {
  const withheld = '[withheld]'
  assert.deepEqual(
    detailsOf({
      why: 'please call me',
      who: 'jane.doe@example.com',
      list: ['fine', 'not fine'],
      deep: { deeper: { text: '<script>' } },
      empty: '',
    }),
    {
      why: withheld,
      who: withheld,
      list: ['fine', withheld],
      deep: { deeper: { text: withheld } },
      empty: withheld,
    },
  )
  const names = { 'a name that says more': 'x', step_id: 'the agent made it up', short: 'x' }
  assert.deepEqual(detailsOf(names), { short: 'x' })
})

test('a notice that was never tried is due at any time, before all others', () => {
  const first = toNoticeKey(queued({}))
  const tried = toNoticeKey({ notice: NOTICE, attempts: 1, next_at: '2026-06-01T12:00:01.000Z' })
  assert.ok(first < tried)
  assert.ok(first < toLastDueKey('1970-01-01T00:00:00.000Z'))
  assert.ok(tried <= toLastDueKey('2026-06-01T12:00:01.000Z'))
  assert.ok(tried > toLastDueKey('2026-06-01T12:00:00.999Z'))
})

test('one cause may be told on several channels, whatever they are called', () => {
  const keys = ['ops', 'Ops team', 'a\u0000b'].map((channel) => toNoticeKey(queued({ channel })))
  assert.equal(new Set(keys).size, 3)
  assert.ok(keys.every((key) => !key.includes('\u0000')))
})
