/** Erasure and arbitration: what others lost to, or were halted by, may be erased afterwards. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventStage, RISK, STRATEGY } from './event-stage.test-support.ts'

for (const kind of ['ALERT', 'HALT'])
  test(`a record does not stop verifying when the flow of ${kind} that others lost to is erased`, async () => {
    const stage = await eventStage()
    await stage.wake()
    await stage.bid(STRATEGY, 'BUY')
    await stage.bid(RISK, kind, kind === 'HALT' ? { reason: 'test' } : { what: 'x' })
    await stage.closeWindow()
    const { dfid } = await stage.flowOf(RISK)
    const lost = kind === 'HALT' ? 'EVENT_HALTED' : 'PREEMPTED'
    assert.equal(await stage.lastWord(STRATEGY), `rejection ${lost}`)
    const erased = await stage.engine().oversight.erase({ dfid, reason: 'asked for' })
    assert.ok(erased.ok, JSON.stringify(erased))
    await stage.close()
  })
