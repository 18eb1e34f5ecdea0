import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMenuStep } from './menu-step.ts'

const LABELS = ['Light', 'Dark', 'Local time', 'Sign out']

test('arrows walk through a menu whose ends are joined, home and end lead to them', () => {
  assert.equal(findMenuStep(LABELS, 0, 'ArrowDown'), 1)
  assert.equal(findMenuStep(LABELS, 3, 'ArrowDown'), 0)
  assert.equal(findMenuStep(LABELS, 0, 'ArrowUp'), 3)
  assert.equal(findMenuStep(LABELS, -1, 'ArrowDown'), 0)
  assert.equal(findMenuStep(LABELS, 2, 'Home'), 0)
  assert.equal(findMenuStep(LABELS, 0, 'End'), 3)
})

test('a letter leads to the next item that begins with it, and no further where none does', () => {
  assert.equal(findMenuStep(LABELS, 0, 'l'), 2)
  assert.equal(findMenuStep(LABELS, 2, 'l'), 0)
  assert.equal(findMenuStep(LABELS, 0, 's'), 3)
  assert.equal(findMenuStep(LABELS, 0, 'x'), null)
  assert.equal(findMenuStep(LABELS, 0, 'Enter'), null)
  assert.equal(findMenuStep([], 0, 'ArrowDown'), null)
})
