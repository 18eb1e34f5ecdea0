import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentSummary } from 'rubicon-agents/client'
import { buildAgentGraph, listFromAbove } from './agent-graph.ts'

function agent(agent_id: string, more: Partial<AgentSummary> = {}): AgentSummary {
  return {
    agent_id,
    status: 'ACTIVE',
    waiting: 0,
    version: '1.0.0',
    owner: 'jane',
    mission: null,
    revoked: false,
    instance_of: null,
    parent_agent: null,
    problems: 0,
    ...more,
  }
}

const FLEET = [
  agent('lead'),
  agent('refunds', { parent_agent: 'lead' }),
  agent('ads', { parent_agent: 'lead' }),
  agent('refunds.1', { instance_of: 'refunds' }),
  agent('alone', { owner: null }),
]

test('owners stand first, agents behind whom they escalate to, instances behind their agent', () => {
  const { nodes, edges, columns } = buildAgentGraph(FLEET)
  const columnsOf = Object.fromEntries(nodes.map(({ label, column }) => [label, column]))
  assert.deepEqual(columnsOf, {
    jane: 0,
    lead: 1,
    ads: 2,
    refunds: 2,
    'refunds.1': 3,
    nobody: 0,
    alone: 1,
  })
  assert.equal(columns, 4)
  assert.deepEqual(edges.map(({ from, to }) => `${from.label} ${to.label}`).sort(), [
    'jane lead',
    'lead ads',
    'lead refunds',
    'nobody alone',
    'refunds refunds.1',
  ])
})

test('read from above, each stands before those below it', () => {
  const graph = buildAgentGraph(FLEET)
  const labels = listFromAbove(graph).map(({ label }) => label)
  assert.deepEqual(labels, ['jane', 'lead', 'ads', 'refunds', 'refunds.1', 'nobody', 'alone'])
})

test('the order in which the server lists them moves nothing', () => {
  const place = (agents: readonly AgentSummary[]) =>
    buildAgentGraph(agents)
      .nodes.map(({ key, column, row }) => `${key} ${column} ${row}`)
      .sort()
  assert.deepEqual(place(FLEET.toReversed()), place(FLEET))
})

test('a hundred agents each have a place of their own', () => {
  const many = Array.from({ length: 100 }, (_, n) =>
    agent(`agent_${n}`, n % 10 === 0 ? {} : { parent_agent: `agent_${n - (n % 10)}` }),
  )
  const { nodes } = buildAgentGraph(many)
  const places = new Set(nodes.map(({ column, row }) => `${column} ${row}`))
  assert.deepEqual([nodes.length, places.size], [101, 101])
})

test('a circle of agents ends, and everybody in it is shown once', () => {
  const circle = [
    agent('a', { parent_agent: 'c' }),
    agent('b', { parent_agent: 'a' }),
    agent('c', { parent_agent: 'b' }),
    agent('self', { parent_agent: 'self' }),
    agent('below', { parent_agent: 'b' }),
  ]
  const { nodes } = buildAgentGraph(circle)
  const shown = nodes.filter(({ kind }) => kind === 'agent').map(({ label }) => label)
  assert.deepEqual(shown.sort(), ['a', 'b', 'below', 'c', 'self'])
})

test('of many instances some are shown, and the rest is counted', () => {
  const instances = Array.from({ length: 40 }, (_, n) =>
    agent(`refunds.${n}`, { instance_of: 'refunds' }),
  )
  const { nodes } = buildAgentGraph([agent('refunds'), ...instances])
  assert.equal(nodes.filter(({ kind }) => kind === 'agent').length, 9)
  assert.ok(nodes.some(({ label }) => label === '32 more instances'))
})

test('who escalates to somebody of another owner, or to nobody that is known, is shown', () => {
  const { nodes } = buildAgentGraph([
    agent('a', { owner: 'ann', parent_agent: 'z' }),
    agent('z', { owner: 'zoe' }),
    agent('lost', { parent_agent: 'gone' }),
  ])
  const shown = nodes.filter(({ kind }) => kind === 'agent').map(({ label }) => label)
  assert.deepEqual(shown.sort(), ['a', 'lost', 'z'])
})
