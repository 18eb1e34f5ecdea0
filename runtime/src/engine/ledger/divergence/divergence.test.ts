/**
 * Somebody who holds the database changes rows that guard flows. The ledger still says what they were:
 * nothing is begun on them, or nothing answered from them.
 */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, test } from 'node:test'
import { createRuntime, RubiconError, type Runtime } from '../../../compose.ts'
import { CONTRACT } from '../../../evidence/example.test-support.ts'
import type { Capability } from '../../../ports/capability.ts'
import { StoreError } from '../../../ports/store.ts'
import { temporaryFolder } from '../../../temporary-folder.test-support.ts'

const refund: Capability = {
  kind: 'REFUND',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  params: { type: 'object' },
  measures: { amount: ({ amount }) => amount },
  costOf: ({ amount }) => ({ usd: String(amount) }),
  resources: ({ order }) => [{ id: `order:${String(order)}`, amount: '1' }],
  execute: ({ params: { order, amount } }) => {
    if (order === 'lost') throw new Error('the answer was lost')
    return { result: { refunded: amount ?? null } }
  },
}

const contract = {
  ...CONTRACT,
  safety_rules: { budget_per_flow: { usd: '100.00' }, requires_human_approval: [] },
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
/** A flow of several steps, one that waits for its outcome, and one that is over. */
const flows = { many: '', lost: '', over: '' }

before(async () => {
  const runtime = await openAt(site)
  await runtime.deploy(contract)
  const propose = (order: string, amount = '20.00', step_id = 's1') => {
    return { policy_kind: 'REFUND', params: { order, amount }, step_id }
  }
  const many = await runtime.open({ agent: 'refunds_bot', trigger: 'many', steps: 'many' })
  await many.propose(propose('a'))
  assert.equal((await many.propose(propose('b', '900.00', 's2'))).outcome, 'REJECTED')
  const lost = await runtime.open({ agent: 'refunds_bot', trigger: 'lost', steps: 'many' })
  assert.equal((await lost.propose(propose('lost'))).execution?.status, 'UNKNOWN')
  const over = await runtime.open({ agent: 'refunds_bot', trigger: 'over' })
  await over.propose(propose('c'))
  Object.assign(flows, { many: many.dfid, lost: lost.dfid, over: over.dfid })
  await runtime.close()
})

function changed(sql: string): string {
  const folder = temporaryFolder()
  cpSync(site, folder, { recursive: true })
  const database = new DatabaseSync(join(folder, 'store', 'store.db'))
  const named = sql.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof flows) => `'${flows[name]}'`)
  assert.equal(Number(database.prepare(named).run().changes) > 0, true, named)
  database.close()
  return folder
}

const OPEN: Readonly<Record<string, string>> = {
  'a step that was carried out is claimed by nobody any more':
    "DELETE FROM executions WHERE dfid = {many} AND step_id = 's1'",
  'a step of which nobody knows is said to have failed':
    "UPDATE executions SET status = 'FAILED', next_at = NULL, settled_at = updated FROM (SELECT updated_at AS updated FROM flows LIMIT 1) WHERE dfid = {lost}",
  'a step is sent by another intent': `UPDATE executions SET intent_seq = NULL, intent = replace(
      (SELECT l.payload -> '$.intent' FROM ledger l
        WHERE l.trajectory = executions.trajectory AND l.seq = intent_seq),
      '20.00', '90.00') WHERE dfid = {lost}`,
  'a step is sent by the intent of another flow': `UPDATE executions SET intent_seq =
      (SELECT x.intent_seq FROM executions x WHERE x.dfid = {over}) WHERE dfid = {lost}`,
  'a step is sent by an intent beside the one it refers to':
    "UPDATE executions SET intent = '{}' WHERE dfid = {lost}",
  'refusals are taken back': 'UPDATE flows SET rejections = 0 WHERE dfid = {many}',
  'a flow goes on after its end':
    "UPDATE flows SET state = 'ACTIVE', part = 'running' WHERE dfid = {over}",
  'a flow stands on another contract':
    'UPDATE flows SET contract_seq = contract_seq - 1 WHERE dfid = {many}',
  'a budget is full again': "UPDATE counters SET used = 0 WHERE id = {many} || ':usd'",
  'a resource is let go': "DELETE FROM records WHERE record = 'lock'",
  'time is said to have come further than it has':
    "UPDATE trajectories SET at = '2999-01-01T00:00:00.000Z' WHERE trajectory = 'main'",
  'a clock is said to be confirmed that nobody confirmed':
    "INSERT INTO records (tenant, record, grp, key, version, body) VALUES ('default', 'clock', 'all', 'confirmed', 1, json_object('clock', '2026-01-01T00:00:00.000Z', 'last', '2026-01-07T00:00:00.000Z'))",
  'what somebody is shown is newer than it was':
    "UPDATE flows SET snapshot_at = '2999-01-01T00:00:00.000Z' WHERE dfid = {many}",
}

for (const [what, sql] of Object.entries(OPEN))
  test(`nothing starts where ${what}`, async () => {
    const runtime = await openAt(changed(sql))
    try {
      await assert.rejects(runtime.start(), (error: unknown) => {
        assert.ok(error instanceof RubiconError, String(error))
        assert.equal(error.code, 'STORE_DIVERGED', error.message)
        return true
      })
    } finally {
      await runtime.close()
    }
  })

test('a start says how to go on where an entry that rows are compared with has lost its words', async () => {
  const gone = `UPDATE entries SET payload = NULL, packed = NULL
    WHERE dfid = {lost} AND kind = 'dispatch'`
  const runtime = await openAt(changed(gone))
  try {
    await assert.rejects(runtime.start(), (error: unknown) => {
      assert.ok(error instanceof RubiconError, String(error))
      assert.equal(error.code, 'HEAD_MISMATCH', error.message)
      assert.match(error.failure.fix ?? '', /restore a copy/)
      return true
    })
  } finally {
    await runtime.close()
  }
})

const ENDED: Readonly<Record<string, string>> = {
  'another result stands in its row':
    'UPDATE executions SET result = \'{"refunded":"90.00"}\' WHERE dfid = {over}',
  'its row is gone': 'DELETE FROM flows WHERE dfid = {over}',
  'its claim is gone': 'DELETE FROM executions WHERE dfid = {over}',
}

for (const [what, sql] of Object.entries(ENDED))
  test(`nothing is answered of a flow that is over where ${what}`, async () => {
    const runtime = await openAt(changed(sql))
    try {
      const { engine } = { engine: await runtime.start() }
      const again = {
        policy_kind: 'REFUND',
        params: { order: 'c', amount: '20.00' },
        step_id: 's1',
      }
      await assert.rejects(engine.propose(flows.over, again), (error: unknown) => {
        assert.ok(error instanceof StoreError, String(error))
        assert.equal(error.code, 'STORE_DIVERGED', error.message)
        return true
      })
    } finally {
      await runtime.close()
    }
  })

test('rows that nobody touched are what the ledger says', async () => {
  const runtime = await openAt(
    changed("UPDATE flows SET trigger_event = 'over' WHERE dfid = {over}"),
  )
  const engine = await runtime.start()
  const again = { policy_kind: 'REFUND', params: { order: 'c', amount: '20.00' }, step_id: 's1' }
  assert.equal((await engine.propose(flows.over, again)).outcome, 'REPEATED')
  await runtime.close()
})

test('nothing is decided in a flow that somebody wrote into the database meanwhile', async () => {
  const folder = changed("UPDATE flows SET trigger_event = 'over' WHERE dfid = {over}")
  const runtime = await openAt(folder)
  const engine = await runtime.start()
  const { flow } = await opened(engine)
  const made = `${flow.dfid.slice(0, -4)}beef`
  const database = new DatabaseSync(join(folder, 'store', 'store.db'))
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all('flows')
  const names = columns.map(({ name }) => String(name)).filter((name) => name !== 'row')
  const values = names.map((name) => (name === 'dfid' ? `'${made}'` : name))
  database
    .prepare(
      `INSERT INTO flows (${names.join()}) SELECT ${values.join()} FROM flows WHERE dfid = ?`,
    )
    .run(flow.dfid)
  database.close()
  const asked = { policy_kind: 'REFUND', params: { order: 'd', amount: '20.00' } }
  await assert.rejects(engine.propose(made, asked), { code: 'STORE_DIVERGED' })
  // Nor is anything signed.
  await assert.rejects(runtime.close(), { code: 'HEAD_MISMATCH' })
})

async function opened(engine: Awaited<ReturnType<Runtime['start']>>) {
  const flow = await engine.open({ agent: 'refunds_bot', trigger: 'new' })
  assert.ok(flow.ok)
  return flow.value
}
