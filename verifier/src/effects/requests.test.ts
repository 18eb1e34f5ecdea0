import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PayloadOf } from 'rubicon-kernel'
import { createCapabilities } from './capabilities.ts'
import { createRequests } from './requests.ts'

const AT = '2026-02-01T09:00:00.000Z'
const READ = '2026-02-01T09:00:10.000Z'

test('every modification is read before it is decided, until the request is', () => {
  const requests = createRequests(createCapabilities())
  const weighed = { impact: 'HIGH_IMPACT', impact_reasons: ['unusual'] }
  const times = { requested_at: AT, not_before: READ, expires_at: '2026-02-01T10:00:00.000Z' }
  const request = { id: 'r:1', ...weighed, ...times }
  const ask = { request } as unknown as PayloadOf['pending_approval']
  const answer = (not_before: string, releases: string | null): readonly string[] => {
    const body = { request_id: 'r:1', decision: 'MODIFY' }
    const payload = { body, releases, modification: { ...weighed, not_before } }
    return requests.answer(payload as unknown as PayloadOf['approval'], AT)
  }
  const hasty = ['it may be approved before there is time to read it']
  assert.deepEqual(requests.ask(ask, AT), [])
  assert.deepEqual(answer(AT, null), hasty)
  assert.deepEqual(answer(AT, null), hasty, 'one of several decided')
  assert.deepEqual(answer(READ, 'it'), [])
  assert.deepEqual(answer(AT, null), [], 'that it was decided before is found elsewhere')
})
