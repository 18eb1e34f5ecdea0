import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import { type AgentPast, isForAgents, judgeImpact, NO_PAST } from './impact.ts'

const CALM = { reversible: true, risk: 'low' } as const
const EXPOSED = { ...CALM, exposure: { measure: 'usd', threshold: '1000' } } as const
const NEW: AgentPast = { successes: 0, of_kind: 0, largest: null }
const USED: AgentPast = { successes: 12, of_kind: 4, largest: '50' }

function reasons(
  description: Parameters<typeof judgeImpact>[0],
  measures: Readonly<Record<string, JsonValue>> = {},
  past: AgentPast = NEW,
): readonly string[] {
  const { impact, impact_reasons } = judgeImpact(description, measures, past)
  assert.equal(impact, impact_reasons.length === 0 ? 'LOW_IMPACT' : 'HIGH_IMPACT')
  return impact_reasons
}

test('what can be taken back, with little risk, has a low impact', () => {
  assert.deepEqual(reasons(CALM), [])
  assert.deepEqual(reasons({ ...CALM, risk: 'medium' }), [])
})

test('what cannot be taken back, or is risky, has a high one', () => {
  assert.deepEqual(reasons({ ...CALM, reversible: false }), ['irreversible'])
  const rated = { ...EXPOSED, reversible: false }
  assert.deepEqual(reasons(rated, { usd: '1000' }), [], 'it says how much is at stake: not much')
  assert.deepEqual(reasons(rated, { usd: '1001' }), ['exposure'])
  assert.deepEqual(reasons({ ...CALM, risk: 'high' }), ['risk_high'])
  assert.deepEqual(reasons({ ...CALM, risk: 'critical' }), ['risk_critical'])
})

test('agents may be asked first where nobody said how much is at stake, and else where it is low', () => {
  const asked = (...impact_reasons: string[]): boolean => isForAgents({ impact_reasons })
  assert.ok(asked())
  assert.ok(asked('irreversible'))
  for (const reason of ['exposure', 'risk_high', 'risk_critical', 'unusual']) {
    assert.ok(!asked(reason))
    assert.ok(!asked('irreversible', reason))
  }
})

test('exposure counts above its threshold, and where it is missing', () => {
  assert.deepEqual(reasons(EXPOSED, { usd: '1000' }), [])
  assert.deepEqual(reasons(EXPOSED, { usd: '1000.01' }), ['exposure'])
  assert.deepEqual(reasons(EXPOSED, {}), ['exposure'])
  assert.deepEqual(reasons(EXPOSED, { usd: 'much' }), ['exposure'])
  const unreadable = { ...CALM, exposure: { measure: 'usd', threshold: 'some' } }
  assert.deepEqual(reasons(unreadable, { usd: '1' }), ['exposure'])
  const { exposure } = judgeImpact(EXPOSED, { usd: '7' }, NEW)
  assert.deepEqual(exposure, { measure: 'usd', threshold: '1000', value: '7' })
  const unmeasured = judgeImpact(EXPOSED, {}, NEW).exposure
  assert.deepEqual(unmeasured, { measure: 'usd', threshold: '1000', value: null })
})

test('what an agent with a past never did, or never did so much of, is unusual', () => {
  assert.deepEqual(reasons(EXPOSED, { usd: '500' }, USED), [])
  assert.deepEqual(reasons(EXPOSED, { usd: '500.01' }, USED), ['unusual'])
  assert.deepEqual(reasons(CALM, {}, { ...USED, of_kind: 0 }), ['unusual'])
  assert.deepEqual(reasons(CALM, {}, { successes: 10, of_kind: 0, largest: null }), ['unusual'])
  assert.deepEqual(reasons(CALM, {}, { successes: 9, of_kind: 0, largest: null }), [])
  assert.deepEqual(reasons(CALM, {}, USED), [], 'without a measure there is nothing to compare')
  assert.deepEqual(reasons(EXPOSED, { usd: '900' }, { ...USED, largest: null }), [])
})

test('who has no past has done nothing, of this kind or any other', () => {
  assert.deepEqual(NO_PAST, { successes: 0, of_kind: 0, largest: null })
})

test('finding 4b: a negative exposure is never low because of its sign', () => {
  assert.deepEqual(reasons(EXPOSED, { usd: '-1000' }), [])
  assert.deepEqual(reasons(EXPOSED, { usd: '-1000.01' }), ['exposure'])
  assert.deepEqual(reasons(EXPOSED, { usd: '-500' }, USED), [])
  assert.deepEqual(reasons(EXPOSED, { usd: '-500.01' }, USED), ['unusual'])
  const short: AgentPast = { ...USED, largest: '-50' }
  assert.deepEqual(reasons(EXPOSED, { usd: '500' }, short), [])
  assert.deepEqual(reasons(EXPOSED, { usd: '500.01' }, short), ['unusual'])
})
