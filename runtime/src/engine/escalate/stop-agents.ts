/**
 * Agents that have to be stopped. The mark is part of the unit of its cause, and goes away when the
 * agent is stopped: an engine that dies in between leaves it to the next one.
 */
import { LIMITS } from 'rubicon-kernel'
import type { RecordBodies } from '../../ports/record.ts'
import type { FlowRow, Write } from '../../ports/store.ts'
import type { Context } from '../context.ts'
import { moveAgent } from '../registry/lifecycle.ts'

const AGENTS = 'agents'

export function stopMark(agent: string, body: RecordBodies['agent_stop']): Write {
  return { kind: 'put_record', record: 'agent_stop', group: AGENTS, key: agent, body }
}

/** Whoever asks people too often is stopped; only an operator starts it again. */
export function budgetStop({ agent_id, dfid }: Pick<FlowRow, 'agent_id' | 'dfid'>): Write {
  const reason_code = 'ESCALATION_BUDGET_EXHAUSTED'
  const justification = `${reason_code}, last in flow ${dfid}`
  return stopMark(agent_id, { to: 'SUSPENDED', actor: 'runtime', justification, reason_code })
}

/** Returns how many were stopped. */
export async function stopMarked(context: Context): Promise<number> {
  const { store } = context
  const marks = await store.records('agent_stop', AGENTS, { limit: LIMITS.entriesPerPage })
  for (const { key, body } of marks) {
    const done: Write = { kind: 'drop_record', record: 'agent_stop', group: AGENTS, key }
    const moved = await moveAgent(context, { agent_id: key, ...body }, [done])
    // One that is stopped already, or ended, stays so.
    if (!moved.ok && moved.error.code === 'LIFECYCLE_REFUSED')
      await store.commit({ guards: [], writes: [done] })
  }
  return marks.length
}
