import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addView, dropView, isShown, parseViews, type SavedView } from './saved-views.ts'

const view = (name: string, query = ''): SavedView => ({ page: 'flows', name, query })

test('what a browser kept is read, and whatever is no view is left out', () => {
  const kept = [view('mine', 'agent=a'), { page: 'elsewhere', name: 'x', query: '' }, null, 7, {}]
  assert.deepEqual(parseViews(JSON.stringify(kept)), [view('mine', 'agent=a')])
  for (const text of [null, '{', '{}', '7']) assert.deepEqual(parseViews(text), [])
})

test('a view of the same name takes the place of the one before', () => {
  const views = addView(addView([], view('a', 'kind=K')), view('a', 'kind=L'))
  assert.deepEqual(views, [view('a', 'kind=L')])
  assert.deepEqual(addView(views, { ...view('a'), page: 'ledger' }).length, 2)
  assert.deepEqual(dropView(views, view('a')), [])
})

test('a view is shown whatever the order of its members', () => {
  assert.ok(isShown(view('v', 'kind=K&agent=a'), new URLSearchParams('agent=a&kind=K')))
  assert.ok(!isShown(view('v', 'kind=K'), new URLSearchParams('')))
})
