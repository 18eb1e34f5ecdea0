import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRecord } from 'rubicon-agents/client'
import { listAgentDeeds, listKeyDeeds } from './agent-items.ts'

const KEY: KeyRecord = {
  key_id: 'agent-1',
  purpose: 'agent',
  subject: 'buyer',
  public_key: '',
  added_seq: 1,
  in_use: true,
}

test('each agent can be suspended and have a limit changed', () => {
  const hrefs = listAgentDeeds(['a b']).map((item) => ('href' in item ? item.href : ''))
  assert.deepEqual(hrefs, ['/agents/a%20b?do=suspend', '/agents/a%20b?view=change&do=limit'])
})

test('keys that count, and that a token may end, can be rotated', () => {
  const retired = { ...KEY, in_use: false }
  const kernel: KeyRecord = { ...KEY, purpose: 'kernel' }
  const [one, ...others] = listKeyDeeds([KEY, retired, kernel])
  assert.equal(one?.label, 'Rotate the key of buyer…')
  assert.deepEqual(others, [])
})
