import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMeasured, isMoney, toUnit } from './unit.ts'

test('the unit of a measure is the currency that its name ends with, else its name', () => {
  assert.deepEqual(
    ['refund_usd', 'usd', 'notional_eur', 'calls', 'usd_saved', 'discount'].map(toUnit),
    ['USD', 'USD', 'EUR', 'calls', 'usd_saved', 'discount'],
  )
})

test('money is what a name ends with a currency of', () => {
  assert.deepEqual(['refund_usd', 'usd', 'production', 'usd_saved'].filter(isMoney), [
    'refund_usd',
    'usd',
  ])
})

test('money has its decimals, and loses none', () => {
  assert.deepEqual(
    ['640', '145.5', '12.90', '4500', '-20', '0.00375'].map((amount) =>
      formatMeasured(amount, 'refund_usd'),
    ),
    ['640.00', '145.50', '12.90', '4,500.00', '-20.00', '0.00375'],
  )
  assert.equal(formatMeasured('640', 'refund_jpy'), '640')
})

test('what is no money, or no amount, stays as it is', () => {
  assert.deepEqual(
    [
      formatMeasured('0.5', 'discount'),
      formatMeasured('1200', 'calls'),
      formatMeasured('x', 'usd'),
    ],
    ['0.5', '1,200', 'x'],
  )
})
