/** A bid holds what an agent said: it stays no longer than its flow, whatever becomes of its event. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventStage, RISK, STRATEGY } from './event-stage.test-support.ts'

test('what a cancelled flow wanted does not stay behind when its event is halted', async () => {
  const stage = await eventStage()
  const id = await stage.wake()
  await stage.bid(STRATEGY, 'BUY', { what: 'a secret of somebody' })
  const { dfid } = await stage.flowOf(STRATEGY)
  assert.ok((await stage.engine().cancel(dfid, 'changed our mind')).ok)
  await stage.bid(RISK, 'HALT', { reason: 'enough' })
  await stage.closeWindow()
  const { store } = stage.runtime()
  assert.equal((await store.readRecord('event', 'closed', id))?.key, id, 'nobody looks at it again')
  assert.deepEqual(await store.listRecords('bid', id, { limit: 10 }), [])
  await stage.close()
})

test('an erased flow does not leave its bid behind while the window is open', async () => {
  const stage = await eventStage()
  const id = await stage.wake()
  await stage.bid(STRATEGY, 'BUY', { what: 'a secret of somebody' })
  const { dfid } = await stage.flowOf(STRATEGY)
  assert.ok((await stage.engine().cancel(dfid, 'changed our mind')).ok)
  const erased = await stage.engine().oversight.erase({ dfid, reason: 'asked for' })
  assert.ok(erased.ok, JSON.stringify(erased))
  const { store } = stage.runtime()
  assert.deepEqual(await store.listRecords('bid', id, { limit: 10 }), [])
  assert.equal(await store.readRecord('flow_claim', 'open', dfid), null)
  await stage.closeWindow()
  assert.deepEqual(stage.sent, [])
  await stage.close()
})
