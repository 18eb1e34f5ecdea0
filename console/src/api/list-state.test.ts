import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendOlder, gatherFresh, refreshList } from './list-state.ts'

type Row = { readonly id: string; readonly state: string }
const row = (id: string, state = 'ACTIVE'): Row => ({ id, state })
const idOf = ({ id }: Row): string => id

test('the first page is shown as it came', () => {
  const list = refreshList(null, { rows: [row('b'), row('a')], next: 'more' }, idOf)
  assert.deepEqual(list, { rows: [row('b'), row('a')], next: 'more', fresh: [] })
})

test('a row on the screen changes where it stands, and a new one waits', () => {
  const before = { rows: [row('b'), row('a')], next: 'more', fresh: [] }
  const page = { rows: [row('c'), row('b', 'CLOSED')], next: 'other' }
  assert.deepEqual(refreshList(before, page, idOf), {
    rows: [row('b', 'CLOSED'), row('a')],
    next: 'more',
    fresh: [row('c')],
  })
})

test('a page that has nothing in common with the screen is new as a whole', () => {
  const before = { rows: [row('a')], next: null, fresh: [] }
  const list = refreshList(before, { rows: [row('d'), row('c')], next: 'x' }, idOf)
  assert.deepEqual(list.fresh, [row('d'), row('c')])
})

test('an older row that was not on the screen is not new', () => {
  const before = { rows: [row('c'), row('a')], next: null, fresh: [] }
  const list = refreshList(before, { rows: [row('c'), row('b'), row('a')], next: null }, idOf)
  assert.deepEqual(list.fresh, [])
})

test('older rows follow, each once', () => {
  const before = { rows: [row('c'), row('b')], next: 'x', fresh: [] }
  const list = appendOlder(before, { rows: [row('b'), row('a')], next: null }, idOf)
  assert.deepEqual(list, { rows: [row('c'), row('b'), row('a')], next: null, fresh: [] })
})

test('what gathered is shown first', () => {
  const list = gatherFresh({ rows: [row('a')], next: null, fresh: [row('c'), row('b')] })
  assert.deepEqual(list, { rows: [row('c'), row('b'), row('a')], next: null, fresh: [] })
})
