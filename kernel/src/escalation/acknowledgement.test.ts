import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { formatAcknowledgement } from './acknowledgement.ts'
import type { Exposure } from './impact.ts'

const BUY = { kind: 'BUY', scopes: { instruments: '/order/symbol' } }

function exposed(value: JsonValue): Exposure {
  return { measure: 'usd', threshold: '1000', value }
}

function asked(symbol: JsonValue, value: JsonValue = '2.50'): string {
  return formatAcknowledgement(BUY, { order: { symbol } }, exposed(value))
}

test('it names the object and how much is at stake', () => {
  assert.equal(asked('BTC-USD'), 'BTC-USD 2.5')
  assert.equal(asked(['BTC-USD', 'ETH-USD']), 'BTC-USD ETH-USD 2.5')
  assert.equal(formatAcknowledgement(BUY, { order: { symbol: 'X' } }, null), 'X')
})

test('several resource sets stand in the order of their names', () => {
  const scopes = { zones: '/zone', accounts: '/account', books: '/book' }
  const params: JsonObject = { zone: 'eu', account: 'a-1', book: 'b' }
  assert.equal(formatAcknowledgement({ kind: 'MOVE', scopes }, params, null), 'a-1 b eu')
})

test('without an object, or one that can be read, it names the kind', () => {
  assert.equal(formatAcknowledgement({ kind: 'PAY', scopes: {} }, {}, exposed('9')), 'PAY 9')
  for (const symbol of [7, null, '', ' X', 'X ', 'X  Y', 'B\u0422C', 'X\u200b', 'X\n', 'x\u202e'])
    assert.equal(asked(symbol), 'BUY 2.5', JSON.stringify(symbol))
  assert.equal(formatAcknowledgement(BUY, {}, null), 'BUY')
})

test('every printable character can be typed, from the first behind space to the last', () => {
  for (const symbol of ['!', '~', 'a~', '~ !']) assert.equal(asked(symbol), `${symbol} 2.5`)
  assert.equal(asked('\u007f'), 'BUY 2.5')
})

test('an amount that is none is left out', () => {
  assert.equal(asked('X', null), 'X')
  assert.equal(asked('X', 'much'), 'X')
})

test('it is as long as a line, and no longer', () => {
  const longest = 'x'.repeat(LIMITS.acknowledgementLength)
  assert.equal(formatAcknowledgement(BUY, { order: { symbol: longest } }, null), longest)
  assert.equal(formatAcknowledgement(BUY, { order: { symbol: `${longest}x` } }, null), 'BUY')
  assert.equal(asked(longest), 'BUY', 'nor with its amount')
})
