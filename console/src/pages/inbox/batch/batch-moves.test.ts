import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PreviewRow } from 'rubicon-agents/client'
import { findSurprises } from './batch-moves.ts'
import { brief, spending } from './brief.test-support.ts'

const spent = (before: string, after: string): PreviewRow => {
  return { subject: 'purchases', field: 'spent', before, after, unit: 'USD' }
}

test('what was said that an approval makes of a fact is no surprise, however the figure is written', () => {
  const seen = spending('b', '0', '15')
  assert.equal(findSurprises(seen, spending('b', '10', '25'), [spent('0', '10')]), null)
  assert.equal(findSurprises(seen, spending('b', '10.00', '25'), [spent('0', '10')]), null)
  const first = spending('b', null, '15')
  assert.equal(findSurprises(first, spending('b', '10', '25'), [spent('0', '10')]), null)
})

test('any other value is one: of somebody else, of a step before the last, or of another resource', () => {
  const seen = spending('b', '0', '15')
  const moves = findSurprises(seen, spending('b', '11', '26'), [spent('0', '10')])
  assert.deepEqual(moves, [
    { name: 'account/purchases', from: { spent: '0' }, to: { spent: '11' } },
  ])
  const both = [spent('0', '10'), spent('10', '30')]
  assert.equal(findSurprises(seen, spending('b', '10', '25'), both)?.length, 1, 'taken back since')
  const other = { ...spent('0', '10'), subject: 'refunds' }
  assert.equal(findSurprises(seen, spending('b', '10', '25'), [other])?.length, 1)
  assert.equal(findSurprises(seen, spending('b', '10', '25'), [])?.length, 1)
})

test('a field beside the one that was made is a surprise, and so is what is no fact of World', () => {
  const seen = spending('b', '0', '15')
  const latest = spending('b', '10', '25')
  const [fact] = latest.facts
  assert.ok(fact !== undefined)
  const locked = { ...fact, is: { spent: '10', locked: true } }
  assert.equal(findSurprises(seen, { ...latest, facts: [locked] }, [spent('0', '10')])?.length, 1)
  const outside = { ...latest, facts: [{ ...fact, layer: 'state' as const }] }
  assert.equal(findSurprises(seen, outside, [spent('0', '10')])?.length, 2, 'one came, one is gone')
})

test('that something moved and nobody can say what is a surprise; nothing moved is none', () => {
  const seen = brief('a')
  const latest = { ...seen, binds: { ...seen.binds, shown_facts: 'others' } }
  assert.deepEqual(findSurprises(seen, latest, []), [])
  assert.equal(findSurprises(seen, brief('a'), []), null)
})
