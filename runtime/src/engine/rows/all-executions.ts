/**
 * Executions, one or all. What decides about a flow looks at every step of it: a page would leave out
 * what the agent named so that it comes last.
 */
import { LIMITS } from 'rubicon-kernel'
import type { ExecutionFilter, ExecutionRow, Store } from '../../ports/store.ts'

export async function readAllExecutions(
  store: Store,
  filter: Pick<ExecutionFilter, 'dfid' | 'status'>,
): Promise<readonly ExecutionRow[]> {
  const limit = LIMITS.entriesPerPage
  const rows: ExecutionRow[] = []
  for (let beyond: ExecutionFilter['beyond']; ; beyond = rows.at(-1)) {
    const place = beyond === undefined ? {} : { beyond }
    const page = await store.listExecutions({ ...filter, ...place, limit })
    rows.push(...page)
    if (page.length < limit) return rows
  }
}

export async function loadExecution(
  store: Store,
  dfid: string,
  stepId: string,
): Promise<ExecutionRow | null> {
  return (await store.readDecision(dfid, stepId, () => []))?.claim ?? null
}
