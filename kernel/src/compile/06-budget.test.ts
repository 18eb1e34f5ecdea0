import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { findWindowShortage } from './06-budget.ts'
import { AGENT, type CasePatch, withCase } from './case.test-support.ts'
import { refused, staged } from './expect.test-support.ts'

test('the last call that a budget grants passes, the next does not', () => {
  staged({ facts: { budgets: { calls: { used: '99' } } } })
  const { details } = refused({ facts: { budgets: { calls: { used: '100' } } } }, 'BUDGET_EXCEEDED')
  assert.deepEqual(details, {
    measures: ['calls'],
    amounts: { calls: { asked: '1', left: '0', limit: '100', unit: 'calls' } },
  })
})

test('what every call costs is counted to the last unit', () => {
  staged({ facts: { budgets: { usd: { used: '9.99' } } } })
  staged({ facts: { budgets: { usd: { used: '9.990000' } } } })
  refused({ facts: { budgets: { usd: { used: '9.990001' } } } }, 'BUDGET_EXCEEDED')
})

test('a measure that is past its grant refuses what costs nothing of it', () => {
  const [leaf] = withCase({}).writs
  const row = (measure: string, used: string) => ({
    writ: leaf?.id ?? '',
    measure,
    granted: '10000',
    used,
  })
  const own = [row('calls', '0'), row('usd', '0'), row('volume', '0')]
  staged({ facts: { budgets: [...own, row('tokens', '10000')] } })
  const spent = { facts: { budgets: [...own, row('tokens', '10001')] } }
  assert.deepEqual(refused(spent, 'BUDGET_EXCEEDED').details, {
    measures: ['tokens'],
    amounts: { tokens: { asked: '0', left: '0', limit: '10000', unit: 'tokens' } },
  })
  const others = { ...row('tokens', '10001'), writ: 'sha256:another' }
  staged({ facts: { budgets: [...own, others] } })
})

const amountsOf = (patch: CasePatch, code: 'BUDGET_EXCEEDED' | 'BUDGET_EXCEEDED_BY_PARAMS') =>
  refused(patch, code).details.amounts

test('finding 30b: BUDGET_EXCEEDED says neither what was asked nor what is left', () => {
  const almost = { facts: { budgets: { usd: { used: '9.995' } } } }
  assert.deepEqual(amountsOf(almost, 'BUDGET_EXCEEDED'), {
    usd: { asked: '0.01', left: '0.005', limit: '10', unit: 'USD' },
  })
  const unnamed = { description: { cost: { wall_ms: '7' } } }
  assert.deepEqual(amountsOf(unnamed, 'BUDGET_EXCEEDED'), {
    wall_ms: { asked: '7', left: '0', limit: '0', unit: 'ms' },
  })
  const uncountable = { facts: { budgets: { calls: { granted: 'plenty' } } } }
  assert.deepEqual(amountsOf(uncountable, 'BUDGET_EXCEEDED'), {
    calls: { asked: '1', left: null, limit: null, unit: 'calls' },
  })
  assert.deepEqual(amountsOf(windowed(null), 'BUDGET_EXCEEDED'), {
    calls: { asked: '1', left: null, limit: '10', unit: 'calls' },
    usd: { asked: '0.01', left: null, limit: '1', unit: 'USD' },
  })
})

test('finding 30b: a call that its parameters make too dear says no amounts', () => {
  const { details } = refused(
    { facts: { budgets: { volume: { used: '49' } } } },
    'BUDGET_EXCEEDED_BY_PARAMS',
  )
  assert.deepEqual(details.amounts, {
    volume: { asked: '2', left: '1', limit: '50', unit: 'volume' },
  })
})

test('a measure that the writ does not name is granted nothing', () => {
  refused({ description: { cost: { tokens: '1' } } }, 'BUDGET_EXCEEDED')
  staged({ description: { cost: { tokens: '0' } } })
})

test('a cost or a budget that cannot be counted covers nothing', () => {
  refused({ description: { cost: { usd: 'a little' } } }, 'BUDGET_EXCEEDED')
  refused({ description: { cost: { calls: '0.5' } } }, 'BUDGET_EXCEEDED')
  refused({ facts: { budgets: { calls: { granted: 'plenty' } } } }, 'BUDGET_EXCEEDED')
})

test('what an ancestor still has is not the leaf’s', () => {
  const child = { budget: { calls: '1', usd: '1', volume: '5' } }
  const [leaf, root] = withCase({ writs: [child, {}] }).writs
  assert.ok(leaf !== undefined && root !== undefined)
  const measures = { calls: '1', usd: '1', volume: '5' }
  const spent = Object.entries(measures).map(([measure, granted]) => ({
    writ: leaf.id,
    measure,
    granted,
    used: granted,
  }))
  const rich = Object.keys(measures).map((measure) => ({
    writ: root.id,
    measure,
    granted: '1000000',
    used: '0',
  }))
  refused({ writs: [child, {}], facts: { budgets: [...spent, ...rich] } }, 'BUDGET_EXCEEDED')
  refused({ writs: [child, {}], facts: { budgets: rich } }, 'BUDGET_EXCEEDED')
})

test('where a measure has two rows, each must hold', () => {
  const [leaf] = withCase({}).writs
  const row = (measure: string, used: string) => ({
    writ: leaf?.id ?? '',
    measure,
    granted: '10',
    used,
  })
  const rows = [row('usd', '0'), row('volume', '0'), row('calls', '10')]
  refused({ facts: { budgets: [...rows, row('calls', '0')] } }, 'BUDGET_EXCEEDED')
})

const rule = { window_s: '3600', calls: '10', usd: '1' }
const windowed = (used: Record<string, string> | null): CasePatch => ({
  contract: { safety_rules: { budget_per_agent: rule } },
  facts: { agent_window: used === null ? null : { from: '2026-03-02T10:00:00.000Z', used } },
})

test('what the agent may spend in a window is counted over all its flows', () => {
  staged(windowed({ calls: '9', usd: '0' }))
  const { details } = refused(windowed({ calls: '10', usd: '0' }), 'BUDGET_EXCEEDED')
  assert.deepEqual(details, {
    measures: ['calls'],
    amounts: { calls: { asked: '1', left: '0', limit: '10', unit: 'calls' } },
    window: {
      of: AGENT,
      window_s: 3600,
      from: '2026-03-02T10:00:00.000Z',
      until: '2026-03-02T11:00:00.000Z',
      limit: { calls: '10' },
      used: { calls: '10' },
    },
  })
  refused(windowed({ calls: '0', usd: '1.000001' }), 'BUDGET_EXCEEDED')
})

test('a window that nobody has counted is spent', () => {
  refused(windowed(null), 'BUDGET_EXCEEDED')
  refused(windowed({ calls: '0' }), 'BUDGET_EXCEEDED')
})

test('an instance spends from the window of its class', () => {
  const contract = { instance_of: 'traders', safety_rules: { budget_per_agent: rule } }
  const facts = { agent_window: null }
  const { details } = refused({ contract, facts }, 'BUDGET_EXCEEDED')
  assert.deepEqual((details.window as JsonObject).of, 'traders')
})

test('a window bounds also what a call costs nothing of, and nobody without a contract', () => {
  const tokens = { window_s: '3600', tokens: '5' }
  const spent = (used: string): CasePatch => ({
    contract: { safety_rules: { budget_per_agent: tokens } },
    facts: { agent_window: { from: '2026-03-02T10:00:00.000Z', used: { tokens: used } } },
  })
  staged(spent('5'))
  refused(spent('6'), 'BUDGET_EXCEEDED')
  assert.equal(findWindowShortage({ ...withCase({}), contract: null }, { calls: '1' }), null)
})

test('what a call costs by its parameters counts against the window as well', () => {
  const volume = { window_s: '3600', volume: '50' }
  const used = (amount: string): CasePatch => ({
    contract: { safety_rules: { budget_per_agent: volume } },
    facts: { agent_window: { from: '2026-03-02T10:00:00.000Z', used: { volume: amount } } },
  })
  staged(used('48'))
  const { details } = refused(used('48.000001'), 'BUDGET_EXCEEDED_BY_PARAMS')
  assert.deepEqual(details.measures, ['volume'])
})
