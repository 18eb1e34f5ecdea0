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

/** Ann and Bob are known, all entries are here, and nobody has approved yet. */
function registered(): {
  readonly approved: string[]
  readonly decide: (person: string, impact: Impact | null) => string[]
} {
  const ids = new Map(['p_ann', 'p_bob'].map((id) => [id, id]))
  const persons = { ...NO_PERSONS, ids }
  const people = { whole: true, persons: () => persons } as unknown as PeopleAtPlace
  const request = { approvers: [], persons: { owner: 'p_bob', approvers: [] } }
  const known = { request, approved: [] as string[], logins: [] }
  return {
    approved: known.approved,
    decide: (person, impact) => {
      const signature = { key_id: 'approver-1', sig: '' }
      const payload = { body: { person, approver: person }, vouched_by: 'token', signature }
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
