import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { classContract } from './class-contract.test-support.ts'
import type { Contract } from './contract.ts'
import { isDriftInside, JIT_VERIFICATION, SAFETY_RULES } from './safety-widening.ts'

const NO_RULES: JsonObject = Object.fromEntries(
  Object.keys(SAFETY_RULES).map((name) => [name, null]),
)

/** The rules that are wider in a child with these rules than in a parent with those. */
function wider(child: JsonObject, parent: JsonObject = {}): readonly string[] {
  const rulesOf = (safety_rules: JsonObject) => classContract({ safety_rules }).safety_rules
  const [inner, outer] = [rulesOf(child), rulesOf(parent)]
  return Object.entries(SAFETY_RULES).flatMap(([name, inside]) =>
    inside(inner, outer) ? [] : [name],
  )
}

function widerJit(child: JsonObject, parent: JsonObject = {}): readonly string[] {
  const [inner, outer] = [child, parent].map((jit_verification) =>
    classContract({ jit_verification }),
  )
  assert.ok(inner !== undefined && outer !== undefined)
  const names = Object.entries(JIT_VERIFICATION).flatMap(([name, inside]) =>
    inside(inner.jit_verification, outer.jit_verification) ? [] : [name],
  )
  return isDriftInside(inner, outer) ? names : ['drift_envelope', ...names]
}

test('the same rules, and any rules under none, are inside', () => {
  assert.deepEqual(wider({}), [])
  assert.deepEqual(wider({ budget_per_flow: { usd: null } }, NO_RULES), [])
})

test('under a class that says everything, saying nothing is wider', () => {
  assert.deepEqual(wider(NO_RULES), [
    'min_confidence_threshold',
    'requires_human_approval',
    'max_drawdown_limit_pct',
    'suspend_after_rejections',
    'budget_per_flow',
    'silence_watchdog',
    'pause_on_escalation',
    'requires_signature',
  ])
})

test('approvers: no fewer have to agree, and nobody joins them', () => {
  const people = (needs: number, ...of: readonly string[]): JsonObject => ({
    approvers: { needs, of },
  })
  const two = people(2, 'ann', 'bob', 'cleo')
  assert.deepEqual(wider(two, {}), [], 'where the class names nobody')
  assert.deepEqual(wider(two, two), [])
  assert.deepEqual(wider(people(2, 'ann', 'bob'), two), [])
  assert.deepEqual(wider(people(3, 'ann', 'bob', 'cleo'), two), [])
  for (const child of [people(1, 'ann'), people(2, 'ann', 'dan'), {}])
    assert.deepEqual(wider(child, two), ['approvers'])
})

test('an instance does not let its owner approve what that of its class may not', () => {
  const allowed = { self_approval: 'allowed' }
  assert.deepEqual(wider(allowed, {}), ['self_approval'])
  assert.deepEqual(wider(allowed, allowed), [])
  assert.deepEqual(wider({ self_approval: null }, allowed), [])
})

test('requests of an instance wait no longer than those of its class', () => {
  const window = (approval_window_s: number): JsonObject => ({ approval_window_s })
  assert.deepEqual(wider(window(7_200), window(7_200)), [])
  assert.deepEqual(wider(window(60), window(7_200)), [])
  assert.deepEqual(wider({ approval_window_s: null }, window(7_200)), [])
  assert.deepEqual(wider(window(3_599), {}), [])
  assert.deepEqual(wider(window(7_201), window(7_200)), ['approval_window_s'])
  assert.deepEqual(wider(window(3_601), {}), ['approval_window_s'])
  assert.deepEqual(wider({ approval_window_s: null }, window(3_599)), ['approval_window_s'])
})

test('a window of repetition: not shorter, since more would be done in it', () => {
  const window = (repeat_window_s: number): JsonObject => ({ repeat_window_s })
  assert.deepEqual(wider(window(60), window(60)), [])
  assert.deepEqual(wider(window(61), window(60)), [])
  assert.deepEqual(wider(window(1), {}), [])
  for (const child of [window(59), { repeat_window_s: null }])
    assert.deepEqual(wider(child, window(60)), ['repeat_window_s'])
})

test('confidence: at every level the instance is treated at least as strictly', () => {
  const both = (escalate: string | null, minimum: string | null): JsonObject => ({
    escalate_on_uncertainty: escalate,
    min_confidence_threshold: minimum,
  })
  const judged = (child: JsonObject, parent: JsonObject): boolean =>
    wider(child, parent).length === 0
  assert.ok(judged(both('0.7', '0.9'), both('0.7', '0.85')))
  assert.ok(!judged(both('0.7', '0.8'), both('0.7', '0.85')))
  // What went back now goes to a person, who may let it pass.
  assert.ok(!judged(both('0.8', '0.85'), both('0.7', '0.85')))
  // What went to a person now goes back.
  assert.ok(judged(both('0.6', '0.85'), both('0.7', '0.85')))
  assert.ok(judged(both(null, '0.85'), both('0.7', '0.85')))
  assert.ok(!judged(both('0.6', null), both('0.7', null)))
  assert.ok(judged(both('0.8', null), both('0.7', null)))
  assert.ok(!judged(both(null, null), both(null, '0.5')))
  assert.ok(judged(both('0.5', '0.5'), both(null, null)))
})

test('a threshold that cannot be read is beyond every other', () => {
  const rules = classContract().safety_rules
  const unreadable = { ...rules, min_confidence_threshold: 'high' }
  assert.equal(SAFETY_RULES.min_confidence_threshold(unreadable, rules), false)
  assert.equal(SAFETY_RULES.min_confidence_threshold(rules, unreadable), false)
})

test('each rule has two sides', () => {
  const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
    [
      'requires_human_approval',
      { requires_human_approval: ['SELL', 'BUY'] },
      { requires_human_approval: ['BUY'] },
    ],
    [
      'max_drawdown_limit_pct',
      { max_drawdown_limit_pct: '3.9' },
      { max_drawdown_limit_pct: '4.1' },
    ],
    ['max_intent_retries', { max_intent_retries: 2 }, { max_intent_retries: 4 }],
    ['escalations_per_hour', { escalations_per_hour: 0 }, { escalations_per_hour: 4 }],
    [
      'silence_watchdog',
      { silence_watchdog: { minutes: 30 } },
      { silence_watchdog: { minutes: 31 } },
    ],
    ['pause_on_escalation', { pause_on_escalation: true }, { pause_on_escalation: false }],
    ['requires_signature', { requires_signature: true }, { requires_signature: false }],
    [
      'budget_per_flow',
      { budget_per_flow: { calls: '9', usd: '0.5' } },
      { budget_per_flow: { calls: '11' } },
    ],
    [
      'suspend_after_rejections',
      { suspend_after_rejections: { count: 4, window_s: 3601 } },
      { suspend_after_rejections: { count: 6 } },
    ],
  ]
  for (const [name, narrow, wide] of cases) {
    assert.deepEqual(wider(narrow), [], name)
    assert.deepEqual(wider(wide), [name])
  }
  assert.deepEqual(wider({ suspend_after_rejections: { window_s: 3599 } }), [
    'suspend_after_rejections',
  ])
  const woken = { wake_up_threshold_pnl_pct: '2.5' }
  assert.deepEqual(wider(woken), [])
  assert.deepEqual(wider(woken, woken), [])
  assert.deepEqual(wider({ wake_up_threshold_pnl_pct: '2.4' }, woken), [
    'wake_up_threshold_pnl_pct',
  ])
})

test('a budget is compared with what a flow gets when its contract does not say', () => {
  const ten = { budget_per_flow: { calls: '10', usd: null } }
  const unsaid = { budget_per_flow: { calls: null, usd: null } }
  assert.deepEqual(wider(unsaid, ten), ['budget_per_flow'])
  assert.deepEqual(wider(ten, unsaid), [])
  assert.deepEqual(wider({ budget_per_flow: { usd: '0.01' } }, ten), ['budget_per_flow'])
  const rules = classContract().safety_rules
  const odd = { ...rules, budget_per_flow: { calls: 'many' } }
  assert.equal(SAFETY_RULES.budget_per_flow(odd, rules), false)
  assert.equal(SAFETY_RULES.budget_per_flow(rules, odd), false)
})

test('drift: entries stay and tighten, and only strict ones are added', () => {
  const envelope = (drift_envelope: JsonObject): readonly string[] => widerJit({ drift_envelope })
  assert.deepEqual(envelope({ price_pct: '1.9' }), [])
  assert.deepEqual(envelope({ price_pct: 'strict', volume: 'strict' }), [])
  assert.deepEqual(envelope({ price_pct: '2.1' }), ['drift_envelope'])
  assert.deepEqual(envelope({ price_pct: null }), ['drift_envelope'])
  assert.deepEqual(envelope({ position_state: null, position_state_pct: '1' }), ['drift_envelope'])
  assert.deepEqual(envelope({ volume_pct: '0.01' }), ['drift_envelope'])
  const parent = classContract()
  const loosened = { price_pct: '2.0', position_state: '1' }
  const jit_verification = { ...parent.jit_verification, drift_envelope: loosened }
  assert.equal(isDriftInside({ ...parent, jit_verification }, parent), false)
})

test('ages: no older than the class allows, or than everybody is allowed', () => {
  assert.deepEqual(widerJit({ max_context_age_seconds: 29, max_state_age_ms: 499 }), [])
  assert.deepEqual(widerJit({ max_context_age_seconds: 31 }), ['max_context_age_seconds'])
  assert.deepEqual(widerJit({ max_context_age_seconds: null }), ['max_context_age_seconds'])
  assert.deepEqual(widerJit({ max_state_age_ms: 501 }), ['max_state_age_ms'])
  assert.deepEqual(widerJit({ max_state_age_ms: null }), ['max_state_age_ms'])
  const unsaid: JsonObject = { max_context_age_seconds: null, max_state_age_ms: null }
  assert.deepEqual(widerJit({}, unsaid), [])
  const longer = { max_context_age_seconds: LIMITS.contextAgeMs / 1000 + 1 }
  assert.deepEqual(widerJit(longer, unsaid), ['max_context_age_seconds'])
})

test('the answer to drift stays, and may be added', () => {
  assert.deepEqual(widerJit({ on_drift_exceeded: { notify: null } }), ['on_drift_exceeded'])
  assert.deepEqual(widerJit({}, { on_drift_exceeded: null }), [])
})

test('every rule of a contract has its meaning of narrower', () => {
  const rules: Contract['safety_rules'] = classContract({
    safety_rules: {
      wake_up_threshold_pnl_pct: '1',
      approvers: { needs: 1, of: ['ann'] },
      budget_per_agent: { window_s: 60, calls: 1 },
      self_approval: 'allowed',
      approval_window_s: 7_200,
      repeat_window_s: 60,
    },
  }).safety_rules
  assert.deepEqual(Object.keys(SAFETY_RULES).sort(), Object.keys(rules).sort())
})

test('a window of an agent: the same length, every amount kept, and none larger', () => {
  const window = (change: JsonObject = {}): JsonObject => ({
    budget_per_agent: { window_s: 3600, calls: 10, usd: '1.5', ...change },
  })
  assert.deepEqual(wider(window(), {}), [], 'where the class has none')
  assert.deepEqual(wider(window(), window()), [])
  assert.deepEqual(wider(window({ calls: 9, tokens: 5 }), window()), [])
  for (const change of [{ calls: 11 }, { usd: null }, { window_s: 1800 }, { usd: '1.500001' }])
    assert.deepEqual(wider(window(change), window()), ['budget_per_agent'], JSON.stringify(change))
  assert.deepEqual(wider({}, window()), ['budget_per_agent'])
})

test('refusals by the hour: not more', () => {
  const perHour = (rejections_per_hour: number): JsonObject => ({ rejections_per_hour })
  assert.deepEqual(wider(perHour(5), perHour(5)), [])
  assert.deepEqual(wider(perHour(6), perHour(5)), ['rejections_per_hour'])
})
