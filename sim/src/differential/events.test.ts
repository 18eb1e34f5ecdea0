import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeEvent } from '../reference/arbitration.ts'
import { runEventsDifferential } from './events.ts'

test('the engine and the reference agree on whose proposal stands, in 75 events', async () => {
  const { disagreements, by_fate } = await runEventsDifferential({ events: 75, seed: 7 })
  assert.deepEqual(disagreements, [])
  const fates = ['carried out', 'escalated', 'halted', 'halts', 'preempted', 'refused', 'silent']
  assert.deepEqual(Object.keys(by_fate), fates)
})

test('a second opinion that lets another win is reported with its story', async () => {
  const { disagreements } = await runEventsDifferential({
    events: 25,
    seed: 1,
    // Whoever is last in the order is first.
    opinion: (story) => judgeEvent({ ...story, woken: story.woken.map(turnRound) }),
  })
  const [first] = disagreements
  assert.ok(first !== undefined && first.story.woken.length > 1)
  assert.notDeepEqual(first.engine, first.reference)
})

function turnRound<T extends { readonly priority: number; readonly role: string }>(rank: T): T {
  const roles = { MONITOR: 'EXECUTOR', EXECUTOR: 'MONITOR' } as Readonly<Record<string, string>>
  return { ...rank, priority: 100 - rank.priority, role: roles[rank.role] ?? rank.role }
}
