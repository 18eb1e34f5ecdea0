import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceAt, choicePath, choiceSaidPath } from './choice-path.ts'

test('the path of a choice names its flow, and what was said about it is no choice', () => {
  assert.equal(choiceAt(choicePath('flow-1')), 'flow-1')
  assert.equal(choiceAt(choiceSaidPath('flow-1')), undefined)
  assert.equal(choiceAt('shop.open'), undefined)
})
