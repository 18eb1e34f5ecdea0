import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLeftovers, type Leftovers } from './leftovers.ts'

const NOTHING: Leftovers = { executions: [], flows: new Map(), locks: [], noted: [] }

function found(left: Partial<Leftovers>): readonly string[] {
  const invariants: string[] = []
  auditLeftovers((invariant) => void invariants.push(invariant), { ...NOTHING, ...left })
  return invariants
}

test('what is neither settled nor with a person is found (I7)', () => {
  for (const status of ['SUCCESS', 'FAILED', 'ABANDONED', 'MANUAL_REVIEW'])
    assert.deepEqual(found({ executions: [{ dfid: 'a', step_id: 's', status }] }), [], status)
  for (const status of ['ACCEPTED', 'DISPATCHED', 'UNKNOWN', 'NOT_APPLIED'])
    assert.deepEqual(found({ executions: [{ dfid: 'a', step_id: 's', status }] }), ['I7'], status)
})

test('a hold is left only to what a person looks at (I7)', () => {
  const locks = [{ resource: 'till', holder: 'a:s' }]
  const held = (status: string): readonly string[] =>
    found({ locks, executions: [{ dfid: 'a', step_id: 's', status }] })
  assert.deepEqual(held('MANUAL_REVIEW'), [])
  assert.deepEqual(held('SUCCESS'), ['I7'])
  assert.deepEqual(found({ locks }), ['I7'])
})

test('notes are left only to flows that are open (I7)', () => {
  const noted = ['a']
  assert.deepEqual(found({ noted, flows: new Map([['a', { state: 'ACTIVE' }]]) }), [])
  for (const state of ['CLOSED', 'ABORTED'])
    assert.deepEqual(found({ noted, flows: new Map([['a', { state }]]) }), ['I7'], state)
})
