import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseChoicePath, toChoicePath, toChoiceSaidPath } from './choice-path.ts'

test('the path of a choice names its flow, and what was said about it is no choice', () => {
  assert.equal(parseChoicePath(toChoicePath('flow-1')), 'flow-1')
  assert.equal(parseChoicePath(toChoiceSaidPath('flow-1')), undefined)
  assert.equal(parseChoicePath('shop.open'), undefined)
})
