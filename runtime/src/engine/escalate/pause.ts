/**
 * `pause_on_escalation`: an agent does nothing else while one of its flows waits. That a flow begins to
 * wait is counted, so that a decision reads the count with its other counters, then looks for flows that
 * wait, and its unit guards the count: none has begun since.
 */
import { type Contract, pauseRefusal, type Refusal } from 'rubicon-kernel'
import type { Guard, Write } from '../../ports/store.ts'
import type { Context } from '../context.ts'
import type { Gathered } from '../gather.ts'
import type { Received } from '../receive.ts'

/** There is no space in the names of other counters. */
export function waitingCounter(agent: string): string {
  return `waits ${agent}`
}

/** For every unit that moves a flow of the agent to ESCALATED. It only ever grows. */
export function countWaiting(agent: string): Write {
  return { kind: 'count', id: waitingCounter(agent), by: 1 }
}

/** Why an agent does nothing else while one of its flows waits; null where its contract lets it. */
export async function pausedBy(
  { store }: Context,
  { input: { contract } }: Gathered,
  received: Received,
): Promise<Refusal | null> {
  if (contract === null || !isPausing(contract, received)) return null
  const { agent_id } = contract
  const waiting = await store.flows({ agent_id, state: ['ESCALATED'], limit: 1 })
  return pauseRefusal(contract, waiting.length)
}

/** No flow of the agent has begun to wait since the decision was read. */
export function unpaused(
  { view: { flow, counters }, input: { contract } }: Gathered,
  received: Received,
): readonly Guard[] {
  if (contract === null || !isPausing(contract, received)) return []
  const id = waitingCounter(flow.agent_id)
  return [{ kind: 'counter', id, by: 0, limit: counters[id] ?? 0 }]
}

/** What was approved is what everything else waits for. */
function isPausing({ safety_rules }: Contract, { release }: Received): boolean {
  return safety_rules.pause_on_escalation && release === undefined
}
