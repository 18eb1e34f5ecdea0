import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankSections } from './rank-sections.ts'

const SECTIONS = [
  { url: '/docs/a', title: 'Budgets', heading: 'Budgets', words: 'a flow spends money' },
  { url: '/docs/b', title: 'Deploying', heading: 'Backups', words: 'copy the store budgets' },
  { url: '/docs/c', title: 'LIMIT_EXCEEDED', heading: 'Means', words: 'a limit is exceeded' },
]

function urlsOf(question: string): readonly string[] {
  return rankSections(SECTIONS, question).map(({ url }) => url)
}

test('a part whose page is named by the question comes before one that mentions it', () => {
  assert.deepEqual(urlsOf('budget'), ['/docs/a', '/docs/b'])
})

test('every word of the question is wanted', () => {
  assert.deepEqual(urlsOf('budgets store'), ['/docs/b'])
  assert.deepEqual(urlsOf('budgets nowhere'), [])
})

test('a reason code is one word, in any case', () => {
  assert.deepEqual(urlsOf('limit_exc'), ['/docs/c'])
  assert.deepEqual(urlsOf('LIMIT_EXCEEDED'), ['/docs/c'])
})

test('a question without words finds nothing', () => {
  assert.deepEqual(urlsOf(' … '), [])
})
