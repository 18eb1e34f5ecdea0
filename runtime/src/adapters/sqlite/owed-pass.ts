/** How many units took something out since the file was last rid of what is left of such (`remains.ts`), as the file has it. */
import type { UnitPlan } from '../unit/unit-plan.ts'
import type { Statements } from './statements.ts'

/** What an operator had taken out is promised to be gone. What is dropped for its age, or because it is done, is not. */
export function addOwedPass({ erased, archived, records }: UnitPlan, sql: Statements): void {
  const isOwed =
    erased.length > 0 ||
    archived.length > 0 ||
    records.some(({ record, body }) => record === 'person_identity' && body === null)
  if (isOwed) sql.run(OWE_ONE)
}

const OWE_ONE = `INSERT INTO meta VALUES ('remains', 1)
  ON CONFLICT DO UPDATE SET value = value + 1`
export const OWE_NONE = "INSERT OR REPLACE INTO meta VALUES ('remains', 0)"
/** A file that older versions wrote to says nothing, and owes one. */
export const OWED = "SELECT coalesce((SELECT value FROM meta WHERE key = 'remains'), -1) AS units"
