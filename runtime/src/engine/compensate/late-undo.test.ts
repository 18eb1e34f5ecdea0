import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { newMarket, sagaStage } from './saga-stage.test-support.ts'

test('nothing is taken back when the store answers only after the time for it has passed', async () => {
  let isDispatched = false
  const market = newMarket()
  const it = await sagaStage({
    market,
    failpoints: {
      reach: (at) => {
        isDispatched ||= at === 'compensate.after_dispatch'
      },
    },
  })
  const dfid = await it.half()
  const desk = await it.desk()
  const { store } = it.runtime()
  const read = store.listFlowEntries.bind(store)
  // A process that was stopped, or a store that is slow: the read ends long after it began.
  store.listFlowEntries = async (flow) => {
    const isLate = isDispatched && flow === dfid
    isDispatched = false
    const entries = await read(flow)
    if (isLate) await it.clock.advance(LIMITS.dispatchWithinMs + 1)
    return entries
  }
  await desk.compensate(dfid, 'REVERT')
  await it.clock.advance(1_000)
  assert.deepEqual(
    market.calls.filter((call) => call.startsWith('undo')),
    [],
  )
  await it.close()
})
