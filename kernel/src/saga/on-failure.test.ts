import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseOnFailure } from './on-failure.ts'

test('what fails is taken back only where both the capability and the contract have that on their menu', () => {
  const both = { compensation: ['REVERT', 'ALERT_HUMAN'] }
  const none = { compensation: ['ALERT_HUMAN'] }
  const outside = { world_only: false, compensations: ['REVERT'] }
  assert.equal(chooseOnFailure(outside, both), 'REVERT_STATE')
  assert.equal(chooseOnFailure({ world_only: true }, both), 'REVERT_STATE')
  assert.equal(chooseOnFailure(outside, none), 'ALERT_HUMAN')
  assert.equal(chooseOnFailure({ world_only: false }, both), 'ALERT_HUMAN')
  assert.equal(
    chooseOnFailure({ world_only: false, compensations: ['CLOSE_ALL'] }, both),
    'ALERT_HUMAN',
  )
})
