import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WritBody } from 'rubicon-kernel'
import { createKept } from '../compact-records/parts.ts'
import { createBudgets } from './budgets.ts'

const writ = (nonce: string, budget: WritBody['budget']): WritBody =>
  ({ nonce, budget }) as unknown as WritBody

test('a child gives back no more than it has left', () => {
  const budgets = createBudgets(createKept())
  const parent = writ('parent', { calls: '10' })
  const child = writ('child', { calls: '9' })
  assert.deepEqual(budgets.reserve(parent, child.budget), [])
  assert.deepEqual(budgets.reserve(child, { calls: '2' }), [])
  assert.deepEqual(budgets.giveBack(child, parent, { calls: '8' }), [
    'more budget is returned than was left',
  ])
})

test('what was thought is spent, whatever an intent costs', () => {
  const budgets = createBudgets(createKept())
  const own = writ('own', { calls: '10', tokens: '5' })
  budgets.report(own, { tokens: '5' })
  assert.deepEqual(budgets.reserve(own, { calls: '1' }), [])
  budgets.report(own, { tokens: '1' })
  assert.deepEqual(budgets.reserve(own, { calls: '1' }), ['`tokens` of its writ is spent'])
  const over = ['more `tokens` is taken than its writ grants']
  assert.deepEqual(budgets.reserve(own, { calls: '1', tokens: '1' }), over, 'said once')
})

test('a writ gives back once', () => {
  const budgets = createBudgets(createKept())
  const parent = writ('parent', { calls: '10' })
  const child = writ('child', { calls: '9' })
  budgets.reserve(parent, child.budget)
  assert.deepEqual(budgets.giveBack(child, parent, { calls: '1' }), [])
  assert.deepEqual(budgets.giveBack(child, parent, { calls: '1' }), [
    'its writ returned its budget before',
  ])
})
