import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSort, toggleSort } from './sort-step.ts'

test('a column is sorted its own way, the other way, and not any more', () => {
  assert.equal(toggleSort('-opened', '-amount', '-opened'), '-amount')
  assert.equal(toggleSort('-amount', '-amount', '-opened'), 'amount')
  assert.equal(toggleSort('amount', '-amount', '-opened'), '-opened')
})

test('the usual order can be turned around', () => {
  assert.equal(toggleSort('-opened', '-opened', '-opened'), 'opened')
  assert.equal(toggleSort('opened', '-opened', '-opened'), '-opened')
})

test('which way a column is sorted is said for whoever does not see the arrow', () => {
  assert.equal(describeSort('-amount', '-amount'), 'descending')
  assert.equal(describeSort('agent', 'agent'), 'ascending')
  assert.equal(describeSort('agent', '-amount'), 'none')
})
