import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeClass, describeState } from './tool-words.ts'

test('a class is told in words, and what nobody classified as what it may do', () => {
  const read = { effect: 'read', reversible: true, risk: 'low' }
  assert.equal(describeClass({ class: read, state: 'agreed' }), 'read, risk low')
  const destroy = { effect: 'unsafe', reversible: false, risk: 'critical' }
  assert.equal(
    describeClass({ class: destroy, state: 'changed' }),
    'unsafe, cannot be undone, risk critical',
  )
  assert.match(describeClass({ class: null, state: 'unreviewed' }), /may do anything/)
  assert.equal(describeClass({ class: null, state: 'new' }), '')
})

test('an approval that is not in use yet is not told as one that is', () => {
  assert.match(describeState({ state: 'agreed', in_use: false }), /after the next start/)
  assert.doesNotMatch(describeState({ state: 'agreed', in_use: true }), /next start/)
  assert.doesNotMatch(describeState({ state: 'new', in_use: false }), /next start/)
})
