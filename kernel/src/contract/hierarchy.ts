/**
 * Who answers for whom. An escalation climbs from an agent to its parent, so the chain of parents
 * must end: not in a circle, and not after more steps than authority may be handed down.
 */
import { LIMITS } from '../limits.ts'

/** The parent that an agent's contract names. */
export type ParentOf = (agent: string) => string | undefined

export type HierarchyProblem = {
  readonly problem: 'cycle' | 'too_deep'
  /** The agent itself first, then upwards, as far as it was followed. */
  readonly chain: readonly string[]
}

/** Those above an agent, nearest first; as far as they may go, and never in a circle. */
export function listAncestors(agent: string, parentOf: ParentOf): readonly string[] {
  const chain: string[] = []
  for (let next = parentOf(agent); next !== undefined; next = parentOf(next)) {
    if (next === agent || chain.includes(next) || chain.length === LIMITS.delegationDepth) break
    chain.push(next)
  }
  return chain
}

/** What is wrong with the chain above an agent, or null. A parent that nobody deployed ends it. */
export function findHierarchyProblem(agent: string, parentOf: ParentOf): HierarchyProblem | null {
  const chain = [agent]
  for (let next = parentOf(agent); next !== undefined; next = parentOf(next)) {
    const problem = chain.includes(next) ? 'cycle' : 'too_deep'
    chain.push(next)
    if (problem === 'cycle' || chain.length > LIMITS.delegationDepth + 1) return { problem, chain }
  }
  return null
}

/** Whether an agent is the other, or is answered for by it: its chain of parents leads there. */
export function hasAncestorOrSelf(agent: string, to: string, parentOf: ParentOf): boolean {
  let at: string | undefined = agent
  for (let steps = 0; at !== undefined && steps <= LIMITS.delegationDepth; steps += 1) {
    if (at === to) return true
    at = parentOf(at)
  }
  return false
}
