import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAgentNames, parseTopologies, selectTopology, type TopologyRow } from './topology.ts'

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
    null,
    {},
    [7],
    [{}],
    [{ topology: 'SDS' }],
    [{ topology: 'ANY' }],
    [{ ...row, topic: 'x' }],
    [{ ...row, topics: [] }],
    [{ ...row, agents: [] }],
    [{ ...row, agents: 'banker' }],
    [row, { ...row, policy_kinds: [7] }],
  ]
  for (const one of others) {
    const read = parseTopologies(one)
    assert.equal(read.ok ? '' : read.error.code, 'TOPOLOGIES_INVALID', JSON.stringify(one))
  }
})

test('a list of very many rows is read like any other', () => {
  const rows = Array.from({ length: 300_000 }, (): TopologyRow => ({ topology: 'DL_PCI' }))
  assert.equal(of(rows, 'banker', 'PAY'), 'DL_PCI')
})
