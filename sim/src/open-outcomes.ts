import type { Tables } from '../../runtime/src/adapters/memory/tables.ts'
import type { ExecutionRow } from '../../runtime/src/ports/store.ts'

const OPEN: readonly ExecutionRow['status'][] = ['ACCEPTED', 'DISPATCHED', 'UNKNOWN', 'NOT_APPLIED']

/** How many effects are decided, and neither settled nor with a person. */
export function openOutcomes({ executions }: Tables): number {
  let open = 0
  for (const steps of executions.values())
    for (const { status } of steps.values()) if (OPEN.includes(status)) open += 1
  return open
}
