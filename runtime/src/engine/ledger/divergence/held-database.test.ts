/**
 * Somebody who holds the database changes several rows at once, so that they agree; puts back what had its
 * code; has the file act by itself; or writes beside the process that owns it. And what looks like it, and is not.
 */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, test } from 'node:test'
import { systemClock } from '../../../adapters/system/clock.ts'
import { createRuntime, type Runtime, type RuntimeOptions } from '../../../compose.ts'
import { CONTRACT, exampleCapability } from '../../../evidence/example.test-support.ts'
import type { Capability } from '../../../ports/capability.ts'
import type { Clock } from '../../../ports/clock.ts'
import { temporaryFolder } from '../../../temporary-folder.test-support.ts'
import { issueWrit } from '../../authority/writs.ts'

/** What reached the outside, of all runtimes of this file. */
const sent: string[] = []

const refund: Capability = {
  kind: 'REFUND',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  params: { type: 'object' },
  costOf: ({ amount }) => ({ usd: String(amount) }),
  execute: ({ params: { order, amount } }) => {
    sent.push(String(order))
    return { result: { refunded: amount ?? null } }
  },
}

const safety_rules = { budget_per_flow: { usd: '100.00' } }
const contract = {
  ...CONTRACT,
  permissions: { policy_kinds: ['REFUND', 'SPAWN_INSTANCE'] },
  safety_rules,
}

let ahead = 0
const clock: Clock = {
  now: () => systemClock.now() + ahead,
  monotonic: () => systemClock.monotonic() + ahead,
  after: (ms, idle) => systemClock.after(ms, idle),
}

function openAt(folder: string, options: RuntimeOptions = {}): Promise<Runtime> {
  return createRuntime({
    store: `sqlite:${join(folder, 'store', 'store.db')}`,
    stateDirectory: join(folder, 'state'),
    capabilities: [refund],
    people: ['ann@example.com'],
    clock,
    background: false,
    report: () => {},
    ...options,
  })
}

function databaseOf(folder: string): DatabaseSync {
  return new DatabaseSync(join(folder, 'store', 'store.db'))
}

type Row = Readonly<Record<string, string | number | null>>

const site = temporaryFolder()
/** With nothing but a suspension, and a flow that was opened after it. */
const bare = temporaryFolder()
const flows = { many: '', closed: '', erased: '', asked: '', hidden: '' }
/** Rows as they were earlier. */
const earlier: { flow: Row; authority: Row; approved: Row } = {
  flow: {},
  authority: {},
  approved: {},
}
let writ = ''

function propose(order: string, amount = '90.00', step_id = 's1') {
  return { policy_kind: 'REFUND', params: { order, amount }, step_id }
}

function readIn(folder: string, sql: string): Row {
  const database = databaseOf(folder)
  const row = database.prepare(sql).get() as Row
  database.close()
  return row
}

async function approve(runtime: Runtime): Promise<void> {
  const { oversight } = runtime.engine
  const [open] = await oversight.escalations({ limit: 1 })
  const { request } = (await oversight.escalation(open?.id ?? '')) ?? {}
  assert.ok(request !== undefined)
  const { intent_digest, shown_snapshot, triggers, impact, acknowledge } = request
  const yes = {
    decision: 'OVERRIDE',
    intent_digest,
    shown_snapshot,
    justification: 'seen',
    lifts: triggers.map(({ id }) => id),
    valid_until: new Date(clock.now() + 60_000).toISOString(),
    acknowledged_impact: impact,
    ...(acknowledge === undefined ? {} : { acknowledgement: acknowledge }),
  } as const
  const said = await oversight.decideEscalation(request.id, yes, {
    kind: 'person',
    principal: 'ann@example.com',
  })
  assert.ok(said.ok, JSON.stringify(said))
}

async function playSite(): Promise<void> {
  const runtime = await openAt(site, {
    failpoints: {
      reach(point) {
        if (point !== 'release.before_commit') return
        earlier.approved = readIn(
          site,
          "SELECT * FROM records WHERE record = 'escalation' AND grp = 'approved'",
        )
      },
    },
  })
  await runtime.deploy(contract)
  const asking = { ...safety_rules, requires_human_approval: ['REFUND'] }
  await runtime.deploy({ ...contract, agent_id: 'clerk', safety_rules: asking })
  const open = async (name: keyof typeof flows, agent = 'refunds_bot') => {
    const flow = await runtime.open({ agent, trigger: name, steps: 'many' })
    flows[name] = flow.dfid
    return flow
  }
  const closed = await open('closed')
  await closed.propose(propose('a', '10.00'))
  const erased = await open('erased')
  await erased.propose(propose('b'))
  ahead += 300_000
  assert.ok((await runtime.engine.close(closed.dfid)).ok)
  assert.ok((await runtime.engine.close(erased.dfid)).ok)
  assert.ok((await runtime.engine.oversight.erase({ dfid: erased.dfid, reason: 'asked for' })).ok)
  const asked = await open('asked', 'clerk')
  assert.equal((await asked.propose(propose('c', '10.00'))).outcome, 'ESCALATED')
  await approve(runtime)
  const issued = await issueWrit(runtime.engine.context, { agent: 'refunds_bot' })
  writ = issued.ok ? issued.value.id : ''
  const many = await open('many')
  assert.equal((await many.propose(propose('d'))).outcome, 'ACCEPTED')
  const standing = { ...propose('e', '95.00', 's2'), writ_id: writ }
  assert.equal((await many.propose(standing)).outcome, 'ACCEPTED')
  for (const instance_id of ['bot-1', 'bot-2']) {
    const until = { flow: many.dfid }
    const spawned = await many.spawnInstance({ class: 'refunds_bot', instance_id, until })
    assert.equal(spawned.outcome, 'ACCEPTED', JSON.stringify(spawned))
  }
  const over = { agent_id: 'bot-2', to: 'RETIRED', actor: 'operator', justification: 'a' } as const
  assert.ok((await runtime.engine.moveAgent(over)).ok)
  await runtime.engine.runDue()
  await runtime.close()
}

async function playBare(): Promise<void> {
  const runtime = await openAt(bare)
  await runtime.deploy(contract)
  await runtime.deploy({ ...contract, agent_id: 'idle' })
  earlier.authority = readIn(bare, "SELECT * FROM trajectories WHERE trajectory = 'authority'")
  const stop = { agent_id: 'idle', to: 'SUSPENDED', actor: 'operator', justification: 'a' } as const
  assert.ok((await runtime.engine.moveAgent(stop)).ok)
  const { dfid } = await runtime.open({ agent: 'refunds_bot', trigger: 'many', steps: 'many' })
  earlier.flow = readIn(bare, `SELECT * FROM flows WHERE dfid = '${dfid}'`)
  const answer = await runtime.engine.propose(dfid, propose('d'))
  assert.equal(answer.outcome, 'ACCEPTED', JSON.stringify(answer))
  flows.hidden = dfid
  const later = await runtime.open({ agent: 'refunds_bot', trigger: 'later' })
  const last = await later.propose(propose('e'))
  assert.equal(last.outcome, 'ACCEPTED', JSON.stringify(last))
  await runtime.close()
}

/** One after the other: they share a clock. */
before(async () => {
  await playSite()
  await playBare()
})

function put(database: DatabaseSync, table: string, row: Row): void {
  const names = Object.keys(row)
  const places = names.map(() => '?').join()
  database
    .prepare(`INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${places})`)
    .run(...Object.values(row))
}

function changed(change: (database: DatabaseSync) => void, of = site): string {
  const folder = temporaryFolder()
  cpSync(of, folder, { recursive: true })
  const database = databaseOf(folder)
  unguarded(database, () => change(database))
  database.close()
  return folder
}

/** Triggers stand there again when it is done. */
function unguarded(database: DatabaseSync, change: () => void): void {
  const sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
  const triggers = database.prepare(sql).all()
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`)
  change()
  for (const { sql: made } of triggers) database.exec(String(made))
}

async function startCode(folder: string): Promise<string | null> {
  try {
    const runtime = await openAt(folder)
    try {
      await runtime.start()
      return null
    } finally {
      await runtime.close()
    }
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

test('a store is started that nobody has touched, with flows that were closed long after their last step', async () => {
  const runtime = await openAt(changed(() => {}))
  const engine = await runtime.start()
  const again = await engine.propose(flows.closed, propose('a', '10.00'))
  assert.equal(again.outcome, 'REPEATED', JSON.stringify(again))
  assert.equal((await engine.propose(flows.erased, propose('b'))).reason_code, 'FLOW_ENDED')
  await runtime.close()
})

type Change = readonly [code: string, change: (database: DatabaseSync) => void]

const CHANGED: Readonly<Record<string, Change>> = {
  'a flow that was erased goes on': [
    'STORE_DIVERGED',
    (database) => {
      const { erased } = flows
      database
        .prepare("UPDATE flows SET state = 'ACTIVE', part = 'running', tags = '[]' WHERE dfid = ?")
        .run(erased)
      database.prepare('DELETE FROM executions WHERE dfid = ?').run(erased)
    },
  ],
  'a flow that its agent has closed goes on': [
    'STORE_DIVERGED',
    (database) =>
      void database
        .prepare(
          "UPDATE flows SET state = 'ACTIVE', part = 'running', updated_at = opened_at WHERE dfid = ?",
        )
        .run(flows.closed),
  ],
  'an approval that was used is put back': [
    'STORE_DIVERGED',
    (database) => {
      assert.equal(earlier.approved.grp, 'approved')
      put(database, 'records', earlier.approved)
    },
  ],
  'a writ that was issued by hand is full again': [
    'STORE_DIVERGED',
    (database) => {
      const row = database.prepare('SELECT writ FROM writs WHERE id = ?').get(writ)
      const { nonce } = JSON.parse(String(row?.writ)).body
      const sql = 'DELETE FROM counters WHERE id = ?'
      assert.equal(Number(database.prepare(sql).run(`${nonce}:usd`).changes), 1)
    },
  ],
  'the checkpoint is signed in another name': [
    'HEAD_MISMATCH',
    (database) => {
      const sql = "UPDATE checkpoints SET note = replace(note, '— rubicon', '— rubicon1')"
      assert.ok(Number(database.prepare(sql).run().changes) > 0)
    },
  ],
  'nobody ends an instance any more': [
    'STORE_DIVERGED',
    (database) => {
      const sql = "DELETE FROM records WHERE record = 'instance'"
      assert.equal(Number(database.prepare(sql).run().changes), 1, 'the other one has ended')
    },
  ],
  'an instance ends with another flow': [
    'STORE_DIVERGED',
    (database) => {
      const sql = "UPDATE records SET body = replace(body, ?, ?) WHERE record = 'instance'"
      assert.equal(Number(database.prepare(sql).run(flows.many, flows.asked).changes), 1)
    },
  ],
  'the file changes rows by itself': [
    'STORE_CORRUPT',
    (database) =>
      database.exec(`CREATE TRIGGER forget AFTER INSERT ON executions
        BEGIN DELETE FROM executions WHERE row = NEW.row; END`),
  ],
  'the file gives rows that nobody wrote': [
    'STORE_CORRUPT',
    (database) =>
      database.exec(`ALTER TABLE counters RENAME TO other;
        CREATE VIEW counters AS SELECT tenant, id, 0 AS used, code FROM other`),
  ],
}

const HIDDEN: Readonly<Record<string, (database: DatabaseSync) => void>> = {
  'an agent is let go by hiding that it was stopped': (database) => {
    const { seq = null } = earlier.authority
    database
      .prepare("UPDATE entries SET trajectory = 'x' WHERE trajectory = 'authority' AND seq > ?")
      .run(seq)
    put(database, 'trajectories', earlier.authority)
  },
  'a step is sent twice by hiding that it was sent': (database) => {
    const { hidden } = flows
    database.prepare("UPDATE entries SET dfid = NULL WHERE dfid = ? AND kind <> 'writ'").run(hidden)
    database.prepare('DELETE FROM executions WHERE dfid = ?').run(hidden)
    database.prepare("DELETE FROM counters WHERE id LIKE ? || ':%'").run(hidden)
    put(database, 'flows', earlier.flow)
  },
}

for (const [what, change] of Object.entries(HIDDEN))
  test(`nothing starts where ${what}`, async () => {
    assert.equal(await startCode(changed(change, bare)), 'HEAD_MISMATCH')
  })

for (const [what, [code, change]] of Object.entries(CHANGED))
  test(`nothing starts where ${what}`, async () => {
    assert.equal(await startCode(changed(change)), code)
  })

test('a flow is not taken for closed where nobody but its row says so', async () => {
  const folder = changed((database) => {
    database.prepare("UPDATE flows SET state = 'CLOSED' WHERE dfid = ?").run(flows.many)
  })
  const runtime = await openAt(folder)
  const engine = await runtime.start()
  const proposed = engine.propose(flows.many, propose('f', '1.00', 's3'))
  await assert.rejects(proposed, { code: 'STORE_DIVERGED' })
  await runtime.close()
})

test('nothing starts where a World is an older one, and hides the commit that made it what it is', async () => {
  const folder = temporaryFolder()
  const runtime = await openAt(folder, { capabilities: [exampleCapability(() => {})] })
  await runtime.deploy(contract)
  const done = await runtime.open({ agent: 'refunds_bot', trigger: 'done' })
  assert.equal((await done.propose(propose('a'))).outcome, 'ACCEPTED')
  const { dfid } = await runtime.open({ agent: 'refunds_bot', trigger: 'over' })
  assert.ok((await runtime.engine.cancel(dfid, 'enough')).ok)
  await runtime.close()
  const database = databaseOf(folder)
  unguarded(database, () => {
    database.exec(`UPDATE entries SET kind = 'evidence' WHERE kind = 'commit';
      UPDATE trajectories SET world_root = '${'0'.repeat(64)}' WHERE trajectory = 'main';
      DELETE FROM resources; DELETE FROM world_nodes`)
  })
  database.close()
  assert.equal(await startCode(folder), 'HEAD_MISMATCH')
})

test('nothing is sent once somebody writes to the file beside its owner', async () => {
  const folder = changed(() => {})
  const runtime = await openAt(folder)
  const engine = await runtime.start()
  const database = databaseOf(folder)
  database.prepare('DELETE FROM executions WHERE dfid = ?').run(flows.many)
  database.close()
  const before = sent.length
  await assert.rejects(engine.propose(flows.many, propose('d', '1.00')), { code: 'HEAD_MISMATCH' })
  assert.equal(sent.length, before)
  assert.equal(engine.status.damaged, true)
  await runtime.close()
})

test('monitors go on from nothing that somebody wrote', async () => {
  const folder = changed((database) => {
    put(database, 'records', {
      tenant: 'default',
      record: 'monitor_cursor',
      grp: 'all',
      key: 'all',
      version: 1,
      body: '{"leaf":1000000,"now":0}',
      code: null,
    })
  })
  const runtime = await openAt(folder)
  const engine = await runtime.start()
  await runtime.monitor({
    api_version: 'rubicon/v1',
    kind: 'Monitor',
    name: 'mean_refund',
    agents: ['refunds_bot'],
    statistic: { kind: 'mean', value: 'param:amount', max: '50' },
    window: { executions: 4 },
    min_samples: 3,
  })
  await assert.rejects(engine.oversight.sweepMonitors(), { code: 'STORE_DIVERGED' })
  await runtime.close()
})
