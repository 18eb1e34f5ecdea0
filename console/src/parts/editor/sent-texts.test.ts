import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SentTexts } from './sent-texts.ts'

test('a text that comes back after the next was typed is no change from outside', () => {
  const sent = new SentTexts()
  for (const text of ['a', 'ab', 'abc']) sent.add(text)
  assert.equal(sent.takeBack('a'), true)
  assert.equal(sent.takeBack('abc'), true, 'a page may leave some out')
  assert.equal(sent.takeBack('ab'), false, 'and then shows none of those before')
})

test('what was never told comes from outside', () => {
  const sent = new SentTexts()
  sent.add('a')
  assert.equal(sent.takeBack('another version'), false)
  assert.equal(sent.takeBack('a'), true)
  assert.equal(sent.takeBack('a'), false, 'each is taken back once')
  sent.add('b')
  sent.clear()
  assert.equal(sent.takeBack('b'), false)
})
