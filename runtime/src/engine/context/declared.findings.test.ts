import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AGENT, done, layerStage, refusedWith } from './layer-stage.test-support.ts'

const PRICE = 'market.price'

test('finding 26d: an agent is not invoked without the State that its contract requires', async () => {
  const working_context = {
    layers: ['state', 'session'],
    requires: [PRICE],
    limits: { session: 2 },
  }
  const it = await layerStage({ contract: { working_context } })
  const { engine, store } = it.runtime
  const open = () => engine.open({ agent: AGENT, trigger: 'x', steps: 'many' })
  assert.equal(refusedWith(await open()), 'CONTEXT_INCOMPLETE')
  assert.deepEqual(await store.listFlows({ limit: 1 }), [], 'no flow is opened')

  done(await it.layers.observe({ path: PRICE, value: '99.50' }))
  const flow = await it.open({ steps: 'many' })
  assert.deepEqual(
    flow.context.state.map(({ path }) => path),
    [PRICE],
    'it is shown whether the flow asks for it or not',
  )
  await flow.propose({ policy_kind: 'REFUND', params: { amount: '1' } })
  for (const text of ['one', 'two', 'three']) await flow.note(text)
  const { session, memory, artifacts, trimmed } = await flow.refresh()
  assert.deepEqual([session.length, memory.length, artifacts.length], [2, 0, 0])
  assert.ok((trimmed.memory ?? 0) > 0 && (trimmed.session ?? 0) > 0)
  await it.close()
})
