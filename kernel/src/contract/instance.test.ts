import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { classContract } from './class-contract.test-support.ts'
import type { Contract } from './contract.ts'
import { buildInstanceContract, type InstanceProblem } from './instance.ts'

const ofClass = classContract()

function made(narrowing?: JsonObject, parent_agent?: string): Contract {
  const result = instance(narrowing, parent_agent)
  assert.ok(result.ok, result.ok ? '' : JSON.stringify(result.error))
  return result.value
}

function refused(narrowing: JsonObject, parent_agent?: string): InstanceProblem {
  const result = instance(narrowing, parent_agent)
  assert.ok(!result.ok)
  return result.error
}

function instance(narrowing?: JsonObject, parent_agent?: string) {
  return buildInstanceContract(ofClass, {
    agent_id: 'position_42',
    ...(narrowing === undefined ? {} : { narrowing }),
    ...(parent_agent === undefined ? {} : { parent_agent }),
  })
}

test('without a narrowing an instance has the contract of its class, under its own name', () => {
  const contract = made()
  assert.deepEqual(contract, {
    ...ofClass,
    agent_id: 'position_42',
    instance_of: 'position_manager',
  })
})

test('a narrowing replaces what it names', () => {
  const { permissions, effective_until } = made({
    effective_until: '2026-06-01',
    permissions: { resources: { instruments: ['ETH-USD'] } },
  })
  assert.equal(effective_until, '2026-06-01T00:00:00.000Z')
  assert.deepEqual({ ...permissions.resources }, { instruments: ['ETH-USD'] })
  assert.deepEqual(permissions.policy_kinds, ofClass.permissions.policy_kinds)
})

test('rules about some kinds follow the kinds that are left', () => {
  const some = (applies_to: readonly string[]): JsonObject => ({ allow: ['a'], applies_to })
  const bound = { price_pct: { max: '2', applies_to: ['SELL'] }, held: 'strict' }
  const parent = classContract({
    permissions: { resources: { desks: some(['BUY', 'SELL']), books: some(['SELL']) } },
    jit_verification: { drift_envelope: { ...bound, position_state: null } },
  })
  const narrowing = { permissions: { policy_kinds: ['BUY'] } }
  const result = buildInstanceContract(parent, { agent_id: 'position_42', narrowing })
  assert.ok(result.ok, result.ok ? '' : JSON.stringify(result.error))
  const { permissions, jit_verification } = result.value
  assert.deepEqual(permissions.resources.desks, some(['BUY']))
  assert.equal(permissions.resources.books, undefined)
  assert.deepEqual({ ...jit_verification.drift_envelope }, { held: 'strict' })
})

test('limits follow the kinds that are left', () => {
  const { limits } = made({ permissions: { policy_kinds: ['BUY'] } }).permissions
  assert.deepEqual(
    limits.map(({ id, applies_to }) => [id, applies_to]),
    [
      ['value', ['BUY']],
      ['venue', undefined],
      ['desk', undefined],
      ['open', undefined],
      ['share', undefined],
    ],
  )
})

test('an instance may answer to its class', () => {
  assert.equal(made().parent_agent, 'strategy_agent')
  assert.equal(made({}, 'position_manager').parent_agent, 'position_manager')
  assert.deepEqual(refused({}, 'generous_agent'), {
    code: 'INSTANCE_WIDENS',
    dimensions: ['parent_agent'],
  })
})

test('what goes beyond the class is refused by its dimensions', () => {
  const narrowing = {
    authority: 'EXECUTE_FULL',
    permissions: { resources: { instruments: ['DOGE-USD'] } },
  }
  assert.deepEqual(refused(narrowing), {
    code: 'INSTANCE_WIDENS',
    dimensions: ['authority', 'permissions.resources'],
  })
})

test('what is no contract is refused by its problems', () => {
  const problem = refused({ permissions: { policy_kinds: 'ALL' }, mission: null })
  assert.ok(problem.code === 'CONTRACT_INVALID')
  assert.deepEqual(
    problem.problems.map(({ path }) => path.join('.')),
    [
      'mission',
      'permissions.policy_kinds',
      'permissions.limits.0.applies_to.0',
      'permissions.limits.0.applies_to.1',
      'permissions.limits.5.applies_to.0',
    ],
  )
  assert.equal(refused({ permissions: [] }).code, 'CONTRACT_INVALID')
})

test('who it is, is not for the narrowing to say', () => {
  for (const name of [
    'agent_id',
    'version',
    'instance_of',
    'parent_agent',
    'api_version',
    'kind',
  ]) {
    const problem = refused({ [name]: 'other' })
    assert.ok(problem.code === 'CONTRACT_INVALID')
    assert.deepEqual(problem.problems, [{ path: [name], detail: 'is not for an instance to say' }])
  }
})

test('an expression that nobody compiled is not admitted with an instance', () => {
  const desk = { id: 'desk_of', field: '/desk', denied: ['re:(a+)+$'] }
  const limits = [...ofClass.permissions.limits, { ...desk, kind: 'set' }]
  const problem = refused({ permissions: { limits: limits as unknown as JsonObject[] } })
  assert.ok(problem.code === 'CONTRACT_INVALID')
  assert.deepEqual(problem.problems, [
    { path: ['permissions'], detail: '`re:(a+)+$` is not an expression of the class' },
  ])
})
