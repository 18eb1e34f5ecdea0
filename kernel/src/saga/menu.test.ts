import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildCapabilityMenu } from './menu.ts'

test('a capability can do what it lists, and nothing where it lists nothing', () => {
  assert.deepEqual(buildCapabilityMenu({ world_only: false, compensations: ['REVERT'] }), [
    'REVERT',
  ])
  assert.deepEqual(buildCapabilityMenu({ world_only: false }), [])
})

test('what changes World only can always be reverted, by its recorded inverse', () => {
  assert.deepEqual(buildCapabilityMenu({ world_only: true }), ['REVERT'])
  assert.deepEqual(buildCapabilityMenu({ world_only: true, compensations: ['CLOSE_ALL'] }), [
    'CLOSE_ALL',
    'REVERT',
  ])
  assert.deepEqual(buildCapabilityMenu({ world_only: true, compensations: ['REVERT'] }), ['REVERT'])
})
