import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MonitorStatus } from 'rubicon-agents/client'
import { listMonitorItems } from './monitor-items.ts'
import { listMeant } from './palette-items.ts'

const MONITOR = {
  monitor: { name: 'large refunds' },
  agent_id: 'refunds_bot',
} as Pick<MonitorStatus, 'monitor' | 'agent_id'>

test('a monitor is found by its name and by its agent, and leads to both', () => {
  const items = listMonitorItems([MONITOR])
  const groups = [{ label: 'Monitors', items }]
  assert.equal(listMeant(groups, 'large', 6).length, 1)
  assert.equal(listMeant(groups, 'monitor refunds_bot', 6).length, 1)
  assert.equal(listMeant(groups, 'deploy', 6).length, 0)
  const [item] = items
  assert.equal(
    item !== undefined && 'href' in item ? item.href : '',
    '/monitors/large%20refunds?agent=refunds_bot',
  )
})
