import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RememberedRows } from './remembered.ts'

test('that there is no such row is remembered too', () => {
  const rows = new RememberedRows<string | null>(2)
  rows.keep('a', null)
  assert.equal(rows.get('a'), null)
  rows.keep('a', 'row')
  assert.equal(rows.get('a'), 'row')
  rows.change('a', null)
  assert.equal(rows.get('a'), null, 'what the batch has still to write comes first')
})

test('a row that was dropped in the young generation is not found in the old one', () => {
  const rows = new RememberedRows<string>(1)
  rows.keep('a', 'old')
  rows.keep('b', 'row')
  rows.drop('a')
  assert.equal(rows.get('a'), undefined)
})
