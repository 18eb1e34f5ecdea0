import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract } from 'rubicon-kernel'
import { createWindows } from './windows.ts'

const AT = '2026-02-01T09:00:00.000Z'
const contract = {
  agent_id: 'bot',
  safety_rules: { budget_per_agent: { window_s: '60', calls: '2' } },
} as unknown as Contract

test('what was reserved and not spent can be taken again in its window', () => {
  const windows = createWindows()
  const over = ['more `calls` is taken than its agent has in the window']
  assert.deepEqual(windows.reserve(contract, AT, { calls: '2' }), [])
  windows.release(contract, AT, { calls: '2' }, { calls: '1' })
  assert.deepEqual(windows.reserve(contract, AT, { calls: '1' }), [])
  assert.deepEqual(windows.reserve(contract, AT, { calls: '1' }), over)
  assert.deepEqual(windows.reserve(contract, '2026-02-01T09:01:00.000Z', { calls: '2' }), [])
})

test('whoever says that more was spent than was reserved takes nothing from others', () => {
  const windows = createWindows()
  windows.reserve(contract, AT, { calls: '1' })
  windows.release(contract, AT, { calls: '1' }, { calls: '9' })
  assert.deepEqual(windows.reserve(contract, AT, { calls: '1' }), [])
})
