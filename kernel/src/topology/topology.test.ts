import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAgentNames, parseTopologies, selectTopology, type TopologyRow } from './topology.ts'

const of = (rows: readonly TopologyRow[], agent: string, policy_kind: string): string | null =>
  selectTopology(rows, { agents: [agent], policy_kind })

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
  assert.equal(selectTopology(rows, { agents, policy_kind: 'PAY' }), 'DL_PCI')
  assert.deepEqual(listAgentNames({ agent_id: 'banker' }), ['banker'])
})

test('rows that are not understood are refused whole, and so are ways that nobody serves', () => {
  const row = { topology: 'DL_PCI', agents: ['banker'], policy_kinds: ['PAY'] }
  assert.deepEqual(parseTopologies([row]), { ok: true, value: [row] })
  const others = [
    null,
    {},
    [7],
    [{}],
    [{ topology: 'EOAM' }],
    [{ topology: 'ANY' }],
    [{ ...row, topic: 'x' }],
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
