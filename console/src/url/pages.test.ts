import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getPagePath, PAGE_NAMES, PAGES, parsePage } from './pages.ts'

test('the first part of a path is the page, the rest is what is open', () => {
  assert.deepEqual(parsePage('/flows/0199'), { page: 'flows', id: '0199' })
  assert.deepEqual(parsePage('/executions/0199%3Astep'), { page: 'executions', id: '0199:step' })
  assert.deepEqual(parsePage('/'), { page: 'overview', id: '' })
  assert.deepEqual(parsePage('/nowhere'), { page: null, id: '' })
  assert.deepEqual(parsePage('/flows/%E0%A4%A'), { page: 'flows', id: '%E0%A4%A' })
})

test('every page has a key of its own', () => {
  const keys = PAGE_NAMES.map((name) => PAGES[name].key)
  assert.equal(new Set(keys).size, keys.length)
})

test('the navigation names every page once, and each leads to itself', () => {
  assert.deepEqual(PAGE_NAMES.toSorted(), Object.keys(PAGES).toSorted())
  for (const name of PAGE_NAMES) assert.equal(parsePage(getPagePath(name)).page, name)
})
