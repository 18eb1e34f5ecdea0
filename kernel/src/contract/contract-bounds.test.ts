import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { parseContract } from './parse-contract.ts'

const PERMISSIONS: JsonObject = { policy_kinds: ['BUY', 'x'] }

/** The problems of a small contract with other members. */
function problems(change: JsonObject): readonly string[] {
  const result = parseContract({
    agent_id: 'a',
    version: '1.0.0',
    owner: 'o',
    effective_from: '2026-01-01',
    mission: 'm',
    permissions: PERMISSIONS,
    ...change,
  })
  return result.ok ? [] : result.error.map(({ path, detail }) => `${path.join('.')}: ${detail}`)
}

test('a number at its bound is within it', () => {
  const watchdog = { silence_watchdog: { minutes: LIMITS.watchdogMinutes } }
  const window = { budget_per_agent: { window_s: LIMITS.windowS, calls: 1 } }
  for (const safety_rules of [watchdog, window]) assert.deepEqual(problems({ safety_rules }), [])
})

test('a text is as long as it may be, and no longer', () => {
  const longest = 'x'.repeat(LIMITS.justificationLength)
  assert.deepEqual(problems({ mission: longest }), [])
  assert.deepEqual(problems({ mission: `${longest}x` }), [
    `mission: is longer than ${LIMITS.justificationLength} characters`,
  ])
})

test('a kind is not both allowed and forbidden, however short its name is', () => {
  const permissions = { ...PERMISSIONS, forbidden_kinds: ['x'] }
  assert.deepEqual(problems({ permissions }), [
    'permissions.forbidden_kinds.0: `x` is both allowed and forbidden',
  ])
})
