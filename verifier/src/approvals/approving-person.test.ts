import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApprovalPayload, type Impact, NO_PERSONS } from 'rubicon-kernel'
import type { PeopleAtPlace } from '../authority/people-at-place.ts'
import { findPersonProblems } from './approving-person.ts'

test('in a bundle a key may be that of whoever decides, where nobody says whose it is', () => {
  const people = { whole: false, persons: () => NO_PERSONS } as unknown as PeopleAtPlace
  const approved = { request: { approvers: [] }, approved: [], logins: [] }
  const payload = {
    body: { person: 'p_ann', approver: 'ann' },
    vouched_by: 'approver',
    signature: { key_id: 'approver-1', sig: '' },
  }
  type Approved = Parameters<typeof findPersonProblems>[1]
  const known = approved as unknown as Approved
  assert.deepEqual(
    findPersonProblems(people, known, payload as unknown as ApprovalPayload, null),
    [],
  )
})

/** Ann and Bob, who answers for the agent, are known, and nobody has approved yet. */
function registered({ whole = true, self_approval = 'never' } = {}): {
  readonly approved: string[]
  readonly decide: (person: string, impact: Impact | null, said?: object) => string[]
} {
  const ids = new Map(['p_ann', 'p_bob'].map((id) => [id, id]))
  const persons = { ...NO_PERSONS, ids }
  const people = { whole, persons: () => persons } as unknown as PeopleAtPlace
  const request = { approvers: [], persons: { owner: 'p_bob', approvers: [] }, self_approval }
  const known = { request, approved: [] as string[], logins: [] }
  return {
    approved: known.approved,
    decide: (person, impact, said = {}) => {
      const signature = { key_id: 'approver-1', sig: '' }
      const body = { person, approver: person }
      const payload = { body, vouched_by: 'token', signature, ...said }
      return findPersonProblems(
        people,
        known as unknown as Parameters<typeof findPersonProblems>[1],
        payload as unknown as ApprovalPayload,
        impact,
      )
    },
  }
}

test('whoever is not registered decides nothing, where all entries are here', () => {
  const { decide, approved } = registered()
  assert.deepEqual(decide('p_eve', 'LOW_IMPACT'), ['the person who decides is not registered'])
  assert.deepEqual(approved, [])
})

test('who lets nothing run has approved nothing, and may approve later', () => {
  const { decide, approved } = registered()
  assert.deepEqual(decide('p_ann', null), [])
  assert.deepEqual(approved, [])
  assert.deepEqual(decide('p_ann', 'LOW_IMPACT'), [])
  assert.deepEqual(approved, ['p_ann'])
})

test('an approval is called one’s own only where that is so, or where a bundle cannot say', () => {
  const own = { self_approval: 'allowed' }
  const called = (whole: boolean, person: string, impact: Impact): string[] =>
    registered({ whole, ...own }).decide(person, impact, own)
  const notSelf = ['it says that its approver answers for the agent']
  for (const whole of [true, false]) {
    assert.deepEqual(called(whole, 'p_bob', 'HIGH_IMPACT'), [])
    assert.deepEqual(called(whole, 'p_ann', 'LOW_IMPACT'), notSelf)
    assert.deepEqual(called(whole, 'p_ann', 'HIGH_IMPACT'), whole ? notSelf : [])
  }
})
