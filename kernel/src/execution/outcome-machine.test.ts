import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXECUTION_STATUSES, type ExecutionStatus } from './outcome.ts'
import { isSettled, mayBecome } from './outcome-machine.ts'

const ALL: readonly ExecutionStatus[] = [
  'ACCEPTED',
  'DISPATCHED',
  'SUCCESS',
  'FAILED',
  'UNKNOWN',
  'NOT_APPLIED',
  'MANUAL_REVIEW',
  'ABANDONED',
]
const next = (from: ExecutionStatus): readonly ExecutionStatus[] =>
  ALL.filter((to) => mayBecome(from, to))

test('what may follow what, all pairs', () => {
  const pairs = ALL.flatMap((from) => next(from).map((to) => `${from} → ${to}`))
  assert.deepEqual(pairs, [
    'ACCEPTED → DISPATCHED',
    'ACCEPTED → ABANDONED',
    'DISPATCHED → SUCCESS',
    'DISPATCHED → FAILED',
    'DISPATCHED → UNKNOWN',
    'DISPATCHED → NOT_APPLIED',
    'DISPATCHED → MANUAL_REVIEW',
    'UNKNOWN → DISPATCHED',
    'UNKNOWN → SUCCESS',
    'UNKNOWN → FAILED',
    'UNKNOWN → NOT_APPLIED',
    'UNKNOWN → MANUAL_REVIEW',
    'NOT_APPLIED → DISPATCHED',
    'NOT_APPLIED → FAILED',
    'MANUAL_REVIEW → SUCCESS',
    'MANUAL_REVIEW → FAILED',
    'MANUAL_REVIEW → ABANDONED',
  ])
})

test('what was accepted and not sent has no outcome: it is dispatched, or given back', () => {
  assert.deepEqual(next('ACCEPTED'), ['DISPATCHED', 'ABANDONED'])
  assert.ok(ALL.every((from) => !mayBecome(from, 'ACCEPTED')))
})

test('what is settled stays as it is', () => {
  assert.deepEqual(ALL.filter(isSettled), ['SUCCESS', 'FAILED', 'ABANDONED'])
  for (const status of ALL.filter(isSettled)) assert.deepEqual(next(status), [])
})

test('a person settles what is under review, and nothing sends it again', () => {
  assert.deepEqual(next('MANUAL_REVIEW'), ['SUCCESS', 'FAILED', 'ABANDONED'])
})

test('what was not applied is sent again or given up', () => {
  assert.deepEqual(next('NOT_APPLIED'), ['DISPATCHED', 'FAILED'])
})

test('an unknown outcome is never abandoned without a person', () => {
  assert.ok(!mayBecome('UNKNOWN', 'ABANDONED') && !mayBecome('DISPATCHED', 'ABANDONED'))
})

test('every status has its place among those that want attention', () => {
  assert.deepEqual([...EXECUTION_STATUSES].sort(), [...ALL].sort())
  assert.equal(EXECUTION_STATUSES[0], 'MANUAL_REVIEW')
})
