import { deepEqual, ok } from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { FLOW_STATES } from 'rubicon-kernel'
import type { ExecutionFilter, FlowFilter } from '../../ports/store.ts'
import { countRows, listExecutions, listFlows } from './list.ts'
import { openTestStore } from './open-at.ts'
import { type SqliteParameter, Statements } from './statements.ts'
import { createTemporaryPath } from './testing.ts'

/** Answers nothing, and keeps how SQLite would have found it. */
class Explaining extends Statements {
  readonly plans: string[] = []
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    super(database)
    this.#database = database
  }

  override get(sql: string, ...parameters: SqliteParameter[]): undefined {
    this.#explain(sql, parameters)
  }

  override listRows(sql: string, ...parameters: SqliteParameter[]): [] {
    this.#explain(sql, parameters)
    return []
  }

  #explain(sql: string, parameters: SqliteParameter[]): void {
    const steps = this.#database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters)
    this.plans.push(steps.map(({ detail }) => String(detail)).join('; '))
  }
}

async function planned(ask: (sql: Statements) => void): Promise<readonly string[]> {
  const path = createTemporaryPath()
  await (await openTestStore(path)).close()
  const database = new DatabaseSync(path)
  const sql = new Explaining(database)
  ask(sql)
  database.close()
  return sql.plans
}

/** Which index each part of the list is read from. */
async function indexes(ask: (sql: Statements) => void): Promise<readonly string[]> {
  const plans = await planned(ask)
  for (const plan of plans) {
    ok(!plan.includes('TEMP B-TREE FOR ORDER BY'), plan)
    ok(/^(SEARCH|SCAN) \w+ USING (COVERING )?INDEX/.test(plan), plan)
  }
  return plans.map((plan) => /INDEX (\w+)/.exec(plan)?.[1] ?? plan)
}

const flows = (filter: Partial<FlowFilter>) =>
  indexes((sql) => listFlows({ limit: 100, ...filter }, 'default', sql))
const effects = (filter: Partial<ExecutionFilter>) =>
  indexes((sql) => listExecutions({ limit: 100, ...filter }, 'default', sql))

const BY_TIME = 'sqlite_autoindex_flows_1'
const EFFECTS_BY_TIME = 'sqlite_autoindex_executions_1'
const at = '01a1defc-e295-7e3a-a088-9887bdc589c1'

describe('lists in the order of an index', () => {
  it('flows, however they are asked for', async () => {
    deepEqual(await flows({}), [BY_TIME])
    deepEqual(await flows({ before: at, from: at }), [BY_TIME])
    deepEqual(await flows({ state: ['CLOSED'] }), [BY_TIME])
    deepEqual(await flows({ state: ['CLOSED'], before: at }), [BY_TIME])
    deepEqual(await flows({ state: ['ABORTED'], before: at }), ['flows_aborted'])
    deepEqual(await flows({ state: ['ACTIVE', 'EXECUTING'] }), ['flows_open'])
    deepEqual(await flows({ state: ['ESCALATED'], before: at }), ['flows_waiting'])
    deepEqual(await flows({ state: ['ACTIVE', 'ESCALATED', 'ABORTED'] }), [
      'flows_open',
      'flows_waiting',
      'flows_aborted',
    ])
    deepEqual(await flows({ agent_id: 'a', before: at }), ['flows_agent'])
    deepEqual(await flows({ agent_id: 'a', state: ['ACTIVE'] }), ['flows_open_agent'])
    deepEqual(await flows({ agent_id: 'a', state: ['ESCALATED'] }), ['flows_waiting'])
    deepEqual(await flows({ agent_id: 'a', state: ['ABORTED'] }), ['flows_aborted'])
    deepEqual(await flows({ agent_id: 'a', state: ['CLOSED'] }), ['flows_agent'])
    deepEqual(await flows({ parent_dfid: at }), ['flows_parent'])
    deepEqual(await flows({ tag: 'DIRTY' }), ['flows_tagged'])
    deepEqual(await flows({ tag: 'DIRTY', agent_id: 'a' }), ['flows_tagged'])
  })

  it('effects, however they are asked for', async () => {
    const beyond = { dfid: at, step_id: 'a' }
    for (const newest of [true, false]) {
      deepEqual(await effects({ newest }), [EFFECTS_BY_TIME])
      deepEqual(await effects({ newest, beyond }), [EFFECTS_BY_TIME])
      deepEqual(await effects({ newest, dfid: at }), [EFFECTS_BY_TIME])
      deepEqual(await effects({ newest, status: ['SUCCESS'] }), [EFFECTS_BY_TIME])
      deepEqual(await effects({ newest, status: ['FAILED'], beyond }), ['executions_failed'])
      deepEqual(await effects({ newest, status: ['ABANDONED', 'UNKNOWN'] }), [
        'executions_failed',
        'executions_open',
      ])
      deepEqual(await effects({ newest, agent_id: 'a', beyond }), ['flows_agent'])
      deepEqual(await effects({ newest, agent_id: 'a', status: ['SUCCESS'] }), ['flows_agent'])
      deepEqual(await effects({ newest, agent_id: 'a', status: ['FAILED'] }), ['executions_failed'])
    }
  })

  it('counts of what is open, or failed, or of all flows', async () => {
    const plans = await planned((sql) => {
      countRows({ of: 'flows', state: ['ACTIVE', 'ABORTED', 'ESCALATED'] }, 'default', sql)
      countRows({ of: 'flows', state: FLOW_STATES }, 'default', sql)
      countRows({ of: 'executions', status: ['UNKNOWN', 'FAILED'] }, 'default', sql)
      countRows({ of: 'records', record: 'lock' }, 'default', sql)
    })
    const used = plans.map((plan) => /((COVERING )?INDEX \w+|PRIMARY KEY)/.exec(plan)?.[1] ?? plan)
    deepEqual(used, [
      'INDEX flows_expiring',
      'COVERING INDEX flows_aborted',
      'COVERING INDEX flows_waiting',
      'COVERING INDEX flows_agent',
      'INDEX executions_open',
      'INDEX executions_failed',
      'COVERING INDEX sqlite_autoindex_records_1',
    ])
  })
})
