import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classContract } from './class-contract.test-support.ts'
import type { Contract, Limit } from './contract.ts'
import { isLimitListInside } from './limit-widening.ts'

const ofClass = classContract()

/** The class contract with one limit replaced (or removed), and perhaps other kinds. */
function holds(id: string, change: object | null, kinds?: readonly string[]): boolean {
  const { permissions } = ofClass
  const limits = permissions.limits.flatMap((limit): readonly Limit[] => {
    if (limit.id !== id) return [limit]
    return change === null ? [] : [{ ...limit, ...change } as Limit]
  })
  const child: Contract = {
    ...ofClass,
    permissions: { ...permissions, limits, policy_kinds: kinds ?? permissions.policy_kinds },
  }
  return isLimitListInside(child, ofClass)
}

function without(limit: string, ...members: readonly string[]): object {
  const found = ofClass.permissions.limits.find(({ id }) => id === limit)
  assert.ok(found !== undefined)
  return Object.fromEntries(members.map((name) => [name, undefined]))
}

test('the same limits bind as much, and a further one binds more', () => {
  assert.ok(isLimitListInside(ofClass, ofClass))
  const { permissions } = ofClass
  const further: Limit = {
    id: 'further',
    kind: 'range',
    measure: 'days',
    max: '1',
    on_breach: 'reject',
    reason_code: 'LIMIT_EXCEEDED',
  }
  const limits = [...permissions.limits, further]
  assert.ok(isLimitListInside({ ...ofClass, permissions: { ...permissions, limits } }, ofClass))
})

test('a limit may not be gone, unless it binds no kind that is left', () => {
  assert.equal(holds('value', null), false)
  assert.equal(holds('venue', null), false)
  assert.equal(holds('hold', null), false)
  assert.equal(holds('hold', null, ['BUY', 'SELL']), true)
  assert.equal(holds('value', null, ['HOLD']), true)
})

test('it still reaches every kind that is left', () => {
  assert.equal(holds('value', { applies_to: ['BUY'] }), false)
  assert.equal(holds('value', { applies_to: ['BUY'] }, ['BUY', 'HOLD']), true)
  assert.equal(holds('value', { applies_to: ['BUY', 'SELL', 'HOLD'] }), true)
  assert.equal(holds('value', without('value', 'applies_to')), true)
  assert.equal(holds('venue', { applies_to: ['BUY'] }), false)
})

test('finding 28a: a limit on a reserved kind is not lost by leaving its kinds out', () => {
  const parent = classContract({
    permissions: {
      policy_kinds: ['BUY', 'SPAWN_CHILD'],
      limits: [
        { id: 'child', field: '/agent', allowed: ['clerk'], applies_to: ['BUY', 'SPAWN_CHILD'] },
        { id: 'all', field: '/venue', allowed: ['x'] },
      ],
    },
    safety_rules: { requires_human_approval: [] },
    reason_codes: null,
  })
  const inside = (limits: readonly Limit[]): boolean =>
    isLimitListInside({ ...parent, permissions: { ...parent.permissions, limits } }, parent)
  const [child, all] = parent.permissions.limits as [Limit, Limit]
  const { applies_to: _, ...silent } = child
  assert.equal(inside([child, all]), true)
  assert.equal(inside([silent, all]), false)
  assert.equal(inside([child, { ...all, applies_to: ['BUY'] }]), true, 'it meant no reserved kind')
})

test('range: between the bounds of the class, on the same thing', () => {
  assert.equal(holds('value', { min: '11', max: '499.99' }), true)
  assert.equal(holds('value', { min: '9.99' }), false)
  assert.equal(holds('value', { max: '500.01' }), false)
  assert.equal(holds('value', without('value', 'min')), false)
  assert.equal(holds('value', without('value', 'max')), false)
  assert.equal(holds('value', { max: 'much' }), false)
  assert.equal(holds('value', { measure: 'value_eur' }), false)
  assert.equal(holds('value', { ...without('value', 'measure'), field: '/value_usd' }), false)
  assert.equal(holds('hold', { min: '1' }), true)
})

test('set: fewer allowed, more denied', () => {
  assert.equal(holds('venue', { allowed: ['xa', 'xb*'] }), true)
  assert.equal(holds('venue', { allowed: ['y'] }), false)
  assert.equal(holds('venue', without('venue', 'allowed')), false)
  assert.equal(holds('venue', { denied: ['xy*', 're:xz.*'] }), true)
  assert.equal(holds('venue', { denied: ['xy'] }), false)
  assert.equal(holds('venue', without('venue', 'denied')), false)
  assert.equal(holds('venue', { field: '/market' }), false)
  assert.equal(holds('desk', { allowed: ['day'] }), true)
  const { permissions } = ofClass
  const open = permissions.limits.map((one) => (one.id === 'venue' ? strip(one) : one))
  const parent = { ...ofClass, permissions: { ...permissions, limits: open } }
  assert.equal(isLimitListInside(ofClass, parent), true)
})

/** Without what it denies. */
function strip(limit: Limit): Limit {
  if (limit.kind !== 'set') return limit
  const { denied: _, ...rest } = limit
  return rest
}

test('state: the same value at the same place', () => {
  assert.equal(holds('open', { expected: 'closed' }), false)
  assert.equal(holds('open', { field: 'market.other' }), false)
})

test('ratio: no larger a share of the same thing', () => {
  assert.equal(holds('share', { max: '0.1' }), true)
  assert.equal(holds('share', { max: '0.3' }), false)
  assert.equal(holds('share', { measure: 'value_eur' }), false)
  assert.equal(holds('share', { of: 'fortune' }), false)
})

test('a limit of another kind is not comparable', () => {
  for (const { id, kind } of ofClass.permissions.limits) {
    const other = kind === 'range' ? 'ratio' : 'range'
    assert.equal(holds(id, { kind: other }), false, id)
  }
})

test('what the class refuses is not handed to a person; what it hands over may be refused', () => {
  const escalates = { on_breach: 'escalate', reason_code: 'AUTHORITY_CEILING' }
  assert.equal(holds('value', escalates), false)
  assert.equal(holds('share', { on_breach: 'reject', reason_code: 'LIMIT_EXCEEDED' }), true)
  assert.equal(holds('share', { reason_code: 'APPROVAL_REQUIRED' }), false)
  assert.equal(holds('value', { reason_code: 'ORDER_VALUE_EXCEEDED' }), true)
})

test('a limit of an unknown kind is a bug', () => {
  const [first, ...rest] = ofClass.permissions.limits
  const limits = [{ ...first, kind: 'other' } as unknown as Limit, ...rest]
  const parent = { ...ofClass, permissions: { ...ofClass.permissions, limits } }
  assert.throws(() => isLimitListInside(ofClass, parent), /unreachable/)
})
