import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import {
  findUnknownKinds,
  listAgentNames,
  listAskedTopologies,
  parseTopologies,
  selectTopology,
  type TopologyRow,
} from './topology.ts'

const of = (rows: readonly TopologyRow[], agent: string, policy_kind: string): string | null =>
  selectTopology(rows, { agents: [agent], policy_kind, topic: null })

test('a row counts where everything that it names fits, and without a row a flow is plain', () => {
  const rows: readonly TopologyRow[] = [
    { topology: 'DL_PCI', agents: ['banker'], policy_kinds: ['PAY'] },
  ]
  assert.equal(of(rows, 'banker', 'PAY'), 'DL_PCI')
  assert.equal(of(rows, 'banker', 'LOOK'), null)
  assert.equal(of(rows, 'clerk', 'PAY'), null)
  assert.equal(of([], 'banker', 'PAY'), null)
  assert.equal(of([{ topology: 'SDS' }], 'anybody', 'ANYTHING'), 'SDS')
})

test('of several rows the strictest decides, in whatever order they stand', () => {
  const rows: readonly TopologyRow[] = [
    { topology: 'EOAM', agents: ['banker'] },
    { topology: 'DL_PCI', policy_kinds: ['PAY'] },
    { topology: 'SDS' },
  ]
  for (const one of [rows, rows.toReversed()]) {
    assert.equal(of(one, 'banker', 'PAY'), 'DL_PCI')
    assert.equal(of(one, 'banker', 'LOOK'), 'SDS')
  }
})

test('an instance goes the way of its class', () => {
  const agents = listAgentNames({ agent_id: 'banker-7', instance_of: 'banker' })
  const rows: readonly TopologyRow[] = [{ topology: 'DL_PCI', agents: ['banker'] }]
  assert.equal(selectTopology(rows, { agents, policy_kind: 'PAY', topic: null }), 'DL_PCI')
  assert.deepEqual(listAgentNames({ agent_id: 'banker' }), ['banker'])
  const own: readonly TopologyRow[] = [{ topology: 'SDS', agents: ['banker-7'] }]
  assert.equal(selectTopology(own, { agents, policy_kind: 'PAY', topic: null }), 'SDS')
})

test('a row with topics counts for flows that such an event woke, and for its kinds in every flow', () => {
  const rows: readonly TopologyRow[] = [
    { topology: 'EOAM', topics: ['market.*'], agents: ['trader'], policy_kinds: ['BUY'] },
  ]
  const select = (policy_kind: string, topic: string | null, agent = 'trader'): string | null =>
    selectTopology(rows, { agents: [agent], policy_kind, topic })
  assert.equal(select('SELL', 'market.eth'), 'EOAM')
  assert.equal(select('SELL', 'market.*'), 'EOAM')
  assert.equal(select('SELL', 'weather'), null)
  assert.equal(select('SELL', null), null)
  const kinds: readonly TopologyRow[] = [{ topology: 'SDS', policy_kinds: ['BUY'] }]
  for (const [policy_kind, way] of [
    ['BUY', 'SDS'],
    ['SELL', null],
  ] as const)
    assert.equal(selectTopology(kinds, { agents: ['x'], policy_kind, topic: 'market.eth' }), way)
  // By opening a plain flow nobody gets around the row.
  assert.equal(select('BUY', null), 'EOAM')
  assert.equal(select('BUY', 'market.eth', 'other'), null)
  assert.equal(
    selectTopology([{ topology: 'EOAM', topics: ['a'] }], {
      agents: ['x'],
      policy_kind: 'K',
      topic: null,
    }),
    null,
  )
})

test('rows that are not understood are refused whole, and so are ways that nobody serves', () => {
  const row = { topology: 'DL_PCI', agents: ['banker'], policy_kinds: ['PAY'] }
  assert.deepEqual(parseTopologies([row]), { ok: true, value: [row] })
  const others = [
    [null, 'they are not a list'],
    [{}, 'they are not a list'],
    [[7], 'row 1 is not an object'],
    [[{}], 'row 1 names no topology that is served here: EOAM, SDS, DL_PCI'],
    [[{ topology: 'ANY' }], 'row 1 names no topology that is served here: EOAM, SDS, DL_PCI'],
    [[{ ...row, topic: 'x' }], 'row 1 has `topic`, which is unknown'],
    [[{ ...row, topics: [] }], 'row 1 has `topics` that are not a list of names'],
    [[{ ...row, agents: [] }], 'row 1 has `agents` that are not a list of names'],
    [[{ ...row, agents: 'banker' }], 'row 1 has `agents` that are not a list of names'],
    [
      [row, { ...row, policy_kinds: ['PAY', 7] }],
      'row 2 has `policy_kinds` that are not a list of names',
    ],
  ] satisfies readonly (readonly [JsonValue, string])[]
  for (const [value, why] of others) {
    const read = parseTopologies(value)
    assert.equal(read.ok ? '' : read.error.code, 'TOPOLOGIES_INVALID', why)
    assert.equal(read.ok ? '' : read.error.why, why)
  }
  const rows = [{ topology: 'EOAM', topics: ['a'] }, { topology: 'SDS' }]
  assert.deepEqual(parseTopologies(rows), { ok: true, value: rows })
})

test('what rows ask of an agent is what they ask for everything, or for a kind that it has', () => {
  const rows: readonly TopologyRow[] = [
    { topology: 'DL_PCI', policy_kinds: ['PAY'] },
    { topology: 'EOAM', topics: ['market.*'] },
    { topology: 'SDS', agents: ['banker'] },
  ]
  const ask = (agent: string, ...policy_kinds: readonly string[]): readonly string[] =>
    listAskedTopologies(rows, { agents: [agent], policy_kinds })
  assert.deepEqual(ask('banker', 'PAY'), ['SDS', 'DL_PCI'])
  assert.deepEqual(ask('banker', 'LOOK'), ['SDS'])
  assert.deepEqual(ask('clerk', 'LOOK', 'PAY'), ['DL_PCI'])
  assert.deepEqual(ask('clerk', 'LOOK'), [])
  assert.deepEqual(ask('banker'), [], 'without a kind nothing is decided')
})

test('kinds of rows that nobody knows are named once, in order', () => {
  const rows: readonly TopologyRow[] = [
    { topology: 'SDS', policy_kinds: ['Z', 'PAY', 'A'] },
    { topology: 'DL_PCI', policy_kinds: ['A'] },
    { topology: 'EOAM' },
  ]
  assert.deepEqual(findUnknownKinds(rows, ['PAY']), ['A', 'Z'])
  assert.deepEqual(findUnknownKinds(rows, ['PAY', 'A', 'Z']), [])
})

test('a list of very many rows is read like any other', () => {
  const rows = Array.from({ length: 300_000 }, (): TopologyRow => ({ topology: 'DL_PCI' }))
  assert.equal(of(rows, 'banker', 'PAY'), 'DL_PCI')
})
