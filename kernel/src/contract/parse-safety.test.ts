import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { classContract } from './class-contract.test-support.ts'
import type { Contract } from './contract.ts'
import { parseContract } from './parse-contract.ts'

function parseRules(safety_rules: JsonObject): Contract['safety_rules'] | null {
  const read = parseContract({ ...(classContract() as JsonObject), safety_rules })
  return read.ok ? read.value.safety_rules : null
}

test('an owner approves high impact only where the contract says so, and saying no is saying nothing', () => {
  assert.equal(parseRules({ self_approval: 'allowed' })?.self_approval, 'allowed')
  for (const rules of [{}, { self_approval: 'refused' }])
    assert.equal(Object.hasOwn(parseRules(rules) ?? assert.fail(), 'self_approval'), false)
  for (const self_approval of [true, 'Allowed', null])
    assert.equal(parseRules({ self_approval }), null, `${self_approval}`)
})

test('a request waits from a minute to a day, and saying an hour is saying nothing', () => {
  assert.equal(parseRules({ approval_window_s: 60 })?.approval_window_s, 60)
  assert.equal(parseRules({ approval_window_s: 86_400 })?.approval_window_s, 86_400)
  const usual = parseRules({ approval_window_s: 3_600 }) ?? assert.fail()
  assert.equal(Object.hasOwn(usual, 'approval_window_s'), false)
  for (const approval_window_s of [0, 59, 86_401, '3600', 90.5, null])
    assert.equal(parseRules({ approval_window_s }), null, `${approval_window_s}`)
})

test('a window of repetition is up to a day, and none is none', () => {
  assert.equal(parseRules({ repeat_window_s: 1 })?.repeat_window_s, 1)
  assert.equal(parseRules({ repeat_window_s: 86_400 })?.repeat_window_s, 86_400)
  const none = parseRules({ repeat_window_s: 0 }) ?? assert.fail()
  assert.equal(Object.hasOwn(none, 'repeat_window_s'), false)
  for (const repeat_window_s of [-1, 86_401, '60', 1.5])
    assert.equal(parseRules({ repeat_window_s }), null, `${repeat_window_s}`)
})
