/**
 * The priority matrix: whose proposal stands when two exclude each other. It is an order of agents,
 * not of arrivals, so that being quick wins nothing.
 *
 * The lower number of the contract wins. Between equals the role decides: who watches for harm
 * before who plans, who plans before who carries out, since stopping for nothing can be made good
 * and acting wrongly cannot. The name is last, so that there is never a tie.
 */
import type { Contract, Role } from './contract.ts'

export const DEFAULT_PRIORITY = 50

export type Ranked = Pick<Contract, 'agent_id' | 'priority' | 'role'>

const RANK: Readonly<Record<Role, number>> = { MONITOR: 0, STRATEGIST: 1, EXECUTOR: 2 }

/** Negative: `a` comes first; 0 only for one and the same agent. */
export function compareByPriority(a: Ranked, b: Ranked): number {
  if (a.priority !== b.priority) return a.priority - b.priority
  if (a.role !== b.role) return RANK[a.role] - RANK[b.role]
  if (a.agent_id === b.agent_id) return 0
  return a.agent_id < b.agent_id ? -1 : 1
}

export function hasPriorityOver(a: Ranked, b: Ranked): boolean {
  return compareByPriority(a, b) < 0
}
