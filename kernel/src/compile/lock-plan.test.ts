import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LIMITS } from '../limits.ts'
import { planLocks } from './lock-plan.ts'

test('resources are taken in the order of their ids, whoever asks in which order', () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' }))
  fc.assert(
    fc.property(ids, fc.nat(), (names, turn) => {
      const needs = names.map((id) => ({ id, amount: '1' }))
      const turned = [...needs.slice(turn % 7), ...needs.slice(0, turn % 7)]
      const plan = planLocks(turned)
      assert.deepEqual(plan, planLocks(needs))
      assert.deepEqual(
        plan?.map(({ id }) => id),
        [...names].sort((a, b) => (a < b ? -1 : 1)),
      )
    }),
  )
})

test('what is named twice is needed twice', () => {
  const twice = [
    { id: 'a', amount: '0.1', capacity: '1' },
    { id: 'a', amount: '0.2', capacity: '1' },
  ]
  assert.deepEqual(planLocks(twice), [{ id: 'a', amount: '0.3', capacity: '1' }])
  const whole = [
    { id: 'a', amount: '1' },
    { id: 'a', amount: '1' },
  ]
  assert.deepEqual(planLocks(whole), [{ id: 'a', amount: '2' }])
})

test('two capacities of one resource are a contradiction', () => {
  const first = { id: 'a', amount: '1', capacity: '1' }
  assert.equal(planLocks([first, { ...first, capacity: '2' }]), undefined)
  assert.equal(planLocks([first, { ...first, amount: '-1' }]), undefined)
})

test('what cannot be counted cannot be reserved', () => {
  for (const amount of ['-1', '1,000', 'much', '', 1 as unknown as string])
    assert.equal(planLocks([{ id: 'a', amount }]), undefined)
  for (const capacity of ['-1', 'all', null as unknown as string])
    assert.equal(planLocks([{ id: 'a', amount: '1', capacity }]), undefined)
  const nothing = [{ id: 'a', amount: '0', capacity: '0' }]
  assert.deepEqual(planLocks(nothing), nothing)
})

test('an id is text that can be written down', () => {
  const longest = 'x'.repeat(LIMITS.resourceIdLength)
  assert.notEqual(planLocks([{ id: longest, amount: '1' }]), undefined)
  for (const id of ['', `${longest}x`, '\ud800', 'a\0b', 7 as unknown as string])
    assert.equal(planLocks([{ id, amount: '1' }]), undefined)
})

test('an action holds so many resources and no more', () => {
  const most = LIMITS.resourcesPerProposal
  const needs = (count: number): { id: string; amount: string }[] =>
    Array.from({ length: count }, (_, i) => ({ id: `r-${i}`, amount: '1' }))
  assert.equal(planLocks(needs(most))?.length, most)
  assert.equal(planLocks(needs(most + 1)), undefined)
})
