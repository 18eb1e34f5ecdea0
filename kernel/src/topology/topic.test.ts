import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import { findTopicRow, getArbitration, parseTopics } from './topic.ts'

test('the first row that fits names the topic of a path, and a path without a row is its own', () => {
  const rows = [{ topic: 'market.eth', arbitration: {} }, { topic: 'market.*' }]
  assert.equal(findTopicRow(rows, 'market.eth'), rows[0])
  assert.equal(findTopicRow(rows, 'market.btc'), rows[1])
  assert.deepEqual(findTopicRow(rows, 'weather'), { topic: 'weather' })
})

test('what arbitration leaves out has a default, and without arbitration nothing is put in order', () => {
  assert.equal(getArbitration({ topic: 'a' }), null)
  assert.deepEqual(getArbitration({ topic: 'a', arbitration: {} }), {
    window_ms: 2_000,
    exclusive: 'event',
    preempting_kinds: ['HALT', 'ALERT'],
  })
  const own = { window_ms: 1, exclusive: 'resources', preempting_kinds: [] } as const
  assert.deepEqual(getArbitration({ topic: 'a', arbitration: own }), own)
})

test('rows that are not understood are refused whole', () => {
  const tokens = { per_window: 100, window_s: 60, expected: 10 }
  const table = [
    { from: '0', agents: 1 },
    { from: '2.5', agents: 8 },
  ]
  const row = {
    topic: 'market.*',
    arbitration: { window_ms: 60_000, exclusive: 'event', preempting_kinds: ['HALT'] },
    admission: { table, tokens },
  }
  assert.deepEqual(parseTopics([row, { topic: '*' }]), { ok: true, value: [row, { topic: '*' }] })
  const arbitration = (change: JsonValue): JsonValue => [{ topic: 'a', arbitration: change }]
  const admission = (change: JsonValue): JsonValue => [{ topic: 'a', admission: change }]
  const others: readonly JsonValue[] = [
    null,
    {},
    [7],
    [{}],
    [{ topic: '' }],
    [{ topic: 'a b' }],
    [{ topic: 'a*b' }],
    [{ topic: 'a', more: 1 }],
    [{ topic: 'a' }, { topic: 'a' }],
    arbitration([]),
    arbitration({ window_ms: 0 }),
    arbitration({ window_ms: 60_001 }),
    arbitration({ window_ms: '5' }),
    arbitration({ exclusive: 'none' }),
    arbitration({ preempting_kinds: [7] }),
    arbitration({ window: 5 }),
    admission({}),
    admission({ table: [] }),
    admission({ table: [{ from: 2, agents: 1 }] }),
    admission({ table: [{ from: '-1', agents: 1 }] }),
    admission({ table: [{ from: '1', agents: 1.5 }] }),
    admission({ table: [{ from: '1', agents: 1_025 }] }),
    admission({ table: table.toReversed() }),
    admission({ table: [table[0] ?? null, table[0] ?? null] }),
    admission({ tokens: { ...tokens, expected: 0 } }),
    admission({ tokens: { ...tokens, window_s: 0 } }),
    admission({ tokens: { ...tokens, per_window: -1 } }),
    admission({ tokens: { ...tokens, more: 1 } }),
    Array.from({ length: 257 }, (_, index) => ({ topic: `t${index}` })),
  ]
  for (const one of others) {
    const read = parseTopics(one)
    assert.equal(read.ok ? '' : read.error.code, 'TOPICS_INVALID', JSON.stringify(one))
  }
})
