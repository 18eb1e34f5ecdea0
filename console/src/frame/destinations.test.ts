import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDestinations } from './destinations.ts'

const hrefs = (text: string): readonly string[] => listDestinations(text).map(({ href }) => href)

test('pages are found by a part of their name', () => {
  assert.equal(hrefs('led')[0], '/ledger')
  assert.equal(hrefs('').length, 13)
})

test('a dfid leads to its flow', () => {
  const dfid = '019e830e-1a00-71d9-9f05-0d3265b3e2c7'
  assert.equal(hrefs(dfid)[0], `/flows/${dfid}`)
})

test('a name may be an agent', () => {
  assert.deepEqual(hrefs('refunds_bot'), [
    '/flows?agent=refunds_bot',
    '/ledger?q=agent%3Arefunds_bot',
  ])
})

test('a number is an entry, and no agent', () => {
  assert.deepEqual(hrefs('4713'), ['/ledger/4713'])
  assert.deepEqual(hrefs('#4713'), ['/ledger/4713'])
})

test('what the search of the ledger reads leads there, and nothing else does', () => {
  for (const terms of ['LIMIT_EXCEEDED', 'main/12', 'sha256:9f3c22a1', 'agent:a kind:commit'])
    assert.deepEqual(hrefs(terms), [`/ledger?q=${encodeURIComponent(terms)}`], terms)
  for (const text of ['a b', 'ticket 4713', 'sha256:9f3c22a'])
    assert.deepEqual(hrefs(text), [], text)
})
