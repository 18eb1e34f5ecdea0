import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FLOW_STATES, type FlowState, OPEN_FLOW_STATES } from './flow.ts'
import { isPath, mayFollow } from './machine.ts'

const STATES: readonly FlowState[] = [
  'CREATED',
  'ACTIVE',
  'VALIDATING',
  'ACCEPTED',
  'EXECUTING',
  'ESCALATED',
  'CLOSED',
  'ABORTED',
]

/** As the protocol lists them. */
const ARROWS = [
  'CREATED ACTIVE ABORTED',
  'ACTIVE VALIDATING CLOSED ESCALATED ABORTED',
  'VALIDATING ACCEPTED ACTIVE ESCALATED ABORTED',
  'ESCALATED ACCEPTED VALIDATING ACTIVE EXECUTING CLOSED ABORTED',
  'ACCEPTED EXECUTING ACTIVE ESCALATED ABORTED',
  'EXECUTING CLOSED ACTIVE ESCALATED ABORTED',
  'CLOSED',
  'ABORTED',
]

test('a flow moves along the arrows of the protocol and along no other', () => {
  let pairs = 0
  for (const line of ARROWS) {
    const [from, ...to] = line.split(' ')
    for (const state of STATES) {
      assert.equal(mayFollow(from as FlowState, state), to.includes(state), `${from} ${state}`)
      pairs += 1
    }
  }
  assert.equal(pairs, STATES.length ** 2, 'every pair was asked')
})

test('a path is one when each of its steps is', () => {
  assert.ok(isPath('VALIDATING', ['ACCEPTED', 'EXECUTING', 'CLOSED']))
  assert.ok(isPath('CLOSED', []))
  assert.ok(!isPath('VALIDATING', ['EXECUTING', 'CLOSED']))
  assert.ok(!isPath('ACTIVE', ['CLOSED', 'ACTIVE']))
})

test('a flow is open while it may still go somewhere', () => {
  assert.deepEqual([...FLOW_STATES].sort(), [...STATES].sort())
  const mayGoOn = STATES.filter((from) => STATES.some((to) => mayFollow(from, to)))
  assert.deepEqual([...OPEN_FLOW_STATES].sort(), mayGoOn.sort())
})
