/** Moves agents through their lives. `moveProblem` is the law; every refusal of it is a failure. */
import {
  type AgentStatus,
  type Authority,
  err,
  type Failure,
  isInstance,
  LIMITS,
  type LifecycleActor,
  moveProblem,
  ok,
  type Result,
  shorten,
} from 'rubicon-kernel'
import type { Unit, Write } from '../../../ports/store.ts'
import { signDocument } from '../../rows/sign.ts'
import {
  appendAuthority,
  buildAuthorityWrite,
  type Registrar,
  type SignedEntry,
} from './append-authority.ts'
import { endSessions } from './sessions.ts'
import { buildSuspensionNotice } from './suspension-notice.ts'

export type LifecycleMove = {
  readonly agent_id: string
  readonly to: AgentStatus
  readonly actor: LifecycleActor
  readonly justification: string
  /** The person who asks; without one, the key that signs for the actor. */
  readonly by?: string
  /** Of a suspension by the runtime, for whoever is told of it. */
  readonly reason_code?: string
}

export async function moveAgent(
  registrar: Registrar,
  move: LifecycleMove,
  also: readonly Write[] = [],
): Promise<Result<void, Failure>> {
  const done = await appendAuthority(registrar, async (authority) => {
    const moved = await prepareMove(registrar, authority, move)
    if (!moved.ok) return moved
    const { entry, beside } = moved.value
    return ok({ entries: [entry], beside: [...also, ...beside], value: undefined })
  })
  return done.ok ? ok(undefined) : done
}

/** The same as part of another unit, decided on that authority: what led to it is recorded with it. */
export async function moveUnit(
  deps: Registrar,
  authority: Authority,
  move: LifecycleMove,
): Promise<Result<Unit, Failure>> {
  const moved = await prepareMove(deps, authority, move)
  if (!moved.ok) return moved
  const { entry, beside } = moved.value
  return ok({
    guards: [{ kind: 'authority_seq', seq: authority.seq }],
    writes: [buildAuthorityWrite(entry.kind, entry.payload), ...beside],
  })
}

type Moved = { readonly entry: SignedEntry; readonly beside: readonly Write[] }

async function prepareMove(
  deps: Registrar,
  authority: Authority,
  move: LifecycleMove,
): Promise<Result<Moved, Failure>> {
  const entry = await signLifecycleEntry(deps, authority, move)
  if (!entry.ok) return entry
  const ended = await endSessionsAfter(deps, authority, move)
  const notices = buildSuspensionNotice(deps.clock, move, authority.seq + 1)
  return ok({ entry: entry.value, beside: [...ended, ...notices] })
}

/** The only move that an agent may ask for itself. */
export function retireItself(
  registrar: Registrar,
  agent_id: string,
  reason = 'its own request',
): Promise<Result<void, Failure>> {
  return moveAgent(registrar, buildRetirement(agent_id, reason))
}

export function buildRetirement(agent_id: string, justification: string): LifecycleMove {
  return { agent_id, to: 'RETIRED', actor: 'agent', justification }
}

/**
 * A handshake opens sessions; every other move of an agent that was born ends them. One that stops it
 * ends those of its instances too, which are stopped with it.
 */
export async function endSessionsAfter(
  deps: Registrar,
  { contracts, statuses }: Authority,
  { agent_id, to }: Pick<LifecycleMove, 'agent_id' | 'to'>,
): Promise<readonly Write[]> {
  const stops = to === 'SUSPENDED' || to === 'RETIRED'
  const ended: Write[] = []
  for (const [agent, [first]] of contracts) {
    const isMoved = agent === agent_id || (stops && first?.contract.instance_of === agent_id)
    const status = statuses.get(agent)
    if (isMoved && (status === 'ACTIVE' || status === 'SUSPENDED'))
      ended.push(...(await endSessions(deps, agent)))
  }
  return ended
}

/** `from`, where the unit itself has moved the agent before. */
export async function signLifecycleEntry(
  deps: Registrar,
  authority: Authority,
  move: LifecycleMove & { readonly from?: AgentStatus; readonly instance?: boolean },
): Promise<Result<SignedEntry, Failure>> {
  const { agent_id, to, actor } = move
  const from = move.from ?? authority.statuses.get(agent_id) ?? null
  const justification = shorten(move.justification, LIMITS.justificationLength)
  const instance = move.instance ?? isInstance(authority, agent_id)
  const kind = instance ? 'instance' : 'class'
  const problem = moveProblem({ from, to, actor, justification, kind })
  if (problem === 'JUSTIFICATION_REQUIRED') return err(buildUnjustifiedFailure(agent_id))
  if (problem !== null && from === to) return err(buildUnmovedFailure(agent_id, to))
  if (problem !== null)
    return err({
      code: 'LIFECYCLE_REFUSED',
      summary: `${actor} cannot move \`${agent_id}\` from ${from ?? 'nothing'} to ${to}`,
      fix: 'see the lifecycle in docs/glossary.md',
    })
  const purpose = actor === 'operator' ? 'operator' : 'kernel'
  const by = move.by ?? deps.signer.publicKey(purpose)?.key_id ?? purpose
  const body = { agent_id, from, to, actor, by, justification }
  const signature = await signDocument(deps, purpose, 'lifecycle', body)
  return ok({ kind: 'lifecycle', payload: { body, signature } })
}

function buildUnmovedFailure(agent: string, to: AgentStatus): Failure {
  return {
    code: 'LIFECYCLE_REFUSED',
    summary: `\`${agent}\` is ${to} already`,
    fix: 'nothing has to be done',
  }
}

function buildUnjustifiedFailure(agent: string): Failure {
  return {
    code: 'JUSTIFICATION_REQUIRED',
    summary: `\`${agent}\` is suspended, and no reason is given to reactivate it`,
    why: 'the record must show why a suspended agent was reactivated',
    fix: 'give a justification',
  }
}
