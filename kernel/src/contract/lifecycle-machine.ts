/**
 * Who may move an agent where, and with what said. The one place that decides it: whoever moves an
 * agent, by a call, a verb, a handshake, a restart or a deployment, asks here.
 *
 * 1. An agent can only end itself.
 * 2. What was suspended comes back only by an operator who says why, and so it ends; an instance ends
 *    with its occasion all the same.
 * 3. Agents come into being by deployment, their instances by the runtime; none registers itself.
 * 4. Nobody leaves RETIRED.
 */
import { isBlank } from '../context/is-blank.ts'
import type { AgentStatus, LifecycleActor } from './lifecycle.ts'

type Moves = Readonly<Partial<Record<AgentStatus, readonly LifecycleActor[]>>>

const MOVES: Readonly<Record<AgentStatus, Moves>> = {
  INITIALIZING: {
    ACTIVE: ['registry'],
    // What has not started may be stopped: a class for what its instances did.
    SUSPENDED: ['runtime', 'operator'],
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

/** A class agent is deployed under its own contract, an instance spawned under its class's. */
export type AgentKind = 'class' | 'instance'

const BIRTH: Readonly<Record<AgentKind, Moves>> = {
  class: { INITIALIZING: ['operator'] },
  instance: { INITIALIZING: ['runtime'] },
}

export function mayMove(
  from: AgentStatus | null,
  to: AgentStatus,
  actor: LifecycleActor,
  kind: AgentKind = 'class',
): boolean {
  const ends = kind === 'instance' && to === 'RETIRED' && actor === 'runtime'
  if (from === 'SUSPENDED' && ends) return true
  const moves = from === null ? BIRTH[kind] : MOVES[from]
  return moves[to]?.includes(actor) ?? false
}

export type Move = {
  readonly from: AgentStatus | null
  readonly to: AgentStatus
  readonly actor: LifecycleActor
  readonly justification: string
  readonly kind?: AgentKind
}

/** Why the move is refused, or null. */
export function moveProblem(move: Move): 'LIFECYCLE_REFUSED' | 'JUSTIFICATION_REQUIRED' | null {
  const { from, to, actor, justification, kind } = move
  if (!mayMove(from, to, actor, kind)) return 'LIFECYCLE_REFUSED'
  // A signature under nothing lifts a suspension as well as one under a reason, but explains none.
  if (from === 'SUSPENDED' && isBlank(justification)) return 'JUSTIFICATION_REQUIRED'
  return null
}
