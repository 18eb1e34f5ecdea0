import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeySet } from 'rubicon-kernel'
import { createKept } from '../compact-records/parts.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import { type AuthorityCheck, createAuthorityCheck } from './verify-authority.ts'
import { createWrits, type Writs } from './writs.ts'

const DFID = 'flow-1'

function begun(): { readonly writs: Writs; readonly check: AuthorityCheck['check'] } {
  const writs = createWrits()
  const { check } = createAuthorityCheck(writs, createKeySet(), true, true, createKept())
  return { writs, check }
}

/** An entry of which the payload is not there, or cannot be read. */
function unread(kind: string, payloadText: string | null, more: object = {}): ReadEntry {
  const envelope = { kind, trajectory: 'main', seq: 1, at: '2026-02-01T09:00:00.000Z', ...more }
  return { leaf: 1, id: 'x', envelope, payloadText, payload: null } as unknown as ReadEntry
}

test('only an erased writ leaves its flow a writ that nobody can read', () => {
  const { writs, check } = begun()
  check(unread('rejection', null, { dfid: DFID }), 0)
  check(unread('writ', 'not JSON', { dfid: DFID }), 0)
  check(unread('writ', null), 0)
  assert.equal(writs.isErasedOf(DFID), false)
  check(unread('writ', null, { dfid: DFID }), 0)
  assert.equal(writs.isErasedOf(DFID), true)
})

test('what is wrong with the authority that a send cites is said', () => {
  const { check } = begun()
  const [problem, ...more] = check(unread('dispatch', null, { dfid: DFID, authority_seq: 1 }), 3)
  assert.deepEqual(more, [])
  assert.equal(problem?.code, 'AUTHORITY_ORDER')
  assert.match(problem?.detail ?? '', /authority/)
})
