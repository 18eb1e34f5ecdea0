import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingFor, whyNoOverride } from './ready.ts'

const HIGH = { acknowledge: 'BTC-USD 2', not_before: '2026-06-01T12:00:10.000Z' }
const SAID = { acknowledgement: 'BTC-USD 2', reason: 'it is needed' }
const READ = Date.parse(HIGH.not_before)

test('HIGH_IMPACT asks for the words, a reason, and the time to read', () => {
  assert.equal(missingFor(HIGH, SAID, READ), null)
  assert.equal(
    missingFor(HIGH, { ...SAID, acknowledgement: 'btc-usd 2' }, READ)?.field,
    'acknowledgement',
  )
  assert.equal(missingFor(HIGH, { ...SAID, reason: ' ' }, READ)?.field, 'reason')
  assert.deepEqual(missingFor(HIGH, SAID, READ - 1), {
    field: 'override',
    words: 'read it first',
    left: 1,
  })
})

test('LOW_IMPACT asks for a reason', () => {
  const low = { acknowledge: null, not_before: '2026-06-01T12:00:00.000Z' }
  assert.equal(missingFor(low, { acknowledgement: '', reason: 'fine' }, READ), null)
  assert.equal(missingFor(low, { acknowledgement: '', reason: '' }, READ)?.field, 'reason')
})

test('a yes that would be refused is not offered, and what the law says comes first', () => {
  const may = { OVERRIDE: null, MODIFY: null, ABORT: null }
  assert.equal(whyNoOverride({ may, outlook: null }), null)
  assert.equal(whyNoOverride({ may, outlook: { kind: 'runs' } }), null)
  const outlook = { kind: 'refused', code: 'BUDGET_EXCEEDED' } as const
  assert.equal(whyNoOverride({ may, outlook }), 'OUTLOOK_REFUSED')
  assert.equal(
    whyNoOverride({ may: { ...may, OVERRIDE: 'SELF_APPROVAL' }, outlook }),
    'SELF_APPROVAL',
  )
})
