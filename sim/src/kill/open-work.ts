import type { Store } from '../../../runtime/src/ports/store.ts'

const MANY = 1000
const OPEN = ['ACCEPTED', 'DISPATCHED', 'UNKNOWN', 'NOT_APPLIED'] as const

/**
 * How much is left that no person has to do: effects without an outcome, approvals that nothing became
 * of, notices that were not sent, agents that were not stopped, half jobs that are being taken back, requests to
 * models of which nobody recorded what became, events whose windows are open, and messages that were not sent.
 */
export async function openWork(store: Store): Promise<number> {
  const range = { limit: MANY }
  // In the order in which one becomes the other: what moves on between two looks is seen by the second.
  const approved = await store.listRecords('escalation', 'approved', range)
  const executions = await store.listExecutions({ status: OPEN, limit: MANY })
  const dirty = await store.listRecords('dirty_flow', 'open', range)
  const stops = await store.listRecords('agent_stop', 'agents', range)
  const notices = await store.listRecords('notice', 'due', range)
  const events = await store.listRecords('event', 'open', range)
  const letters = await store.listRecords('bus_letter', 'due', range)
  const generations = await store.listRecords('generation', 'open', range)
  const compensating = dirty.filter(({ body }) => body.standing === 'compensating')
  const counts = [approved, executions, compensating, stops, notices, generations, events, letters]
  return counts.reduce((sum, { length }) => sum + length, 0)
}
