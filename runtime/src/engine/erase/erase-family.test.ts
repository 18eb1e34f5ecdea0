import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flow } from '../../compose.ts'
import {
  buy,
  type SagaStage,
  sagaStage,
  sell,
  TRADER,
} from '../compensate/saga-stage.test-support.ts'

const REASON = 'asked for by the customer'

function child(it: SagaStage, parent: Flow): Promise<Flow> {
  return it.runtime().open({ agent: TRADER, trigger: 'one leg', parent: parent.dfid })
}

async function erase(it: SagaStage, dfid: string): Promise<string> {
  const done = await it.engine().oversight.erase({ dfid, reason: REASON })
  return done.ok ? 'erased' : done.error.code
}

test('a flow is not erased while one beside it can still fail, and have it taken back', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  const [first, second] = [await child(it, desk), await child(it, desk)]
  assert.equal((await sell(first)).execution?.status, 'SUCCESS')
  await it.engine().close(desk.dfid)
  assert.equal(await erase(it, first.dfid), 'ERASURE_WAITS')

  it.market.does = { BUY: 'refuse' }
  await buy(second)
  assert.deepEqual((await it.flow(desk.dfid)).tags, ['DIRTY'])
  const chooser = await it.desk()
  const answer = await chooser.compensate(desk.dfid, 'REVERT')
  assert.equal(answer.execution?.status, 'SUCCESS')
  assert.deepEqual(it.market.calls, ['SELL', 'BUY', 'undo SELL'])
  for (const one of [first, second, desk]) assert.equal(await erase(it, one.dfid), 'erased')
  await it.close()
})
