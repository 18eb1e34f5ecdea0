import { pauseRefusal, type Refusal } from 'rubicon-kernel'
import type { Context } from '../context.ts'
import type { Gathered } from '../gather.ts'
import type { Received } from '../receive.ts'

/** Why an agent does nothing else while one of its flows waits; null where its contract lets it. */
export async function pausedBy(
  { store }: Context,
  { input: { contract } }: Gathered,
  { release }: Received,
): Promise<Refusal | null> {
  // What was approved is what everything else waits for.
  if (contract?.safety_rules.pause_on_escalation !== true || release !== undefined) return null
  const { agent_id } = contract
  const waiting = await store.flows({ agent_id, state: ['ESCALATED'], limit: 1 })
  return pauseRefusal(contract, waiting.length)
}
