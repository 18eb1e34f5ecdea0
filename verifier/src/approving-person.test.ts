import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApprovalPayload, NO_PERSONS } from 'rubicon-kernel'
import { personProblems } from './approving-person.ts'
import type { PeopleAtPlace } from './people-at-place.ts'

test('in a bundle a key may be that of whoever decides, where nobody says whose it is', () => {
  const people = { whole: false, persons: () => NO_PERSONS } as unknown as PeopleAtPlace
  const approved = { request: { approvers: [] }, approved: [], logins: [] }
  const payload = {
    body: { person: 'p_ann', approver: 'ann' },
    vouched_by: 'approver',
    signature: { key_id: 'approver-1', sig: '' },
  }
  type Approved = Parameters<typeof personProblems>[1]
  const known = approved as unknown as Approved
  assert.deepEqual(personProblems(people, known, payload as unknown as ApprovalPayload, null), [])
})
