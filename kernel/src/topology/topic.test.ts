import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { findTopicRow, getArbitration, isTopic, parseTopics } from './topic.ts'

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
  const unread = 'has a `topic` that is no path of State and no prefix ending in `*`'
  const stepless = 'has a `table` that is not a list of 1 to 64 steps'
  const step = (change: JsonValue): JsonValue => admission({ table: [change] })
  const others: readonly (readonly [JsonValue, string])[] = [
    [null, 'they are not a list'],
    [{}, 'they are not a list'],
    [[7], 'row 1 is not an object'],
    [[row, 7], 'row 2 is not an object'],
    [[{}], `row 1 ${unread}`],
    [[{ topic: '' }], `row 1 ${unread}`],
    [[{ topic: 'a b' }], `row 1 ${unread}`],
    [[{ topic: 'a*b' }], `row 1 ${unread}`],
    [[{ topic: 'a', more: 1 }], 'row 1 has `more`, which is unknown'],
    [[{ topic: 'a' }, { topic: 'a' }], 'row 2 has the `topic` of a row before it'],
    [arbitration([]), 'row 1 has an `arbitration` that is not an object'],
    [arbitration({ window_ms: 0 }), 'row 1 has a `window_ms` that is not between 1 and 60000'],
    [arbitration({ window_ms: 60_001 }), 'row 1 has a `window_ms` that is not between 1 and 60000'],
    [arbitration({ window_ms: '5' }), 'row 1 has a `window_ms` that is not between 1 and 60000'],
    [
      arbitration({ exclusive: 'none' }),
      'row 1 has an `exclusive` that is neither `event` nor `resources`',
    ],
    [
      arbitration({ preempting_kinds: ['A', 7] }),
      'row 1 has `preempting_kinds` that are not a list of names',
    ],
    [
      arbitration({ preempting_kinds: 'A' }),
      'row 1 has `preempting_kinds` that are not a list of names',
    ],
    [arbitration({ window: 5 }), 'row 1 has `window`, which is unknown'],
    [admission(7), 'row 1 has an `admission` that is not an object'],
    [admission({}), 'row 1 has an `admission` that limits nothing'],
    [admission({ table, more: 1 }), 'row 1 has `more`, which is unknown'],
    [admission({ table: [] }), `row 1 ${stepless}`],
    [admission({ table: {} }), `row 1 ${stepless}`],
    [admission({ table: ascend(65) }), `row 1 ${stepless}`],
    [step(7), 'row 1 has a step in its `table` that is not {from, agents}'],
    [
      step({ from: '1', agents: 1, more: 1 }),
      'row 1 has a step in its `table` that is not {from, agents}',
    ],
    [step({ from: 2, agents: 1 }), 'row 1 has a step whose `from` is no decimal text from 0 on'],
    [step({ from: '-1', agents: 1 }), 'row 1 has a step whose `from` is no decimal text from 0 on'],
    [step({ from: 'x', agents: 1 }), 'row 1 has a step whose `from` is no decimal text from 0 on'],
    [
      step({ from: '1', agents: 1.5 }),
      'row 1 has a step whose `agents` are not between 0 and 1024',
    ],
    [step({ from: '1', agents: -1 }), 'row 1 has a step whose `agents` are not between 0 and 1024'],
    [
      step({ from: '1', agents: 1_025 }),
      'row 1 has a step whose `agents` are not between 0 and 1024',
    ],
    [step({ from: '1' }), 'row 1 has a step whose `agents` are not between 0 and 1024'],
    [admission({ table: table.toReversed() }), 'row 1 has a `table` whose steps are not ascending'],
    [
      admission({ table: [table[0] ?? null, table[0] ?? null] }),
      'row 1 has a `table` whose steps are not ascending',
    ],
    [admission({ tokens: 7 }), 'row 1 has `tokens` that are not {per_window, window_s, expected}'],
    [
      admission({ tokens: { ...tokens, more: 1 } }),
      'row 1 has `tokens` that are not {per_window, window_s, expected}',
    ],
    [
      admission({ tokens: { ...tokens, per_window: -1 } }),
      'row 1 has a `per_window` that is no number of tokens',
    ],
    [
      admission({ tokens: { ...tokens, per_window: most + 1 } }),
      'row 1 has a `per_window` that is no number of tokens',
    ],
    [
      admission({ tokens: { ...tokens, window_s: 0 } }),
      `row 1 has a \`window_s\` that is not between 1 and ${LIMITS.windowS}`,
    ],
    [
      admission({ tokens: { ...tokens, window_s: LIMITS.windowS + 1 } }),
      `row 1 has a \`window_s\` that is not between 1 and ${LIMITS.windowS}`,
    ],
    [
      admission({ tokens: { ...tokens, expected: 0 } }),
      'row 1 has an `expected` that is no number of tokens',
    ],
    [
      admission({ tokens: { ...tokens, expected: most + 1 } }),
      'row 1 has an `expected` that is no number of tokens',
    ],
    [admission({ table: [], tokens: 7 }), `row 1 ${stepless}`],
    [listRows(257), 'there are more than 256 of them'],
  ]
  for (const [value, why] of others) {
    const read = parseTopics(value)
    assert.equal(read.ok ? '' : read.error.code, 'TOPICS_INVALID', why)
    assert.equal(read.ok ? '' : read.error.why, why)
  }
})

const most = LIMITS.usageUnits
const listRows = (count: number): JsonValue =>
  Array.from({ length: count }, (_, index) => ({ topic: `t${index}` }))
const ascend = (count: number): JsonValue =>
  Array.from({ length: count }, (_, index) => ({ from: String(index), agents: 1 }))

test('rows are read up to every limit', () => {
  const least = { per_window: 0, window_s: 1, expected: 1 }
  const largest = { per_window: most, window_s: LIMITS.windowS, expected: most }
  for (const rows of [
    listRows(256),
    [{ topic: 'a', arbitration: { window_ms: 1, exclusive: 'resources', preempting_kinds: [] } }],
    [{ topic: 'a', arbitration: { window_ms: 60_000, exclusive: 'event' } }],
    [{ topic: 'a', arbitration: {} }],
    [{ topic: 'a', admission: { table: ascend(64) } }],
    [{ topic: 'a', admission: { table: [{ from: '0', agents: 0 }] } }],
    [{ topic: 'a', admission: { table: [{ from: '0.5', agents: 1_024 }] } }],
    [{ topic: 'a', admission: { tokens: least } }],
    [{ topic: 'a', admission: { tokens: largest } }],
    [],
  ])
    assert.deepEqual(parseTopics(rows), { ok: true, value: rows })
})

test('a topic is a path, a prefix ending in a star, or a star', () => {
  for (const topic of ['a', 'a.b', 'a.*', 'a*', '*']) assert.ok(isTopic(topic), topic)
  for (const topic of ['', '**', 'a b', '*a', 'a*b']) assert.ok(!isTopic(topic), topic)
})
