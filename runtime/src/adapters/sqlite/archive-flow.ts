/** Takes the payloads of a flow out that lie in an archive, and puts them back. */
import { KINDS_KEPT } from '../unit/archived-rows.ts'
import { packText } from '../unit/packed-text.ts'
import type { RestoredRow } from '../unit/unit-plan.ts'
import { forgetSteps } from './erase-flow.ts'
import type { SqliteState } from './state.ts'
import type { Statements } from './statements.ts'

/** Overwritten, like what is erased: restored and erased later, the words would still stand where they were first. */
export function archiveFlow(
  dfid: string,
  tenant: string,
  sql: Statements,
  state: SqliteState,
): void {
  sql.run(ARCHIVE, dfid, tenant)
  forgetSteps(dfid, tenant, sql, state)
}

export function restorePayloads(
  rows: readonly RestoredRow[],
  tenant: string,
  sql: Statements,
  state: SqliteState,
): void {
  for (const { trajectory, seq, kind, payload } of rows) {
    const packed = packText(payload, kind)
    sql.run(RESTORE, packed === null ? payload : null, packed, tenant, trajectory, seq)
  }
  for (const dfid of new Set(rows.map((row) => row.dfid))) forgetSteps(dfid, tenant, sql, state)
}

const ARCHIVE = `UPDATE entries SET payload = NULL, packed = NULL WHERE dfid = ? AND tenant = ?
  AND trajectory NOT IN ('authority', 'erasure') AND kind NOT IN ${KINDS_KEPT}`
const RESTORE = `UPDATE entries SET payload = ?, packed = ?
  WHERE tenant = ? AND trajectory = ? AND seq = ? AND payload IS NULL AND packed IS NULL`
