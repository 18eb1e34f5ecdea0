import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from './contract.ts'
import { compareByPriority, hasPriorityOver, type Ranked } from './priority.ts'

const agent = (agent_id: string, priority = 50, role: Role = 'EXECUTOR'): Ranked => ({
  agent_id,
  priority,
  role,
})

test('the lower number wins, whatever role and name say', () => {
  assert.ok(hasPriorityOver(agent('z', 49), agent('a', 50, 'MONITOR')))
  assert.ok(!hasPriorityOver(agent('a', 50, 'MONITOR'), agent('z', 49)))
})

test('between equal numbers a monitor comes before a strategist, and a strategist before an executor', () => {
  assert.ok(hasPriorityOver(agent('z', 50, 'MONITOR'), agent('a', 50, 'STRATEGIST')))
  assert.ok(hasPriorityOver(agent('z', 50, 'STRATEGIST'), agent('a', 50, 'EXECUTOR')))
  assert.ok(!hasPriorityOver(agent('a', 50, 'EXECUTOR'), agent('z', 50, 'MONITOR')))
})

test('the name is last, by its bytes', () => {
  assert.ok(hasPriorityOver(agent('B'), agent('a')))
  assert.ok(hasPriorityOver(agent('agent-1'), agent('agent-10')))
  assert.ok(!hasPriorityOver(agent('a'), agent('a')))
})

test('it is a total order: of two different agents exactly one outranks, and chains hold', () => {
  const roles: readonly Role[] = ['EXECUTOR', 'MONITOR', 'STRATEGIST']
  const all = ['a', 'b'].flatMap((id) =>
    [0, 1, 50].flatMap((priority) => roles.map((role) => agent(id, priority, role))),
  )
  for (const a of all) {
    for (const b of all) {
      assert.equal(Math.sign(compareByPriority(a, b)), -Math.sign(compareByPriority(b, a)) + 0)
      assert.equal(compareByPriority(a, b) === 0, a === b)
      for (const c of all) {
        if (hasPriorityOver(a, b) && hasPriorityOver(b, c)) assert.ok(hasPriorityOver(a, c))
      }
    }
  }
})

test('the winner does not depend on the order of arrival', () => {
  const woken = [agent('strategy', 50, 'STRATEGIST'), agent('risk', 50, 'MONITOR'), agent('exec')]
  const names = (list: readonly Ranked[]) =>
    [...list].sort(compareByPriority).map((one) => one.agent_id)
  assert.deepEqual(names(woken), ['risk', 'strategy', 'exec'])
  assert.deepEqual(names(woken.toReversed()), ['risk', 'strategy', 'exec'])
})
