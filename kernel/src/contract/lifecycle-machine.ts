import type { AgentStatus, LifecycleActor } from './lifecycle.ts'

type Moves = Readonly<Partial<Record<AgentStatus, readonly LifecycleActor[]>>>

/**
 * Who may move an agent where. An agent can only end itself; what was suspended comes back only by
 * an operator; nobody leaves RETIRED.
 */
const MOVES: Readonly<Record<AgentStatus, Moves>> = {
  INITIALIZING: {
    ACTIVE: ['registry'],
    // An operator may stop what has not started.
    SUSPENDED: ['operator'],
    RETIRED: ['operator'],
  },
  ACTIVE: {
    SUSPENDED: ['runtime', 'operator'],
    RETIRED: ['agent', 'operator', 'runtime'],
  },
  SUSPENDED: {
    ACTIVE: ['operator'],
    RETIRED: ['operator'],
  },
  RETIRED: {},
}

/** Agents come into being by deployment; none registers itself. */
const BIRTH: Moves = { INITIALIZING: ['operator'] }

export function mayMove(from: AgentStatus | null, to: AgentStatus, actor: LifecycleActor): boolean {
  const moves = from === null ? BIRTH : MOVES[from]
  return moves[to]?.includes(actor) ?? false
}
