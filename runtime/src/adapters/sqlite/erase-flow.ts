/**
 * Takes out what the entries and the rows of a flow say. What was there is overwritten (`secure_delete`, `pragmas.ts`); pieces
 * that stand elsewhere since pages were split come after the unit (`remains.ts`).
 */
import { ERASED_INTENT } from '../unit/erased-rows.ts'
import { joinKey, type SqliteState } from './state.ts'
import type { Statements } from './statements.ts'

export function eraseFlow(dfid: string, tenant: string, sql: Statements, state: SqliteState): void {
  sql.run(ERASE_ENTRIES, dfid, tenant)
  sql.run(ERASE_FLOW, dfid, tenant)
  sql.run(ERASE_EXECUTIONS, ERASED_INTENT, dfid, tenant)
  state.flows.drop(dfid)
  forgetSteps(dfid, tenant, sql, state)
}

/** What their rows say has changed. */
export function forgetSteps(
  dfid: string,
  tenant: string,
  sql: Statements,
  state: SqliteState,
): void {
  for (const row of sql.listRows(STEPS, dfid, tenant))
    state.executions.drop(joinKey(dfid, String(row.step_id)))
}

const ERASE_ENTRIES = `UPDATE entries SET payload = NULL, packed = NULL WHERE dfid = ? AND tenant = ?
  AND trajectory NOT IN ('authority', 'erasure') AND kind NOT IN ('root', 'branch')`
const ERASE_FLOW = "UPDATE flows SET trigger_event = '' WHERE dfid = ? AND tenant = ?"
const ERASE_EXECUTIONS = `UPDATE executions SET intent = ?, intent_seq = NULL, params_fingerprint = '',
  idempotency_key = '', details = 'null', result = 'null', receipt = 'null'
  WHERE dfid = ? AND tenant = ?`
const STEPS = 'SELECT step_id FROM executions WHERE dfid = ? AND tenant = ?'
