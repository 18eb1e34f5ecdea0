import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REASON_CODES, REASONS } from 'rubicon-kernel'
import { explain, findNearestCode } from './explain.ts'

test('every code is explained, with its example', () => {
  for (const code of REASON_CODES) {
    const explanation = explain(code)
    assert.equal(explanation?.reason, REASONS[code])
    assert.equal(explanation?.example?.code, code)
  }
})

test('an unknown code is not explained, whatever it is called', () => {
  for (const code of ['', 'NO_SUCH_CODE', 'constructor', '__proto__', '../package'])
    assert.equal(explain(code), null)
})

test('a misspelt code leads to the nearest one', () => {
  assert.equal(findNearestCode('ORDER_VALUE_EXCEDED'), 'ORDER_VALUE_EXCEEDED')
  assert.equal(findNearestCode('budget-exceeded'), 'BUDGET_EXCEEDED')
  assert.equal(findNearestCode(' writ_expird '), 'WRIT_EXPIRED')
})

test('nothing near is nothing, and a long word costs no more than a short one', () => {
  assert.equal(findNearestCode('hello'), null)
  assert.equal(findNearestCode('X'.repeat(1_000_000)), null)
})

test('codes of a business can be searched as well', () => {
  assert.equal(findNearestCode('FX_LIMT', ['FX_LIMIT', 'FX_CLOSED']), 'FX_LIMIT')
})
