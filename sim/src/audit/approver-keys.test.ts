import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApprovalPayload, KeyPayload } from 'rubicon-kernel'
import { AuditedApproverKeys } from './approver-keys.ts'

type Action = 'add' | 'retire' | 'compromise'

function createKeys(): {
  readonly record: (action: Action, key_id: string, subject: string, purpose?: string) => void
  readonly isFound: (approver: string, key_id?: string) => boolean
} {
  const keys = new AuditedApproverKeys()
  return {
    record: (action, key_id, subject, purpose = 'approver') =>
      keys.add({ body: { action, key_id, purpose, subject } } as unknown as KeyPayload),
    isFound: (approver, key_id) => {
      const body = { approver, person: 'p_1' }
      const vouched_by = key_id === undefined ? 'operator' : 'approver'
      const payload = { body, vouched_by, signature: { key_id, sig: '' } }
      return keys.findProblem(payload as unknown as ApprovalPayload) !== null
    },
  }
}

test('until somebody has a key for approving everybody is vouched for, and afterwards whoever has one', () => {
  const { record, isFound } = createKeys()
  record('add', 'agent-1', 'bot', 'agent')
  assert.ok(!isFound('bob@example.com'))
  record('add', 'approver-1', 'ann@example.com')
  assert.ok(isFound('bob@example.com'))
  assert.ok(!isFound('Ann.Lee@example.com'), 'it is the same human')
  record('add', 'approver-2', 'ann.lee@example.com')
  record('retire', 'approver-1', 'ann@example.com')
  assert.ok(!isFound('ann@example.com'))
  record('compromise', 'approver-2', 'ann.lee@example.com')
  assert.ok(isFound('ann@example.com'))
  assert.ok(isFound('bob@example.com'), 'that all have ended lets nobody decide')
})

test('whoever signs does so with a key of theirs that is in use', () => {
  const { record, isFound } = createKeys()
  record('add', 'approver-1', 'ann@example.com')
  assert.ok(!isFound('ann.lee@example.com', 'approver-1'))
  assert.ok(isFound('bob@example.com', 'approver-1'))
  record('retire', 'approver-1', 'ann@example.com')
  assert.ok(isFound('ann@example.com', 'approver-1'))
})

test('an agent and the runtime need no key of a person', () => {
  const keys = new AuditedApproverKeys()
  keys.add({
    body: { action: 'add', key_id: 'approver-1', purpose: 'approver', subject: 'ann' },
  } as unknown as KeyPayload)
  const body = { approver: 'agent:lead' }
  const payload = { body, vouched_by: 'kernel', signature: { key_id: 'kernel-1', sig: '' } }
  assert.equal(keys.findProblem(payload as unknown as ApprovalPayload), null)
})
