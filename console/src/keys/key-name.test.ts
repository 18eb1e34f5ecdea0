import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatKeyName } from './key-name.ts'

test('a key that is held is named as the system names it', () => {
  assert.equal(formatKeyName('mod+k', true), '⌘K')
  assert.equal(formatKeyName('mod+k', false), 'Ctrl+K')
})

test('other keys are what they are', () => {
  for (const key of ['j', 'enter', '+', 'mod']) assert.equal(formatKeyName(key, false), key)
})
