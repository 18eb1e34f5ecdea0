/**
 * `pause_on_escalation`: an agent does nothing else while one of its flows waits, a class with all its
 * instances. That a flow begins to wait is counted, so that a decision reads the count with its other
 * counters, then looks for flows that wait, and its unit guards the count: none has begun since.
 */
import {
  type Authority,
  type Contract,
  findAgentClass,
  findPauseRefusal,
  type Refusal,
} from 'rubicon-kernel'
import type { FlowRow, Guard, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { countWaitingFlows } from '../rows/waiting-flows.ts'
import type { Gathered } from './gathered.ts'
import type { Received } from './receive.ts'

/** One for a class and its instances. There is no space in the names of other counters. */
export function toWaitingCounter(authority: Pick<Authority, 'contracts'>, agent: string): string {
  return `waits ${findAgentClass(authority, agent) ?? agent}`
}

/** For every unit that moves a flow of the agent to ESCALATED. It only ever grows. */
export function countWaiting(authority: Pick<Authority, 'contracts'>, agent: string): Write {
  return { kind: 'count', id: toWaitingCounter(authority, agent), by: 1 }
}

/** For a unit that may move a flow to ESCALATED. */
export async function countBeginning(
  { authorities }: Context,
  before: FlowRow,
  after: FlowRow,
): Promise<readonly Write[]> {
  if (before.state === 'ESCALATED' || after.state !== 'ESCALATED') return []
  return [countWaiting(await authorities.loadAtLeast(before.contract_seq), before.agent_id)]
}

/** Why an agent does nothing else while one of its flows waits; null where its contract lets it. */
export async function checkPaused(
  { store }: Context,
  { authority, input: { contract } }: Gathered,
  received: Received,
): Promise<Refusal | null> {
  if (contract === null || !isPausing(contract, received)) return null
  return findPauseRefusal(contract, await countWaitingFlows(store, authority, contract, 1))
}

/** No flow of the agent has begun to wait since the decision was read. */
export function buildPauseGuards(
  { view: { flow, counters }, authority, input: { contract } }: Gathered,
  received: Received,
): readonly Guard[] {
  if (contract === null || !isPausing(contract, received)) return []
  const id = toWaitingCounter(authority, flow.agent_id)
  return [{ kind: 'counter', id, by: 0, limit: counters[id] ?? 0 }]
}

/** What was approved is what everything else waits for. */
function isPausing({ safety_rules }: Contract, { release }: Received): boolean {
  return safety_rules.pause_on_escalation && release === undefined
}
