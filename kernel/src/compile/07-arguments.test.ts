import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArgumentProblem } from '../execution/capability.ts'
import { refused, staged } from './expect.test-support.ts'

test('parameters that do not fit the schema are named', () => {
  const params = { quantity: 'much', colour: 'red' }
  const { details } = refused({ proposal: { params } }, 'ARGUMENTS_INVALID')
  assert.deepEqual(details.problems, [
    { path: '/colour', detail: 'is unknown' },
    { path: '/quantity', detail: 'is not decimal' },
  ])
})

test('of a long list of problems sixteen are named', () => {
  const validate = (): readonly ArgumentProblem[] =>
    Array.from({ length: 17 }, (_, index) => ({ path: `/${index}`, detail: 'is wrong' }))
  const { details } = refused({ law: { validate } }, 'ARGUMENTS_INVALID')
  assert.equal(Array.isArray(details.problems) && details.problems.length, 16)
})

test('a schema that cannot be evaluated fits nothing', () => {
  refused({ capability: 'validate_throws' }, 'ARGUMENTS_INVALID')
})

test('a parameter that steers the effect comes from the fact that it names', () => {
  refused({ proposal: { grounds: null } }, 'SINK_UNGROUNDED')
  refused({ proposal: { grounds: { '/account': null } } }, 'SINK_UNGROUNDED')
  refused({ proposal: { grounds: { '/account': 'accounts.nowhere' } } }, 'SINK_UNGROUNDED')
  const { details } = refused({ proposal: { params: { account: 'ACC-2' } } }, 'SINK_UNGROUNDED')
  assert.deepEqual(details, { parameter: '/account', ground: 'accounts.settlement' })
})

test('a ground is trusted enough, or it is no ground', () => {
  for (const label of ['trusted', 'operator'])
    staged({ facts: { state: { 'accounts.settlement': { label } } } })
  for (const label of ['external', 'agent']) {
    const facts = { state: { 'accounts.settlement': { label } } }
    refused({ facts }, 'SINK_UNGROUNDED')
    const accepts = { 'accounts.*': 'agent' }
    refused({ facts, description: { accepts } }, 'SINK_LABEL')
    refused({ facts, contract: { permissions: { accepts } } }, 'SINK_LABEL')
  }
})

test('a sink that is not given steers nothing', () => {
  staged({ law: { validate: () => [] }, proposal: { params: { account: null }, grounds: null } })
})

test('a sink inside an object is a sink too', () => {
  const nested = {
    description: { sinks: { '/account': null, '/payee/account': ['trusted'] } },
    law: { validate: () => [] },
  }
  const params = { payee: { account: 'ACC-1' } }
  refused({ ...nested, proposal: { params } }, 'SINK_UNGROUNDED')
  staged({
    ...nested,
    proposal: { params, grounds: { '/payee/account': 'accounts.settlement' } },
  })
  // What stands where an object was meant may say the same in other words.
  const blocked = refused(
    { ...nested, proposal: { params: { payee: 'ACC-2' } } },
    'SINK_UNGROUNDED',
  )
  assert.deepEqual(blocked.details, { parameter: '/payee/account', ground: null })
  staged({ ...nested, proposal: { params: { payee: { name: 'Ann' } } } })
})

/** Parameters are not those of the base case, and no schema of it is asked. */
const open = { law: { validate: () => [] } }

test('finding 3a: a member whose name looks like a path never hides the nested sink', () => {
  const twofold = {
    ...open,
    description: { sinks: { '/account': null, '/to/account': ['trusted'] } },
    proposal: {
      params: { to: { account: 'ATTACKER' }, 'to.account': 'ACC-1', '/to/account': 'ACC-1' },
      grounds: { '/to/account': 'accounts.settlement' },
    },
  }
  const { details } = refused(twofold, 'SINK_UNGROUNDED')
  assert.deepEqual(details, { parameter: '/to/account', ground: 'accounts.settlement' })
})

test('finding 3b: a sink inside an array is never left unchecked', () => {
  const sinks = { '/account': null, '/payments/*/account': ['trusted'] }
  const paying = (accounts: readonly string[], grounded: number) => ({
    ...open,
    description: { sinks },
    proposal: {
      params: { payments: accounts.map((account) => ({ account })) },
      grounds: Object.fromEntries(
        accounts
          .slice(0, grounded)
          .map((_, index) => [`/payments/${index}/account`, 'accounts.settlement']),
      ),
    },
  })
  staged(paying(['ACC-1', 'ACC-1'], 2))
  staged(paying([], 0))
  const second = { parameter: '/payments/1/account' }
  const missing = refused(paying(['ACC-1', 'ACC-1'], 1), 'SINK_UNGROUNDED')
  assert.deepEqual(missing.details, { ...second, ground: null })
  const other = refused(paying(['ACC-1', 'ATTACKER'], 2), 'SINK_UNGROUNDED')
  assert.deepEqual(other.details, { ...second, ground: 'accounts.settlement' })
  const shaped = { ...paying([], 0), proposal: { params: { payments: { 0: { account: 'X' } } } } }
  refused(shaped, 'SINK_UNGROUNDED')
})
