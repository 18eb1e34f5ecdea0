/**
 * Agents that have to be stopped. The mark is part of the unit of its cause, and goes away when the
 * agent is stopped: an engine that dies in between leaves it to the next one.
 */
import { type Authority, findClassContract, findPinnedContract, LIMITS } from 'rubicon-kernel'
import type { RecordBodies, StoredRecord } from '../../ports/record.ts'
import type { FlowRow, Write } from '../../ports/store.ts'
import { moveAgent } from '../authority/registry/lifecycle.ts'
import type { Context } from '../engine-context.ts'

const AGENTS = 'agents'

type StopMark = StoredRecord<'agent_stop'>

export function stopMark(agent: string, body: RecordBodies['agent_stop']): Write {
  return { kind: 'put_record', record: 'agent_stop', group: AGENTS, key: agent, body }
}

/**
 * Whoever asks people too often is stopped; only an operator starts it again. Instances ask in the name
 * of their class, so that the class is stopped, not the one that happened to ask last. One with
 * a smaller number of its own stops nobody: its siblings may have spent that, and the class has some left.
 * `alone`: only its narrowing asked, which is counted and stopped for the instance.
 */
export function buildBudgetStop(
  authority: Pick<Authority, 'contracts'>,
  { agent_id, contract_hash, dfid }: Pick<FlowRow, 'agent_id' | 'contract_hash' | 'dfid'>,
  alone: boolean,
): readonly Write[] {
  const own = findPinnedContract(authority, agent_id, contract_hash)
  const ofClass = alone ? undefined : findClassContract(authority, own)
  const perHour = ofClass?.safety_rules.escalations_per_hour ?? 0
  if (own !== undefined && own.contract.safety_rules.escalations_per_hour < perHour) return []
  const reason_code = 'ESCALATION_BUDGET_EXHAUSTED'
  const justification = `${reason_code}, last in flow ${dfid}`
  const stop = { to: 'SUSPENDED', actor: 'runtime', justification, reason_code } as const
  return [stopMark(ofClass?.agent_id ?? agent_id, stop)]
}

/** Those that wait for it. */
export async function stopMarks({ store }: Context): Promise<readonly StopMark[]> {
  return store.listRecords('agent_stop', AGENTS, { limit: LIMITS.entriesPerPage })
}

/** Stops all of them, or throws. */
export async function stopMarked(context: Context): Promise<void> {
  for (const mark of await stopMarks(context)) await stopAgent(context, mark)
}

export async function stopAgent(context: Context, { key, body }: StopMark): Promise<boolean> {
  const done: Write = { kind: 'drop_record', record: 'agent_stop', group: AGENTS, key }
  const moved = await moveAgent(context, { agent_id: key, ...body }, [done])
  // One that is stopped already, or ended, stays so.
  if (!moved.ok && moved.error.code === 'LIFECYCLE_REFUSED')
    await context.store.commit({ guards: [], writes: [done] })
  return moved.ok
}
