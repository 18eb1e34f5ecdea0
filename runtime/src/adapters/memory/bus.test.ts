import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busConformance } from '../../ports/bus.conformance.ts'
import { createMemoryBus } from './bus.ts'

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

busConformance('memory', async () => createMemoryBus(), settle)

test('a flood holds no more than it may, and the bus goes on', async () => {
  const bus = createMemoryBus()
  let heard = 0
  await bus.subscribe('a', () => (heard += 1), { agent_id: null })
  const tags = { dfid: 'flow-1', snapshot_id: 'sha256:aa' }
  for (let index = 0; index < 12_000; index++) await bus.publish('a', {}, tags)
  await settle()
  assert.ok(heard <= 12_000 && heard >= 10_000, String(heard))
  const before = heard
  await bus.publish('a', {}, tags)
  await settle()
  assert.equal(heard, before + 1)
  await bus.close()
})
