import type { Store } from '../../../runtime/src/ports/store.ts'

const MANY = 1000
const OPEN = ['ACCEPTED', 'DISPATCHED', 'UNKNOWN', 'NOT_APPLIED'] as const

/**
 * How much is left that no person has to do: effects without an outcome, approvals that nothing became
 * of, notices that were not sent, agents that were not stopped, and half jobs that are being taken back.
 */
export async function openWork(store: Store): Promise<number> {
  const range = { limit: MANY }
  const dirty = await store.records('dirty_flow', 'open', range)
  const counts = [
    await store.executions({ status: OPEN, limit: MANY }),
    await store.records('escalation', 'approved', range),
    await store.records('notice', 'due', range),
    await store.records('agent_stop', 'agents', range),
    dirty.filter(({ body }) => body.standing === 'compensating'),
  ]
  return counts.reduce((sum, { length }) => sum + length, 0)
}
