/** Takes out what the entries, the rows and the records of a flow say. */
import { ERASED_INTENT } from '../unit/erased-rows.ts'
import type { UnitPlan } from '../unit/unit-plan.ts'
import { joinKey, type SqliteState } from './state.ts'
import type { Statements } from './statements.ts'

export function eraseFlow(dfid: string, tenant: string, sql: Statements, state: SqliteState): void {
  enforceSecureDelete(sql, () => {
    sql.run(ERASE_ENTRIES, dfid, tenant)
    sql.run(ERASE_FLOW, dfid, tenant)
    sql.run(ERASE_EXECUTIONS, ERASED_INTENT, dfid, tenant)
  })
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

/** Otherwise words stay in the file where they were, until something is written over them. */
export function enforceSecureDelete(sql: Statements, work: () => void): void {
  sql.get('PRAGMA secure_delete = ON')
  work()
  sql.get('PRAGMA secure_delete = OFF')
}

/**
 * Whether records go that hold what a flow said: those of an erasure, and notes and memories that are
 * swept away before it, which an erasure would find no more.
 */
export function isErasingText({
  erased,
  archived,
  records,
}: Pick<UnitPlan, 'erased' | 'archived' | 'records'>): boolean {
  if (erased.length > 0 || archived.length > 0) return true
  return records.some(({ record, body }) => body === null && WORDS.has(record))
}

const WORDS: ReadonlySet<string> = new Set(['memory', 'note'])

const ERASE_ENTRIES = `UPDATE entries SET payload = NULL, packed = NULL WHERE dfid = ? AND tenant = ?
  AND trajectory NOT IN ('authority', 'erasure') AND kind NOT IN ('root', 'branch')`
const ERASE_FLOW = "UPDATE flows SET trigger_event = '' WHERE dfid = ? AND tenant = ?"
const ERASE_EXECUTIONS = `UPDATE executions SET intent = ?, intent_seq = NULL, params_fingerprint = '',
  idempotency_key = '', details = 'null', result = 'null', receipt = 'null'
  WHERE dfid = ? AND tenant = ?`
const STEPS = 'SELECT step_id FROM executions WHERE dfid = ? AND tenant = ?'
