/** Takes out what the entries and the rows of a flow say. */
import { ERASED_INTENT } from '../unit/erased-rows.ts'
import { joinKey, type SqliteState } from './state.ts'
import type { Statements } from './statements.ts'

export function eraseFlow(dfid: string, tenant: string, sql: Statements, state: SqliteState): void {
  // Otherwise the words stay in the file where they were, until something is written over them.
  sql.get('PRAGMA secure_delete = ON')
  sql.run(ERASE_ENTRIES, dfid, tenant)
  sql.run(ERASE_FLOW, dfid, tenant)
  sql.run(ERASE_EXECUTIONS, ERASED_INTENT, dfid, tenant)
  sql.get('PRAGMA secure_delete = OFF')
  state.flows.drop(dfid)
  for (const row of sql.all(STEPS, dfid, tenant))
    state.executions.drop(joinKey(dfid, String(row.step_id)))
}

const ERASE_ENTRIES = `UPDATE entries SET payload = NULL WHERE dfid = ? AND tenant = ?
  AND trajectory NOT IN ('authority', 'erasure') AND kind NOT IN ('root', 'branch')`
const ERASE_FLOW = "UPDATE flows SET trigger_event = '' WHERE dfid = ? AND tenant = ?"
const ERASE_EXECUTIONS = `UPDATE executions SET intent = ?, params_fingerprint = '',
  idempotency_key = '', details = 'null', result = 'null', receipt = 'null'
  WHERE dfid = ? AND tenant = ?`
const STEPS = 'SELECT step_id FROM executions WHERE dfid = ? AND tenant = ?'
