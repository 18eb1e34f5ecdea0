/** What is left to do, by what is stored. */
import { groupName, type Tables } from '../../runtime/src/adapters/memory/tables.ts'
import type { RecordKind } from '../../runtime/src/ports/record.ts'
import type { ExecutionRow } from '../../runtime/src/ports/store.ts'

const OPEN: readonly ExecutionRow['status'][] = ['ACCEPTED', 'DISPATCHED', 'UNKNOWN', 'NOT_APPLIED']

/** How many effects are decided, and neither settled nor with a person. */
export function openOutcomes({ executions }: Tables): number {
  let open = 0
  for (const steps of executions.values())
    for (const { status } of steps.values()) if (OPEN.includes(status)) open += 1
  return open
}

/** Records that an engine still has to do something about. */
export function openWork(tables: Tables): number {
  const count = (record: RecordKind, group: string): number =>
    tables.records.get(groupName({ record, group }))?.size ?? 0
  return (
    count('notice', 'due') +
    count('escalation', 'approved') +
    count('agent_stop', 'agents') +
    count('instance', 'live') +
    count('timer', 'due') +
    count('generation', 'open') +
    count('bus_letter', 'due') +
    countCompensating(tables)
  )
}

function countCompensating({ records }: Tables): number {
  const dirty = records.get(groupName({ record: 'dirty_flow', group: 'open' })) ?? new Map()
  return [...dirty.values()].filter(({ body }) => body.standing === 'compensating').length
}
