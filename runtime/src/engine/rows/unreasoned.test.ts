import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkReason } from './unreasoned.ts'

test('half a character in a reason is signed, or breaks what signs it', () => {
  const whole = 'odd \u{1f642}'
  assert.equal(checkReason(whole, 'an erasure'), null)
  assert.equal(checkReason(whole.slice(0, -1), 'an erasure')?.code, 'JUSTIFICATION_REQUIRED')
})
