import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { parseJson } from '../canonical/parse-json.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { LIMITS } from '../limits.ts'
import { REASON_CODES } from '../reason.ts'
import type { Contract } from './contract.ts'
import { parseContract } from './parse-contract.ts'

const flat = {
  agent_id: 'trader_01',
  version: '1.2.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-02-01',
  mission: 'manage positions',
  permissions: {
    allowed_instruments: ['ETH-USD', 'BTC-USD'],
    allowed_policy_types: ['BUY', 'SELL'],
    max_order_size_usd: 50000,
  },
  safety_rules: { min_confidence_threshold: 0.85, escalate_on_uncertainty: '0.70' },
}

const full = {
  ...flat,
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  role: 'STRATEGIST',
  authority: 'PROPOSE',
  permissions: {
    policy_kinds: ['BUY', 'SELL'],
    forbidden_kinds: ['WITHDRAW'],
    instruments: ['ETH-*'],
    resources: { accounts: ['re:acc_[0-9]+'] },
    limits: [
      { id: 'value', measure: 'order_value_usd', min: 0, max: '50000.00' },
      { id: 'venue', field: '/venue', allowed: ['x*', 're:y+'], denied: ['re:z'] },
      { id: 'open', field: 'market.state', expected: 'open' },
      { id: 'share', measure: 'value', of: 'equity', max: 0.25, on_breach: 'escalate' },
      { id: 'size', measure: 'size', max: 3, reason_code: 'TOO_BIG', applies_to: ['BUY'] },
    ],
    subscriptions: [{ topic: 'market.price', wake_if: { abs_change_pct: 0.5, above: '3' } }],
    reads: ['market.*', '*'],
  },
  reason_codes: { TOO_BIG: { kernel: 'LIMIT_EXCEEDED', summary: 'too big', fix: 'smaller' } },
}

function parsed(document: JsonValue): Contract {
  const result = parseContract(document)
  assert.ok(result.ok, result.ok ? '' : JSON.stringify(result.error))
  return result.value
}

/** `path: detail` for every problem. */
function problems(document: JsonValue): readonly string[] {
  const result = parseContract(document)
  return result.ok ? [] : result.error.map(({ path, detail }) => `${path.join('.')}: ${detail}`)
}

function withPermissions(permissions: JsonObject): JsonObject {
  return { ...full, permissions: { policy_kinds: ['BUY'], ...permissions } }
}

function withLimit(limit: JsonObject): JsonObject {
  return withPermissions({ limits: [limit] })
}

/** An object literal would make `__proto__` its prototype. */
function fromText(text: string): JsonValue {
  return JSON.parse(text, (_, value) => value)
}

test('the flat form becomes the stored form with authority EXECUTE_LIMITED', () => {
  const contract = parsed(flat)
  assert.equal(contract.api_version, 'rubicon/v1')
  assert.equal(contract.authority, 'EXECUTE_LIMITED')
  assert.equal(contract.role, 'EXECUTOR')
  assert.equal(contract.effective_from, '2026-02-01T00:00:00.000Z')
  assert.deepEqual(contract.permissions.policy_kinds, ['BUY', 'SELL'])
  assert.deepEqual({ ...contract.permissions.resources }, { instruments: ['ETH-USD', 'BTC-USD'] })
  assert.deepEqual(contract.permissions.limits, [
    {
      id: 'max_order_size_usd',
      kind: 'range',
      measure: 'order_value_usd',
      min: '0',
      max: '50000',
      on_breach: 'reject',
      reason_code: 'ORDER_VALUE_EXCEEDED',
    },
  ])
  assert.equal(contract.safety_rules.min_confidence_threshold, '0.85')
  assert.equal(contract.safety_rules.escalate_on_uncertainty, '0.7')
})

test('what a contract leaves out has its default', () => {
  const { priority, safety_rules, jit_verification, compensation } = parsed(full)
  assert.equal(priority, 50)
  assert.equal(safety_rules.max_intent_retries, LIMITS.intentRetries)
  assert.equal(safety_rules.escalations_per_hour, 3)
  assert.equal(safety_rules.requires_signature, false)
  assert.equal(safety_rules.pause_on_escalation, false)
  assert.deepEqual(jit_verification, { drift_envelope: {} })
  assert.deepEqual(compensation, [])
  const { safety_rules: _, ...bare } = flat
  assert.deepEqual({ ...parsed(bare).safety_rules.budget_per_flow }, {})
})

test('limits get the kind that their bounds imply and the code that their breach implies', () => {
  const limits = parsed(full).permissions.limits
  assert.deepEqual(
    limits.map(({ kind, reason_code }) => [kind, reason_code]),
    [
      ['range', 'LIMIT_EXCEEDED'],
      ['set', 'LIMIT_EXCEEDED'],
      ['state_match', 'STATE_MISMATCH'],
      ['ratio', 'AUTHORITY_CEILING'],
      ['range', 'TOO_BIG'],
    ],
  )
})

test('another named limit is a range of the measure in its name', () => {
  const { permissions } = parsed(withPermissions({ max_discount_pct: '10.0' }))
  const [limit] = permissions.limits
  assert.deepEqual(limit, {
    id: 'max_discount_pct',
    kind: 'range',
    measure: 'discount_pct',
    min: '0',
    max: '10',
    on_breach: 'reject',
    reason_code: 'LIMIT_EXCEEDED',
  })
})

test('resource sets stand under their names or in the map', () => {
  const { resources } = parsed(full).permissions
  assert.deepEqual({ ...resources }, { instruments: ['ETH-*'], accounts: ['re:acc_[0-9]+'] })
  assert.equal(resources.constructor, undefined)
})

test('the stored form parses to itself', () => {
  for (const document of [flat, full]) {
    const text = toCanonicalText(parsed(document))
    const again = parseJson(text)
    assert.ok(again.ok)
    assert.equal(toCanonicalText(parsed(again.value)), text)
  }
})

test('a decimal is the same contract as number and as text', () => {
  const asText = withPermissions({ max_order_size_usd: '50000.00' })
  const asNumber = withPermissions({ max_order_size_usd: 50000 })
  assert.equal(toCanonicalText(parsed(asText)), toCanonicalText(parsed(asNumber)))
})

test('members that may be null are absent then', () => {
  const nulls = { instance_of: null, parent_agent: null, effective_until: null }
  const contract = parsed({ ...full, ...nulls, host: null, context_schema: null })
  assert.equal('instance_of' in contract, false)
  assert.equal('host' in contract, false)
})

test('every optional member of the full form is kept', () => {
  const contract = parsed({
    ...full,
    effective_until: '2026-02-01T00:00:00.001Z',
    instance_of: 'trader',
    parent_agent: 'strategist',
    priority: 0,
    safety_rules: {
      min_confidence_threshold: 1,
      escalate_on_uncertainty: 1,
      requires_human_approval: ['WITHDRAW'],
      max_drawdown_limit_pct: '4.0',
      max_intent_retries: 1,
      suspend_after_rejections: { count: 5, window_s: 3600 },
      escalations_per_hour: 0,
      budget_per_flow: { tokens: 10000, usd: '0.50' },
      silence_watchdog: { minutes: 30, active: 'Mon-Fri 09:00-17:30 Europe/Warsaw' },
      pause_on_escalation: true,
      requires_signature: true,
      wake_up_threshold_pnl_pct: 2.5,
    },
    jit_verification: {
      enabled: true,
      drift_envelope: { price_pct: 2, position_state: 'strict' },
      max_context_age_seconds: 30,
      max_state_age_ms: 500,
      on_drift_exceeded: { action: 'ABORT', retry_with_fresh_context: true, notify: ['ops'] },
    },
    aggregate_thresholds: { max_average_discount_30d: 0.1 },
    host: { network: [], memory_mb: 256 },
    context_schema: '1.x',
    compensation: ['REVERT'],
  })
  assert.equal(contract.effective_until, '2026-02-01T00:00:00.001Z')
  assert.deepEqual({ ...contract.safety_rules.budget_per_flow }, { tokens: '10000', usd: '0.5' })
  const { drift_envelope } = contract.jit_verification
  assert.deepEqual({ ...drift_envelope }, { price_pct: '2', position_state: 'strict' })
  assert.equal('enabled' in contract.jit_verification, false)
  assert.deepEqual(contract.host, { network: [], memory_mb: 256 })
})

test('all problems are reported, not only the first', () => {
  assert.deepEqual(problems({ ...flat, owner: ' ', version: '1.2', agent_id: 'a b', colour: 1 }), [
    'agent_id: must be an identifier (letters, digits and `._:@-`, at most 128), not `a b`',
    'version: must be a version like `1.2.0`, not `1.2`',
    'owner: must not be blank',
    'colour: is not a known field',
  ])
})

test('what is not a map is one problem', () => {
  for (const document of [null, 'x', 3, ['x']]) assert.equal(problems(document).length, 1)
})

test('a value that is not shown is named by what it is', () => {
  const wanted = 'version: must be a version like `1.2.0`, not'
  assert.deepEqual(problems({ ...flat, version: {} }), [`${wanted} a map`])
  assert.deepEqual(problems({ ...flat, version: [] }), [`${wanted} a list`])
  assert.deepEqual(problems({ ...flat, version: '' }), [`${wanted} an empty text`])
})

test('each missing member is named', () => {
  for (const name of ['agent_id', 'version', 'owner', 'effective_from', 'mission', 'permissions']) {
    const document: Record<string, JsonValue> = { ...full }
    delete document[name]
    assert.deepEqual(problems(document), [`${name}: is missing`])
  }
  const { role: _r, authority: _a, ...bare } = full
  assert.deepEqual(problems(bare), ['role: is missing', 'authority: is missing'])
  const { kind: _, ...kindless } = full
  assert.deepEqual(problems(kindless), ['kind: is missing'])
})

const wrongMembers: Readonly<Record<string, readonly JsonValue[]>> = {
  api_version: ['rubicon/v2', 1],
  kind: ['Contract'],
  agent_id: ['', 'ä', 'x'.repeat(129), 7],
  version: ['1', '1.0', '01.0.0', '1.0.0-', '1.0.0+5', 1.2],
  owner: ['', '  ', 5, 'x'.repeat(LIMITS.justificationLength + 1)],
  effective_from: ['2026-13-01', 'tomorrow', 2026, '2026-02-01T00:00:00+01:00'],
  effective_until: ['2026-02-01', '2026-01-31', 'x'],
  role: ['BOSS'],
  authority: ['ALL'],
  parent_agent: ['trader_01', 'a b'],
  instance_of: ['trader_01'],
  priority: [-1, 1.5, '50'],
  mission: [''],
  permissions: [null, []],
  aggregate_thresholds: [{ x: 'much' }, { 'a b': 1 }, { max_losses_7d: 3 }],
  host: [{ memory_mb: 0 }, { network: 'all' }, { disk: 1 }],
  compensation: ['REVERT', ['REVERT', 'REVERT']],
  reason_codes: [
    [],
    { RBAC_DENIED: { kernel: 'LIMIT_EXCEEDED', summary: 's' }, TOO_BIG: full.reason_codes.TOO_BIG },
    { TOO_BIG: { kernel: 'OVERLOADED', summary: 's' } },
    { TOO_BIG: { kernel: 'NO_SUCH_CODE', summary: 's' } },
    { TOO_BIG: { kernel: 'LIMIT_EXCEEDED' } },
    { TOO_BIG: { kernel: 'LIMIT_EXCEEDED', summary: 's', http: 200 } },
  ],
}

for (const [name, values] of Object.entries(wrongMembers)) {
  test(`a wrong ${name} is refused at its place`, () => {
    for (const value of values) {
      const found = problems({ ...full, [name]: value })
      assert.ok(
        found.some((one) => one.startsWith(name)),
        `${JSON.stringify(value)}: ${found}`,
      )
    }
  })
}

const wrongSafety: readonly JsonObject[] = [
  { min_confidence_threshold: 1.01 },
  { min_confidence_threshold: -0.01 },
  { escalate_on_uncertainty: 'high' },
  { min_confidence_threshold: 0.7, escalate_on_uncertainty: '0.71' },
  { min_confidence_threshold: null },
  { max_drawdown_limit_pct: -1 },
  { max_drawdown_limit_pct: 1e300 },
  { wake_up_threshold_pnl_pct: '-0.1' },
  { max_intent_retries: 0 },
  { escalations_per_hour: -1 },
  { suspend_after_rejections: { count: 0, window_s: 60 } },
  { suspend_after_rejections: { count: 1 } },
  { approvers: { needs: 2, of: ['ann@example.com'] } },
  { approvers: { needs: 0, of: ['ann@example.com'] } },
  { approvers: { needs: 1, of: ['ann', 'ann'] } },
  { suspend_after_rejections: { count: 1, window_s: 60, per: 'day' } },
  { budget_per_flow: { usd: -1 } },
  { budget_per_flow: { usd: '0.0000001' } },
  { budget_per_flow: { tokens: '1.5' } },
  { budget_per_flow: { 'x y': 1 } },
  { budget_per_agent: { window_s: 0, calls: 1 } },
  { budget_per_agent: { calls: 1 } },
  { budget_per_agent: { window_s: LIMITS.windowS + 1, calls: 1 } },
  { budget_per_agent: { window_s: 60 } },
  { silence_watchdog: { minutes: 0 } },
  { silence_watchdog: { minutes: 1, hours: 2 } },
  { silence_watchdog: { minutes: LIMITS.watchdogMinutes + 1 } },
  { silence_watchdog: { minutes: 1, active: 'Mon-Fri' } },
  { silence_watchdog: { minutes: 1, active: 5 } },
  { silence_watchdog: { minutes: 1, scope: 'tenant' } },
  { requires_human_approval: ['a b'] },
  { pause_on_escalation: 'no' },
  { max_drawdown: 3 },
]

test('wrong safety rules are refused', () => {
  for (const safety_rules of wrongSafety) {
    assert.equal(problems({ ...full, safety_rules }).length, 1, JSON.stringify(safety_rules))
  }
})

const wrongJit: readonly JsonObject[] = [
  { enabled: false },
  { drift_envelope: { price_pct: -2 } },
  { drift_envelope: { price_pct: 'loose' } },
  { drift_envelope: { price: '2.0' } },
  { drift_envelope: { price_percent: 2 } },
  { drift_envelope: { _pct: 2 } },
  { drift_envelope: { price_bps: '9'.repeat(64) } },
  { drift_envelope: { 'the price_pct': 2 } },
  { drift_envelope: ['price_pct'] },
  { max_context_age_seconds: -30 },
  { max_context_age_seconds: 0 },
  { max_state_age_ms: 0.5 },
  { on_drift_exceeded: { action: 'IGNORE' } },
  { on_drift_exceeded: {} },
  { on_drift_exceeded: { action: 'ABORT', later: true } },
  { drift: {} },
]

test('wrong freshness rules are refused', () => {
  for (const jit_verification of wrongJit) {
    assert.equal(
      problems({ ...full, jit_verification }).length,
      1,
      JSON.stringify(jit_verification),
    )
  }
})

test('a drift envelope names fields with their units, or says strict', () => {
  const drift_envelope = { price_pct: 2, price_bps: '9.50', depth_abs: 0, position_state: 'strict' }
  const contract = parsed({ ...full, jit_verification: { drift_envelope } })
  assert.deepEqual(
    { ...contract.jit_verification.drift_envelope },
    { price_pct: '2', price_bps: '9.5', depth_abs: '0', position_state: 'strict' },
  )
})

const wrongLimits: readonly JsonObject[] = [
  { measure: 'm', max: 1 },
  { id: 'a b', measure: 'm', max: 1 },
  { id: 'x', max: 1 },
  { id: 'x', measure: 'm', field: '/f', max: 1 },
  { id: 'x', field: 'order.quantity', max: 1 },
  { id: 'x', field: '/a~2', max: 1 },
  { id: 'x', field: 7, max: 1 },
  { id: 'x', measure: 'm', max: -1 },
  { id: 'x', measure: 'm' },
  { id: 'x', measure: 'm', min: 2, max: 1 },
  { id: 'x', measure: 'm', max: 'lots' },
  { id: 'x', measure: 'm', max: '1,000' },
  { id: 'x', measure: 'm', max: null },
  { id: 'x', measure: 'm', max: 1, colour: 1 },
  { id: 'x', measure: 'm', max: 1, on_breach: 'ignore' },
  { id: 'x', measure: 'm', max: 1, reason_code: 'MADE_UP' },
  { id: 'x', measure: 'm', max: 1, reason_code: 'OVERLOADED' },
  { id: 'x', measure: 'm', max: 1, reason_code: 7 },
  { id: 'x', measure: 'm', max: 1, applies_to: [] },
  { id: 'x', measure: 'm', max: 1, applies_to: ['BYU'] },
  { id: 'x', measure: 'm', max: 1, kind: 'shape' },
  { id: 'x', measure: 'm', kind: 'set' },
  { id: 'x', measure: 'm', denied: [] },
  { id: 'x', measure: 'm', allowed: ['a*b'] },
  { id: 'x', field: 'f', kind: 'state_match' },
  { id: 'x', expected: 1 },
  { id: 'x', measure: 'm', of: 'n' },
]

test('wrong limits are refused', () => {
  for (const limit of wrongLimits) {
    assert.equal(problems(withLimit(limit)).length, 1, JSON.stringify(limit))
  }
  assert.equal(problems(withPermissions({ limits: ['x'] })).length, 1)
})

test('a range of one value is a range', () => {
  assert.deepEqual(problems(withLimit({ id: 'x', measure: 'm', min: '1.0', max: 1 })), [])
})

const wrongPermissions: readonly JsonObject[] = [
  { forbidden_kinds: ['BUY'] },
  { policy_kinds: ['BUY', 'BUY'] },
  { policy_kinds: ['BUY*'] },
  { policy_kinds: Array.from({ length: LIMITS.writScopes + 1 }, (_, i) => `K${i}`) },
  { allowed_policy_types: ['BUY'] },
  { instruments: 'ETH-USD' },
  { instruments: { a: 1 } },
  { instruments: [1] },
  { instruments: [' '] },
  { instruments: ['a', 'a'] },
  { instruments: ['E*H'] },
  { instruments: ['a'], allowed_instruments: ['b'] },
  { resources: { instruments: ['a'] }, instruments: ['b'] },
  { resources: ['a'] },
  { 'a b': ['x'] },
  { forbiden_kinds: ['WITHDRAW'], forbidden: ['WITHDRAW'] },
  { policy_types: ['BUY'] },
  { max_order_size_usd: -1 },
  { max_order_size_usd: ['a'] },
  { max_x: 1, limits: [{ id: 'max_x', measure: 'm', max: 1 }] },
  { subscriptions: [{ wake_if: {} }] },
  { subscriptions: [{ topic: 'a', wake: 1 }] },
  { subscriptions: [{ topic: 'a', wake_if: { x: 1 } }] },
  { subscriptions: [{ topic: 'a', wake_if: {} }] },
  { subscriptions: [{ topic: 'a', wake_if: { abs_change_pct: '-0.5' } }] },
  { subscriptions: [{ topic: 'a', wake_if: { above: 'high' } }] },
  { subscriptions: [{ topic: 'a', wake_if: { equals: null } }] },
  { reads: ['a b'] },
  { accepts: ['news.*'] },
  { accepts: { 'a b': 'external' } },
  { accepts: { 'news.*': 'operator' } },
]

test('wrong permissions are refused', () => {
  for (const permissions of wrongPermissions) {
    const found = problems(withPermissions(permissions))
    assert.ok(found.length >= 1, JSON.stringify(permissions))
    assert.ok(
      found.every((one) => one.startsWith('permissions')),
      String(found),
    )
  }
})

test('a list whose name reads like a rule is no resource set', () => {
  const kinds = ['policy_kind', 'blocked_kinds', 'order_types', 'my_limits']
  for (const name of [...kinds, 'forbidden_a', 'denied_a', 'deny_a', 'min_a', 'requires_a']) {
    const [found] = problems(withPermissions({ [name]: ['a'] }))
    assert.match(
      found ?? '',
      new RegExp(`^permissions.${name}: is no member of .permissions., and reads like a rule`),
    )
  }
})

test('two limits of one id are refused, and too many limits', () => {
  const limit = { id: 'x', measure: 'm', max: 1 }
  assert.deepEqual(problems(withPermissions({ limits: [limit, limit] })), [
    'permissions.limits.1.id: `x` is the id of another limit',
  ])
  const many = Array.from({ length: LIMITS.contractLimits + 1 }, (_, i) => ({
    ...limit,
    id: `x${i}`,
  }))
  assert.deepEqual(problems(withPermissions({ limits: many })), [
    `permissions: has more than ${LIMITS.contractLimits} limits`,
  ])
  assert.deepEqual(problems(withPermissions({ limits: many.slice(1) })), [])
  assert.deepEqual(problems(withPermissions({ limits: many.slice(1), max_order_size_usd: 1 })), [
    `permissions: has more than ${LIMITS.contractLimits} limits`,
  ])
})

test('names that JavaScript gives a meaning are no names', () => {
  const document = fromText('{"__proto__": ["x"]}')
  assert.equal(problems({ ...full, aggregate_thresholds: document }).length, 1)
  const permissions = fromText('{"policy_kinds": ["BUY"], "constructor": ["x"]}')
  assert.equal(problems({ ...full, permissions }).length, 1)
})

test('a long wrong value is not repeated in full', () => {
  const [problem] = problems({ ...full, version: 'x'.repeat(500) })
  assert.ok(problem !== undefined && problem.length < 150)
})

test('no kernel code can be given another meaning', () => {
  for (const code of REASON_CODES) {
    const reason_codes = { ...full.reason_codes, [code]: full.reason_codes.TOO_BIG }
    assert.deepEqual(problems({ ...full, reason_codes }), [
      `reason_codes.${code}: \`${code}\` is a code of the kernel`,
    ])
  }
})
