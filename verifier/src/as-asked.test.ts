import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOT, DECIDED, found, ORDER, REQUESTED } from './sample-approvals.test-support.ts'

test('AUTHORITY_ORDER: a request asks about other triggers than its trace has, or waits too long', async () => {
  const auth = { kind: 'session', agent_id: BOT.subject, key: null } as const
  const spoken = { asked: auth, ran: auth }
  assert.deepEqual(await found(spoken), [])
  for (const triggers of [
    [{ id: 'kind' }, { id: 'authority' }],
    [{ id: 'kind', channel: 'finance' }],
  ]) {
    const request = { triggers }
    assert.deepEqual(await found({ ...spoken, request }), [ORDER(REQUESTED + 1)])
  }
  const late = { request: { expires_at: '2026-02-01T10:30:00.000Z' } }
  assert.deepEqual(await found(late), [ORDER(REQUESTED)])
})

test('AUTHORITY_ORDER: an approval lifts what was not asked, or holds too long', async () => {
  const lifts = ['kind', 'authority']
  assert.deepEqual(await found({ body: { lifts }, approval: { lifts } }), [ORDER(DECIDED)])
  const body = { valid_until: '2026-02-02T09:50:00.000Z' }
  assert.deepEqual(await found({ body }), [ORDER(DECIDED)])
})
