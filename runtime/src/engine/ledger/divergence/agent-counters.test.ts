/** Somebody who holds the database gives an agent back what it has used over all its flows. */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, test } from 'node:test'
import { createRuntime, RubiconError, type Runtime } from '../../../compose.ts'
import { CONTRACT } from '../../../evidence/example.test-support.ts'
import { type Capability, NotApplied } from '../../../ports/capability.ts'
import { temporaryFolder } from '../../../temporary-folder.test-support.ts'

const refund: Capability = {
  kind: 'REFUND',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  params: { type: 'object' },
  measures: { amount: ({ amount }) => amount },
  costOf: ({ amount }) => ({ usd: String(amount) }),
  execute: ({ params: { order } }) => {
    if (order === 'lost') throw new Error('the answer was lost')
    if (order === 'refused') throw new NotApplied('the provider refused it')
    return order === 'cheap' ? { cost: { usd: '5.00' } } : {}
  },
}

const contract = {
  ...CONTRACT,
  safety_rules: {
    budget_per_flow: { usd: '100.00' },
    budget_per_agent: { window_s: '604800', usd: '1000.00' },
    requires_human_approval: [],
  },
}

function openAt(folder: string): Promise<Runtime> {
  return createRuntime({
    store: `sqlite:${join(folder, 'store', 'store.db')}`,
    stateDirectory: join(folder, 'state'),
    capabilities: [refund],
    background: false,
    report: () => {},
  })
}

const site = temporaryFolder()

before(async () => {
  const runtime = await openAt(site)
  await runtime.deploy(contract)
  await runtime.deploy({ ...contract, agent_id: 'clerk' })
  const propose = async (agent: string, ...orders: readonly string[]): Promise<void> => {
    const flow = await runtime.open({ agent, trigger: 'ticket', steps: 'many' })
    for (const order of orders)
      await flow.propose({
        policy_kind: 'REFUND',
        params: { order, amount: '20.00' },
        step_id: order,
      })
  }
  await propose('refunds_bot', 'a', 'cheap', 'lost')
  await propose('refunds_bot', 'refused')
  await propose('clerk', 'b', 'refused')
  await runtime.close()
})

function changed(sql: string | null): string {
  const folder = temporaryFolder()
  cpSync(site, folder, { recursive: true })
  if (sql === null) return folder
  const database = new DatabaseSync(join(folder, 'store', 'store.db'))
  assert.ok(Number(database.prepare(sql).run().changes) > 0, sql)
  database.close()
  return folder
}

async function startCode(sql: string | null): Promise<string | null> {
  const runtime = await openAt(changed(sql))
  try {
    await runtime.start()
    return null
  } catch (error) {
    assert.ok(error instanceof RubiconError, String(error))
    return error.code
  } finally {
    await runtime.close()
  }
}

test('what agents used over all their flows is what the ledger says', async () => {
  assert.equal(await startCode(null), null)
})

test('nothing starts where the running window of an agent’s budget is full again', async () => {
  // Its code would say that a value was changed; a row that is gone, or of yesterday, has none that is wrong.
  for (const agent of ['refunds_bot', 'clerk'])
    assert.equal(
      await startCode(`DELETE FROM counters WHERE id LIKE 'window ${agent} %'`),
      'STORE_DIVERGED',
    )
})

test('nothing starts where an agent is out of maintenance with half a job', async () => {
  assert.equal(await startCode("DELETE FROM counters WHERE id = 'dirty clerk'"), 'STORE_DIVERGED')
  const clean = `UPDATE flows SET tags = '[]' WHERE agent_id = 'clerk'`
  assert.equal(await startCode(clean), 'STORE_DIVERGED')
})
