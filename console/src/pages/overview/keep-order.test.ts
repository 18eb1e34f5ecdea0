import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepOrder } from './keep-order.ts'

const toSelf = (row: string): string => row

test('rows that are there stay in their order, new ones come below, gone ones leave', () => {
  assert.deepEqual(keepOrder(['a', 'b', 'c'], ['d', 'c', 'a'], toSelf), ['a', 'c', 'd'])
})

test('the first time the order is that of the server', () => {
  assert.deepEqual(keepOrder([], ['b', 'a'], toSelf), ['b', 'a'])
})
