import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { CapabilityLaw, FactView } from '../execution/capability.ts'
import { LIMITS } from '../limits.ts'
import type { Policy } from '../policy/policy.ts'
import type { ReasonCode } from '../reason.ts'
import { AGENT, type CasePatch, withCase } from './case.test-support.ts'
import { compile } from './compile.ts'
import { refused, staged, suspended, verdictOf } from './expect.test-support.ts'
import { reserved } from './reserved-case.test-support.ts'

function codesOf(patch: CasePatch): readonly ReasonCode[] {
  const verdict = verdictOf(patch)
  return verdict.kind === 'rejected' ? verdict.refusals.map(({ code }) => code) : []
}

const limits = (...list: readonly JsonObject[]): CasePatch => ({
  contract: { permissions: { limits: list } },
})
const drawdown = (value: JsonValue): CasePatch => ({
  facts: { state: { [`agent.${AGENT}.drawdown_pct`]: value } },
})

test('an order of exactly the maximum passes, one cent more does not', () => {
  staged({ proposal: { params: { quantity: '25' } } })
  staged({ proposal: { params: { quantity: '25.000' } } })
  refused({ proposal: { params: { quantity: '25.000005' } } }, 'ORDER_VALUE_EXCEEDED')
})

test('the measures are in the trace, whatever the stage said', () => {
  const measures = { order_value_usd: '4000', quantity: '2' }
  const said = staged({}).trace.find(({ stage }) => stage === 'preconditions')
  assert.deepEqual({ ...said?.measures }, measures)
  const refusal = refused({ proposal: { context_ref: 'old' } }, 'STALE_CONTEXT').trace.at(-1)
  assert.deepEqual({ ...refusal?.measures }, measures)
})

test('a measure that is missing, unreadable or not JSON refuses', () => {
  refused({ facts: { state: { 'market.price.ETH-USD': null } } }, 'MEASURE_UNAVAILABLE')
  for (const capability of ['measures_nothing', 'measures_throw', 'measures_nan'] as const)
    refused({ capability }, 'MEASURE_UNAVAILABLE')
  refused({ capability: 'measures_text' }, 'MEASURE_UNAVAILABLE')
  const law = { measures: () => null } as unknown as Partial<CapabilityLaw>
  refused({ law }, 'MEASURE_UNAVAILABLE')
})

test('no measure is missing without the facts that were asked for in vain being named', () => {
  const price = 'market.price.ETH-USD'
  const silent = { facts: { state: { [price]: null } } }
  const measure = 'order_value_usd'
  assert.deepEqual(refused(silent, 'MEASURE_UNAVAILABLE').details, { measure, absent: [price] })
  const asks = (view: FactView): JsonValue | undefined => {
    view.world('position', '\ud800')
    return view.state(undefined as never)?.value ?? view.state('market.rate')?.value
  }
  const law: Partial<CapabilityLaw> = {
    measures: (_, view) => ({ quantity: '2', order_value_usd: asks(view) }),
  }
  const unread = ['position.\ufffd', 'undefined', 'market.rate']
  assert.deepEqual(refused({ law }, 'MEASURE_UNAVAILABLE').details, { measure, unread })
  const cost = (_: JsonObject, view: FactView) => ({ usd: `${asks(view)}` })
  const priced = refused({ law: { cost } }, 'MEASURE_UNAVAILABLE').details
  assert.deepEqual(priced, { measure: 'cost', unread })
  const lost = () => assert.fail('no list')
  assert.deepEqual(
    refused({ law: { ...law, reads: lost, jit: lost } }, 'MEASURE_UNAVAILABLE').details,
    {
      measure,
      unread,
    },
  )
})

test('a capability without measures is not asked for any', () => {
  const law = { measures: () => assert.fail('asked') }
  staged({ ...limits(), description: { measures: [] }, law })
})

test('a capability that throws everywhere is refused for each function', () => {
  assert.deepEqual(codesOf({ capability: 'throws' }), [
    'MEASURE_UNAVAILABLE',
    'MEASURE_UNAVAILABLE',
    'MEASURE_UNAVAILABLE',
    'MEASURE_UNAVAILABLE',
    'MEASURE_UNAVAILABLE',
    'PRECONDITION_FAILED',
  ])
})

test('a resource outside contract or writ is refused, patterns and all', () => {
  const patch = (instrument: string): CasePatch => ({
    proposal: { params: { instrument } },
    facts: {
      state: {
        price: {
          path: `market.price.${instrument}`,
          value: '1',
          source: 'exchange',
          label: 'trusted',
          observed_at: '2026-03-02T10:00:00.000Z',
          version: '1',
        },
      },
    },
  })
  staged(patch('BTC-EUR'))
  refused(patch('DOGE-USD'), 'RESOURCE_SCOPE')
  const narrow = { scopes: [{ kind: 'BUY', resources: { instruments: ['ETH-USD'] } }] }
  refused({ ...patch('BTC-EUR'), writ: narrow }, 'RESOURCE_SCOPE')
  const expression = { contract: { permissions: { resources: { instruments: ['re:BTC-.*'] } } } }
  const open = { scopes: [{ kind: 'BUY' }] }
  refused({ ...patch('BTC-EUR'), ...expression, writ: open }, 'RESOURCE_SCOPE')
  const regex = (pattern: string, value: string): boolean =>
    pattern === 'BTC-.*' && value.startsWith('BTC-')
  staged({ ...patch('BTC-EUR'), ...expression, writ: open, regex })
})

test('a limit that a person may lift asks the parent agent, or an operator where there is none', () => {
  const limit = { id: 'size', measure: 'quantity', max: '1', on_breach: 'escalate' }
  const [trigger] = suspended(limits(limit), 'AUTHORITY_CEILING').triggers
  assert.deepEqual([trigger?.id, trigger?.channel], ['limit:size', 'operator'])
  const parent = { parent_agent: 'strategy_agent_01', permissions: { limits: [limit] } }
  const [asked] = suspended({ contract: parent }, 'AUTHORITY_CEILING').triggers
  assert.equal(asked?.channel, 'agent:strategy_agent_01')
})

test('a refusal outranks an escalation', () => {
  const lifted = { id: 'size', measure: 'quantity', max: '1', on_breach: 'escalate' }
  const hard = { id: 'value', measure: 'order_value_usd', max: '1' }
  const { trace } = refused(limits(lifted, hard), 'LIMIT_EXCEEDED')
  assert.deepEqual(
    trace.at(-1)?.triggers?.map(({ id, code }) => [id, code]),
    [['limit:size', 'AUTHORITY_CEILING']],
    'what a person would have been asked stands in the trace beside it',
  )
  assert.equal(refused(limits(hard), 'LIMIT_EXCEEDED').trace.at(-1)?.triggers, undefined)
})

test('a contract’s own word stands beside the kernel’s', () => {
  const limit = { id: 'size', measure: 'quantity', max: '1', reason_code: 'TOO_BIG' }
  const contract = {
    permissions: { limits: [limit] },
    reason_codes: { TOO_BIG: { kernel: 'LIMIT_EXCEEDED', summary: 'too big for the desk' } },
  }
  assert.equal(refused({ contract }, 'LIMIT_EXCEEDED').domain_code, 'TOO_BIG')
  const lifted = { permissions: { limits: [{ ...limit, on_breach: 'escalate' }] } }
  const verdict = suspended({ contract: { ...contract, ...lifted } }, 'LIMIT_EXCEEDED')
  assert.equal(verdict.domain_code, 'TOO_BIG')
})

test('at the drawdown limit only what reduces exposure passes, and reading does not', () => {
  staged(drawdown({ value: '3.999' }))
  refused(drawdown({ value: '4.0' }), 'DRAWDOWN_LIMIT')
  staged({ ...drawdown({ value: '4.0' }), description: { reducing: true } })
  refused({ ...drawdown({ value: '4.0' }), description: { effect: 'read' } }, 'DRAWDOWN_LIMIT')
})

test('a drawdown that is unknown is not a small one', () => {
  refused(drawdown(null), 'MEASURE_UNAVAILABLE')
  refused(drawdown({ value: 'deep' }), 'MEASURE_UNAVAILABLE')
  const unreadable = { safety_rules: { max_drawdown_limit_pct: 'little' } }
  refused({ contract: unreadable }, 'MEASURE_UNAVAILABLE')
  const none = { safety_rules: { max_drawdown_limit_pct: null } }
  staged({ ...drawdown(null), contract: none })
})

test('cost by parameters is counted together with what every call costs', () => {
  staged({ facts: { budgets: { volume: { used: '48' } } } })
  const facts = { budgets: { volume: { used: '48.000001' } } }
  const { details } = refused({ facts }, 'BUDGET_EXCEEDED_BY_PARAMS')
  assert.deepEqual(details.measures, ['volume'])
  const law = { cost: () => ({ usd: '9.99' }) }
  staged({ law })
  refused({ law: { cost: () => ({ usd: '9.990001' }) } }, 'BUDGET_EXCEEDED_BY_PARAMS')
})

test('a cost that cannot be computed is not a small one', () => {
  refused({ capability: 'cost_throws' }, 'MEASURE_UNAVAILABLE')
  refused({ capability: 'cost_unreadable' }, 'MEASURE_UNAVAILABLE')
})

test('the decision was made on this flow’s snapshot', () => {
  refused({ proposal: { context_ref: 'sha256:another' } }, 'STALE_CONTEXT')
  refused({ proposal: { context_ref: null } }, 'STALE_CONTEXT')
})

test('a snapshot is as old as the contract allows, and not a millisecond older', () => {
  staged({ facts: { flow: { snapshot_at: '2026-03-02T09:59:30.000Z' } } })
  refused({ facts: { flow: { snapshot_at: '2026-03-02T09:59:29.999Z' } } }, 'STALE_CONTEXT')
  refused({ facts: { flow: { snapshot_at: 'lately' } } }, 'STALE_CONTEXT')
  const contract = { jit_verification: { max_context_age_seconds: null } }
  staged({ contract, facts: { flow: { snapshot_at: '2026-03-02T09:45:00.000Z' } } })
  refused(
    { contract, facts: { flow: { snapshot_at: '2026-03-02T09:44:59.999Z' } } },
    'STALE_CONTEXT',
  )
})

test('a list of resources that leaves one out hides a conflict', () => {
  const both = [
    { id: 'position:ETH-USD', amount: '1' },
    { id: 'account:ACC-1', amount: '0.5' },
    { id: 'more', amount: 1 },
  ]
  staged({ proposal: { resources: both } })
  const { details } = refused({ proposal: { resources: both.slice(0, 1) } }, 'RESOURCES_MISMATCH')
  assert.deepEqual(details.missing, ['account:ACC-1'])
})

test('the intent names the resources in order, each as text', () => {
  const law = { resources: () => ['b', 'a', 'c', 'a'].map((id) => ({ id, amount: '1' })) }
  const { intent } = staged({ law })
  assert.deepEqual(
    intent.resources.map(({ id }) => id),
    ['a', 'b', 'c'],
  )
  const nameless = { resources: () => [{ id: 'a' }] } as unknown as Partial<CapabilityLaw>
  refused({ law: nameless }, 'MEASURE_UNAVAILABLE')
  refused({ capability: 'resources_throw' }, 'MEASURE_UNAVAILABLE')
})

test('a proposal carries the mission of the contract in force', () => {
  refused({ proposal: { mission_context_hash: 'sha256:another' } }, 'MISSION_DISSONANCE')
  const { details } = refused({ proposal: { mission_context_hash: null } }, 'STALE_CONTEXT')
  assert.deepEqual(details, { missing: ['mission_context_hash'] }, 'absent is not dissonant')
})

test('a capability that cannot act now says what is missing', () => {
  const facts = { world: { 'position/ETH-USD': { retracted: true } } }
  const { details } = refused({ facts }, 'PRECONDITION_FAILED')
  assert.deepEqual(details, { missing: 'the position is closed' })
  refused({ capability: 'precondition_fails' }, 'PRECONDITION_FAILED')
  staged({ facts: { world: { 'position/ETH-USD': null } } })
})

test('what a precondition says can always be recorded', () => {
  const half = `${'x'.repeat(LIMITS.wordsLength - 1)}\u{1f600}`
  const law: Partial<CapabilityLaw> = { precondition: () => half }
  const { missing } = refused({ law }, 'PRECONDITION_FAILED').details
  assert.ok(typeof missing === 'string' && missing.isWellFormed())
  assert.equal(missing.length, LIMITS.wordsLength)
})

test('a precondition that throws, or does not answer, does not hold', () => {
  refused({ capability: 'precondition_throws' }, 'PRECONDITION_FAILED')
  const law = { precondition: () => undefined } as unknown as Partial<CapabilityLaw>
  refused({ law }, 'PRECONDITION_FAILED')
})

test('everything that fails is reported, and the first by precedence names the verdict', () => {
  const patch: CasePatch = {
    capability: 'precondition_fails',
    proposal: {
      params: { quantity: '26' },
      context_ref: 'old',
      mission_context_hash: 'other',
      resources: [],
    },
  }
  assert.deepEqual(codesOf(patch), [
    'ORDER_VALUE_EXCEEDED',
    'STALE_CONTEXT',
    'RESOURCES_MISMATCH',
    'MISSION_DISSONANCE',
    'PRECONDITION_FAILED',
  ])
})

test('state limits read State, and a missing fact refuses', () => {
  const limit = { id: 'market', kind: 'state_match', field: 'market.state', expected: 'OPEN' }
  refused(limits(limit), 'MEASURE_UNAVAILABLE')
  const input = withCase(limits({ ...limit, field: 'market.price.ETH-USD', expected: 2000 }))
  assert.equal(compile(input).kind, 'staged')
})

test('a limit on every kind does not mean what changes nothing outside, one that names it does', () => {
  staged(reserved('RETIRE'))
  const limit = { id: 'size', measure: 'quantity', max: '1', applies_to: ['RETIRE'] }
  const permissions = { policy_kinds: ['RETIRE'], limits: [limit] }
  refused(reserved('RETIRE', { contract: { permissions } }), 'CONTRACT_UNANSWERED')
})

test('a compensation is chosen from the menu of a dirty flow, also by an agent in maintenance', () => {
  const saga = {
    dfid: 'flow-1',
    agent_id: AGENT,
    standing: 'open',
    related: true,
    menu: ['REVERT'],
    steps: [],
  }
  const chooses = (action: string, facts: JsonObject): CasePatch =>
    reserved('COMPENSATE', {
      proposal: { params: { dfid: 'flow-1', action } },
      facts: { agent: { maintenance: true }, ...facts },
    })
  staged(chooses('REVERT', { saga }))
  refused(chooses('CLOSE_ALL', { saga }), 'COMPENSATION_MENU')
  refused(chooses('REVERT', {}), 'COMPENSATION_FOREIGN')
})

test('a fact below operator is absent for measures, limits and drawdown, unless its path is widened', () => {
  const price = 'market.price.ETH-USD'
  for (const label of ['external', 'agent']) {
    const facts = { state: { [price]: { label } } }
    refused({ facts }, 'MEASURE_UNAVAILABLE')
    refused({ facts, description: { accepts: { 'accounts.*': 'agent' } } }, 'MEASURE_UNAVAILABLE')
    staged({ facts, description: { accepts: { 'market.*': 'agent' } } })
    staged({ facts, contract: { permissions: { accepts: { [price]: 'agent' } } } })
  }
  const claimed = { facts: { state: { [price]: { label: 'agent' } } } }
  refused({ ...claimed, description: { accepts: { '*': 'external' } } }, 'MEASURE_UNAVAILABLE')
  refused(drawdown({ label: 'agent' }), 'MEASURE_UNAVAILABLE')
  const open = { id: 'open', kind: 'state_match', field: 'accounts.settlement', expected: 'ACC-1' }
  const says = (label: string): CasePatch => ({
    ...limits(open),
    facts: { state: { 'accounts.settlement': { label } } },
  })
  const grounded = { description: { sinks: { '/account': null } } }
  staged({ ...says('operator'), ...grounded })
  refused({ ...says('external'), ...grounded }, 'MEASURE_UNAVAILABLE')
})

test('a policy does not see what ranks below', () => {
  const shy: Policy = {
    name: 'shy',
    version: '1',
    source: { kind: 'unpinned' },
    evaluate: ({ facts }) =>
      facts.state('accounts.settlement') === undefined
        ? { decision: { kind: 'deny', reason: 'is the market open?' } }
        : { decision: null },
  }
  const sinks = { '/account': null }
  staged({ policies: [shy] })
  const facts = { state: { 'accounts.settlement': { label: 'agent' } } }
  refused({ policies: [shy], facts, description: { sinks } }, 'POLICY_DENIED')
  const accepts = { 'accounts.*': 'agent' }
  staged({ policies: [shy], facts, description: { sinks, accepts } })
})

test('with EXECUTE_FULL a limit that would ask lets little through, and says so', () => {
  const size = { id: 'size', measure: 'quantity', max: '1', on_breach: 'escalate' }
  const exposure = { measure: 'order_value_usd', threshold: '4000' }
  const full = (limit: JsonObject, description: JsonObject): CasePatch => ({
    contract: { authority: 'EXECUTE_FULL', permissions: { limits: [limit] } },
    description: { reversible: true, risk: 'low', exposure, ...description },
  })
  const verdict = staged(full(size, {}))
  assert.deepEqual(
    verdict.flagged.map(({ id, code }) => [id, code]),
    [['limit:size', 'AUTHORITY_CEILING']],
  )
  const line = verdict.trace.find(({ stage }) => stage === 'preconditions')
  assert.deepEqual([line?.said, line?.flagged], ['pass', verdict.flagged])
  suspended(full(size, { exposure: { ...exposure, threshold: '3999' } }), 'AUTHORITY_CEILING')
  suspended(full(size, { risk: 'high' }), 'AUTHORITY_CEILING')
  refused(full({ ...size, on_breach: 'reject' }, {}), 'LIMIT_EXCEEDED')
  const limited = full(size, {})
  suspended({ ...limited, contract: { permissions: { limits: [size] } } }, 'AUTHORITY_CEILING')
  assert.deepEqual(staged({}).flagged, [])
})

test('with EXECUTE_FULL what a person has to approve is still asked for', () => {
  const safety_rules = { requires_human_approval: ['BUY'] }
  suspended({ contract: { authority: 'EXECUTE_FULL', safety_rules } }, 'HUMAN_APPROVAL_REQUIRED')
  suspended({ contract: { authority: 'EXECUTE_FULL' }, policy: 'asks' }, 'APPROVAL_REQUIRED')
})

test('an expression of a limit is matched by what matches expressions, and by nothing else', () => {
  const limit = { id: 'where', field: '/instrument', allowed: ['re:BTC-.*'] }
  const regex = (pattern: string, value: string): boolean =>
    pattern === 'BTC-.*' && value === withCase({}).proposal.params.instrument
  refused(limits(limit), 'MEASURE_UNAVAILABLE')
  staged({ ...limits(limit), regex })
  const denied = { id: 'where', field: '/instrument', denied: ['re:BTC-.*'] }
  refused({ ...limits(denied), regex }, 'LIMIT_EXCEEDED')
  staged({ ...limits(denied), regex: () => false })
})

test('what the capability answered is on record, and what it left out is not', () => {
  const answered = (patch: CasePatch): unknown => {
    const line = staged(patch).trace.find(({ stage }) => stage === 'preconditions')
    const { stage: _, read: __, said: ___, ...rest } = line ?? assert.fail('it was asked')
    return JSON.parse(JSON.stringify(rest))
  }
  const measures = { quantity: '2', order_value_usd: '4000' }
  const resources = [
    { id: 'account:ACC-1', amount: '2' },
    { id: 'position:ETH-USD', amount: '1' },
  ]
  const cost = { calls: '1', usd: '0.01', volume: '2' }
  assert.deepEqual(answered({}), { measures, cost, resources })
  const law = { cost: () => ({}), resources: () => [] }
  assert.deepEqual(answered({ law }), { measures })
})
