import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAmount } from './amount.ts'

test('amounts are grouped by thousands, and nothing else is', () => {
  assert.equal(formatAmount('1234567.25'), '1,234,567.25')
  assert.equal(formatAmount('-5000'), '-5,000')
  for (const text of ['999', '12.5', 'o_5000', '1e9', '', '5000 USD', '0x1000'])
    assert.equal(formatAmount(text), text)
})
