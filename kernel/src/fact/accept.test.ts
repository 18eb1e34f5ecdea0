import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAcceptsProblem, isAccepted, isAcceptsInside } from './accept.ts'
import { FACT_LABELS, type FactLabel } from './label.ts'

const read = (path: string, ...widened: Parameters<typeof isAccepted>[1]): readonly FactLabel[] =>
  FACT_LABELS.filter((label) => isAccepted({ path, label }, widened))

test('without a word trusted and operator are read, and nothing below', () => {
  assert.deepEqual(read('news.today'), ['trusted', 'operator'])
  assert.deepEqual(read('news.today', undefined, {}), ['trusted', 'operator'])
})

test('A1: of several patterns and of both documents the lowest label counts', () => {
  assert.deepEqual(read('news.today', { 'news.*': 'external' }), [
    'trusted',
    'operator',
    'external',
  ])
  assert.deepEqual(read('news.today', { 'news.*': 'external', '*': 'agent' }), FACT_LABELS)
  assert.deepEqual(
    read('news.today', { 'news.today': 'external' }, { 'news.*': 'agent' }),
    FACT_LABELS,
  )
  assert.deepEqual(read('news.today', { news: 'agent', 'news.todays': 'agent' }), [
    'trusted',
    'operator',
  ])
})

test('an instance accepts no more than its class', () => {
  const of = { 'news.*': 'external', 'claims.bot.*': 'agent' } as const
  assert.ok(isAcceptsInside(undefined, undefined))
  assert.ok(isAcceptsInside(undefined, of))
  assert.ok(isAcceptsInside(of, of))
  assert.ok(isAcceptsInside({ 'news.today': 'external', 'claims.bot.x': 'external' }, of))
  assert.ok(!isAcceptsInside({ 'news.today': 'agent' }, of))
  assert.ok(!isAcceptsInside({ '*': 'external' }, of))
  assert.ok(!isAcceptsInside(of, undefined))
})

test('what cannot be read is named', () => {
  assert.equal(findAcceptsProblem({ 'news.*': 'external', '*': 'agent', a: 'agent' }), undefined)
  for (const value of [null, [], 'news', { 'a b': 'agent' }, { a: 'operator' }, { a: 'trusted' }])
    assert.notEqual(findAcceptsProblem(value), undefined, JSON.stringify(value))
})
