/** A flow may be half done, be put right, and be half done again: what was judged about the first time does not count for the second. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flow } from '../../compose.ts'
import { buy, DESK, type SagaStage, sagaStage, sell, TRADER } from './saga-stage.test-support.ts'

function openChild(it: SagaStage, { dfid: parent }: Flow): Promise<Flow> {
  return it.runtime().open({ agent: TRADER, trigger: 'one leg', parent })
}

/** One leg of the job is done, the other is refused. */
async function leaveHalf(it: SagaStage, desk: Flow, asset: string): Promise<void> {
  it.market.does = {}
  await sell(await openChild(it, desk), asset)
  it.market.does = { BUY: 'refuse' }
  await buy(await openChild(it, desk), `${asset}2`)
  assert.ok((await it.flow(desk.dfid)).tags.includes('DIRTY'))
}

/** Before what this flow proposed is made durable. */
function interruptDispatch(it: SagaStage, { dfid }: Flow, act: () => Promise<void>): void {
  const { store } = it.engine().context
  const commit = store.commit.bind(store)
  let isDone = false
  store.commit = async (unit) => {
    const isIt = unit.writes.some((one) => {
      return one.kind === 'put_execution' && one.execution.dfid === dfid
    })
    if (isIt && !isDone) {
      isDone = true
      await act()
    }
    return commit(unit)
  }
}

test('a choice that was judged about a job which was put right meanwhile is not made about the next', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  await leaveHalf(it, desk, 'A')
  const late = await it.runtime().open({ agent: DESK, trigger: 'late', steps: 'many' })
  interruptDispatch(it, late, async () => {
    assert.equal((await desk.compensate(desk.dfid, 'REVERT')).execution?.status, 'SUCCESS')
    assert.deepEqual((await it.flow(desk.dfid)).tags, ['COMPENSATED'])
    it.market.does = { SELL: 'lose' }
    await sell(await openChild(it, desk), 'C')
    await leaveHalf(it, desk, 'D')
  })
  const answer = await late.compensate(desk.dfid, 'REVERT')
  assert.equal(answer.reason_code, 'COMPENSATION_WAITS', JSON.stringify(answer))
  assert.deepEqual(await it.sagaEntries(desk.dfid), [
    'PARTIAL_SUCCESS_DIRTY',
    'COMPENSATING',
    'COMPENSATED',
    'PARTIAL_SUCCESS_DIRTY',
  ])
  await it.close()
})

test('what a chooser is shown names the time at which the job was left half done, and nothing that was drawn', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  await leaveHalf(it, desk, 'A')
  const shown: unknown[] = []
  it.runtime().on(DESK, ({ context: { state } }) => {
    for (const { version, value } of state.slice(0, 1))
      shown.push([version, (value as { readonly since?: string } | null)?.since])
  })
  await it.engine().runDue()
  const record = await it.runtime().store.readRecord('dirty_flow', 'open', desk.dfid)
  const since = record?.body.since
  assert.deepEqual(shown, [[since, since]])
  await it.close()
})
