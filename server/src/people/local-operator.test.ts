import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatOperatorHeader, parseOperatorHeader } from './local-operator.ts'

test('whoever speaks at the socket is named as they say, or the operator', () => {
  assert.equal(
    parseOperatorHeader(formatOperatorHeader('ann@example.com'))?.name,
    'ann@example.com',
  )
  assert.equal(parseOperatorHeader(formatOperatorHeader(undefined))?.local, 'unnamed')
  assert.equal(parseOperatorHeader({}), null)
})

test('a name that no person can have makes nobody of whoever gives it', () => {
  for (const name of ['agent:refunds_bot', 'runtime', '', 'source:feed'])
    assert.equal(parseOperatorHeader(formatOperatorHeader(name)), null, name)
  assert.equal(parseOperatorHeader({ 'rubicon-operator': 'named %' }), null)
})
