import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLedgerQuery } from './ledger-query.ts'

test('places, ids, kinds and codes are looked up; anything else is words', () => {
  for (const text of [
    '53',
    '#53',
    'main/12',
    'sha256:9f3c22a1',
    '019e830e-1a00-71d9-9f05-0d3265b3e2c7',
    'agent:refunds_bot kind:commit',
    'LIMIT_EXCEEDED',
    'rejection',
  ])
    assert.ok(isLedgerQuery(text), text)
  for (const text of ['', 'ticket 53', 'sha256:9f3c', 'late parcel', 'o_4711'])
    assert.ok(!isLedgerQuery(text), text)
})
