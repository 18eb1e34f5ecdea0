import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedEvent, ListedTopic, TopicListener } from 'rubicon-agents/client'
import { buildMesh } from './mesh-rows.ts'

function listener(agent_id: string): TopicListener {
  return { agent_id, role: 'EXECUTOR', priority: 50, status: 'ACTIVE', subscriptions: [] }
}

function topic(name: string, ...agents: readonly string[]): ListedTopic {
  const rules = { in_rules: true, arbitration: null, admission: null }
  return { topic: name, ...rules, listeners: agents.map(listener), listening: agents.length }
}

function event(name: string, ...agents: readonly string[]): ListedEvent {
  const standing = {
    closes_at: null,
    outcome: 'unarbitrated',
    winners: [],
    halted_by: null,
  } as const
  const counts = { woken: agents.length, not_woken: 0, paths: [], leaf: 1 }
  return { event_id: name, topic: name, at: '', agents, ...counts, ...standing }
}

test('an agent stands in the picture once, with a line from every topic that it listens to', () => {
  const mesh = buildMesh([topic('a.*', 'x', 'y'), topic('b.*', 'y')], [])
  assert.deepEqual(
    mesh.agents.map(({ agent, row }) => [agent.agent_id, row]),
    [
      ['x', 0],
      ['y', 1],
    ],
  )
  assert.deepEqual(
    mesh.lines.map(({ topic: from, agent }) => `${from} ${agent}`),
    ['a.* x', 'a.* y', 'b.* y'],
  )
})

test('a line says whom the last event woke, and not whom one before it did', () => {
  const mesh = buildMesh([topic('a.*', 'x', 'y')], [event('a.*', 'x'), event('a.*', 'y')])
  assert.deepEqual(
    mesh.lines.map(({ agent, isWoken }) => [agent, isWoken]),
    [
      ['x', true],
      ['y', false],
    ],
  )
})

test('no two topics stand in one row, however many there are, and what has no room is counted', () => {
  for (const count of [1, 2, 3, 7, 24, 40]) {
    const topics = Array.from({ length: count }, (_, n) => topic(`t${n}`, 'x', 'y', 'z'))
    const mesh = buildMesh(topics, [])
    const rows = mesh.topics.map(({ row }) => row)
    assert.equal(new Set(rows).size, rows.length)
    assert.ok(rows.every((row) => row >= 0 && row < mesh.rows))
    assert.equal(mesh.left_off, Math.max(0, count - 24))
  }
  assert.equal(buildMesh([], []).rows, 0)
})
