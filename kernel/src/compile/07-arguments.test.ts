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
  refused({ proposal: { grounds: { account: null } } }, 'SINK_UNGROUNDED')
  refused({ proposal: { grounds: { account: 'accounts.nowhere' } } }, 'SINK_UNGROUNDED')
  const { details } = refused({ proposal: { params: { account: 'ACC-2' } } }, 'SINK_UNGROUNDED')
  assert.deepEqual(details, { parameter: 'account', ground: 'accounts.settlement' })
})

test('a ground is trusted enough, or it is no ground', () => {
  for (const label of ['trusted', 'operator'])
    staged({ facts: { state: { 'accounts.settlement': { label } } } })
  for (const label of ['external', 'agent'])
    refused({ facts: { state: { 'accounts.settlement': { label } } } }, 'SINK_LABEL')
})

test('a sink that is not given steers nothing', () => {
  staged({ law: { validate: () => [] }, proposal: { params: { account: null }, grounds: null } })
})

test('a sink inside an object is a sink too', () => {
  const nested = {
    description: { sinks: { 'payee.account': ['trusted'] } },
    law: { validate: () => [] },
  }
  const params = { payee: { account: 'ACC-1' } }
  refused({ ...nested, proposal: { params } }, 'SINK_UNGROUNDED')
  staged({
    ...nested,
    proposal: { params, grounds: { 'payee.account': 'accounts.settlement' } },
  })
  // A parameter may have a dot in its own name.
  refused({ ...nested, proposal: { params: { 'payee.account': 'ACC-1' } } }, 'SINK_UNGROUNDED')
})
