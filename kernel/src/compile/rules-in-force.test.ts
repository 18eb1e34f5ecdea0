import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRulesRefusal } from './rules-in-force.ts'

const HELD = { rules_hash: 'sha256:r', capability: { kind: 'BUY', hash: 'sha256:c' } } as const
const COUNTING = { rules: ['sha256:q', 'sha256:r'], capability: ['sha256:c'] }

test('rules and capability of a process count only where they are recorded', () => {
  assert.equal(findRulesRefusal({ ...HELD, in_force: COUNTING }), null)
  const others = { ...COUNTING, rules: ['sha256:q'] }
  assert.deepEqual(findRulesRefusal({ ...HELD, in_force: others }), {
    code: 'RULES_NOT_IN_FORCE',
    details: { held: 'sha256:r', in_force: ['sha256:q'] },
  })
  const changed = { ...COUNTING, capability: ['sha256:d'] }
  assert.deepEqual(findRulesRefusal({ ...HELD, in_force: changed }), {
    code: 'RULES_NOT_IN_FORCE',
    details: { capability: 'BUY', held: 'sha256:c', in_force: ['sha256:d'] },
  })
})

test('of a kind that nobody holds there is no capability that could count', () => {
  const in_force = { ...COUNTING, capability: [] }
  assert.equal(findRulesRefusal({ ...HELD, capability: null, in_force }), null)
})
