import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinations } from './destinations.ts'

const hrefs = (text: string): readonly string[] => destinations(text).map(({ href }) => href)

test('pages are found by a part of their name', () => {
  assert.equal(hrefs('led')[0], '/ledger')
  assert.equal(hrefs('').length, 8)
})

test('a dfid leads to its flow', () => {
  const dfid = '019e830e-1a00-71d9-9f05-0d3265b3e2c7'
  assert.equal(hrefs(dfid)[0], `/flows/${dfid}`)
})

test('a name may be an agent; anything can be searched for', () => {
  assert.deepEqual(hrefs('refunds_bot'), ['/flows?agent=refunds_bot', '/ledger?q=refunds_bot'])
  assert.deepEqual(hrefs('a b'), ['/ledger?q=a%20b'])
})
