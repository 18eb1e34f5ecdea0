import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFlowBudget } from '../../../runtime/src/engine/flow/flow-budget.ts'
import { AGENT, flowStage } from '../../../runtime/src/engine/flow/flow-stage.test-support.ts'
import { toShownEntry } from './entry-text.ts'
import { formatBudgetLine } from './flow-budget.ts'

test('what is used is shown beside what was granted, and an agent’s word as such', async () => {
  const stage = await flowStage()
  await stage.deploy({ safety_rules: { budget_per_flow: { tokens: 10_000 } } })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await flow.usage({ tokens: 1_200, gpu_seconds: 1.5 })
  const { store } = stage.runtime()
  const entries = (await store.listFlowEntries(flow.dfid)).map(({ id, leaf, envelope, payload }) =>
    toShownEntry({
      ...envelope,
      dfid: flow.dfid,
      id,
      leaf,
      payload: JSON.parse(payload ?? 'null'),
    }),
  )
  assert.equal(entries.at(-1)?.summary, 'agent reports about {"gpu_seconds":"1.5","tokens":"1200"}')
  const lines = await readFlowBudget(store, await stage.flow(flow.dfid), entries)
  assert.deepEqual(lines.map(formatBudgetLine).toSorted(), [
    'calls 0 of 100',
    'gpu_seconds about 1.5',
    'tokens about 1200 of 10000',
  ])
  await stage.close()
})
