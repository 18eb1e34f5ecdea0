import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNTOUCHED } from './draft.ts'
import { explainNoOverride } from './inbox-words.ts'
import { findMissing } from './ready.ts'

const HIGH = { acknowledge: 'BTC-USD 2', not_before: '2026-06-01T12:00:10.000Z' }
const SAID = { acknowledgement: 'BTC-USD 2', reason: 'it is needed' }
const READ = Date.parse(HIGH.not_before)

test('HIGH_IMPACT asks for the words, a reason, and the time to read', () => {
  assert.equal(findMissing(HIGH, SAID, READ), null)
  assert.equal(
    findMissing(HIGH, { ...SAID, acknowledgement: 'btc-usd 2' }, READ)?.field,
    'acknowledgement',
  )
  assert.equal(findMissing(HIGH, { ...SAID, reason: ' ' }, READ)?.field, 'reason')
  assert.deepEqual(findMissing(HIGH, SAID, READ - 1), {
    field: 'override',
    words: 'time to read it',
    left: 1,
  })
})

test('words that differ in capitals or spaces alone are told so', () => {
  for (const acknowledgement of ['btc-usd 2', 'BTC-USD 2 '])
    assert.match(findMissing(HIGH, { ...SAID, acknowledgement }, READ)?.words ?? '', /capitals/)
  const other = findMissing(HIGH, { ...SAID, acknowledgement: 'BTC' }, READ)
  assert.equal(other?.words, 'type BTC-USD 2 to confirm')
})

test('LOW_IMPACT asks for a reason', () => {
  const low = { acknowledge: null, not_before: '2026-06-01T12:00:00.000Z' }
  assert.equal(findMissing(low, { acknowledgement: '', reason: 'fine' }, READ), null)
  assert.equal(findMissing(low, { acknowledgement: '', reason: '' }, READ)?.field, 'reason')
})

test('finding 29b: what nobody has written is no reason, also for what is small', () => {
  const low = { acknowledge: null, not_before: '2026-06-01T12:00:00.000Z' }
  assert.equal(UNTOUCHED.reason, '')
  assert.equal(findMissing(low, UNTOUCHED, READ)?.field, 'reason')
})

test('why there is no Approve: whoever looks may not, or it would be refused', () => {
  const refused = { kind: 'refused', code: 'BUDGET_EXCEEDED' } as const
  assert.match(explainNoOverride(refused, 'BUDGET_EXCEEDED'), /would be refused .*BUDGET_EXCEEDED/)
  assert.match(explainNoOverride(refused, 'SELF_APPROVAL'), /somebody else has to approve it/)
  assert.match(explainNoOverride(null, 'SELF_APPROVAL'), /somebody else has to approve it/)
})
