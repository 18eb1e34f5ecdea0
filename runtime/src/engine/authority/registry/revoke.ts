/** Ends authority at once: a writ, a contract, or everything that an agent has. */
import {
  type AgentStatus,
  type Authority,
  err,
  type Failure,
  LIMITS,
  ok,
  type Result,
  shorten,
} from 'rubicon-kernel'
import type { Deps } from '../../deps.ts'
import { signDocument } from '../../rows/sign.ts'
import {
  appendAuthority,
  buildAuthorityChange,
  type Registrar,
  type SignedEntry,
} from './append-authority.ts'
import { isContract, isWrit } from './issued-here.ts'
import { endSessionsAfter, signLifecycleEntry } from './lifecycle.ts'

export type Revocation = {
  readonly target: 'writ' | 'contract'
  readonly id: string
  readonly reason: string
  /** The person who has it signed, where there is one beside the key. */
  readonly by?: string
}

export async function revoke(
  registrar: Registrar,
  target: Revocation,
): Promise<Result<{ readonly seq: number }, Failure>> {
  const done = await appendAuthority(registrar, async (authority) =>
    (await isThere(registrar, authority, target))
      ? buildAuthorityChange(await signRevocationEntry(registrar, target))
      : err(buildUnrevocableFailure(target)),
  )
  return done.ok ? ok({ seq: done.value.seq }) : done
}

function isThere(
  { store }: Deps,
  authority: Authority,
  { target, id }: Revocation,
): Promise<boolean> | boolean {
  return target === 'writ' ? isWrit(store, id) : isContract(authority, id)
}

function buildUnrevocableFailure({ target, id }: Revocation): Failure {
  return target === 'writ'
    ? {
        code: 'WRIT_MISSING',
        summary: `there is no writ \`${id}\``,
        why: 'none with that id was issued by hand, and no open flow uses one',
        fix: 'see `rubicon writ inspect`',
      }
    : {
        code: 'AGENT_UNKNOWN',
        summary: `no contract of \`${id}\` is deployed`,
        fix: 'see `rubicon agents`',
      }
}

/** Nothing stops later because of how somebody says why: half a character, or too many of them. */
async function signRevocationEntry(deps: Registrar, asked: Revocation): Promise<SignedEntry> {
  const body = { ...asked, reason: shorten(asked.reason, LIMITS.justificationLength) }
  const signature = await signDocument(deps, 'operator', 'revocation', body)
  return { kind: 'revocation', payload: { body, signature } }
}

export type Killed = { readonly seq: number; readonly from: AgentStatus; readonly to: AgentStatus }

/**
 * The kill switch: suspended and every version of its contract revoked, in one unit. There is no
 * moment in which one has happened and the other has not; instances fall with their class.
 */
export async function killAgent(
  registrar: Registrar,
  agent_id: string,
  reason: string,
  by?: string,
): Promise<Result<Killed, Failure>> {
  const done = await appendAuthority(registrar, async (authority) => {
    const from = authority.statuses.get(agent_id)
    if (from === undefined) return err(buildUnknownAgentFailure(agent_id))
    const person = by === undefined ? {} : { by }
    const target = { target: 'contract', id: agent_id, reason, ...person } as const
    const revoked = await signRevocationEntry(registrar, target)
    if (isStopped(from)) return ok({ entries: [revoked], value: { from, to: from } })
    const move = {
      agent_id,
      to: 'SUSPENDED',
      actor: 'operator',
      justification: reason,
      ...person,
    } as const
    const suspended = await signLifecycleEntry(registrar, authority, move)
    if (!suspended.ok) return suspended
    const beside = await endSessionsAfter(registrar, authority, move)
    return ok({ entries: [suspended.value, revoked], beside, value: { from, to: move.to } })
  })
  return done.ok ? ok({ seq: done.value.seq, ...done.value.value }) : done
}

function isStopped(status: AgentStatus): boolean {
  return status === 'SUSPENDED' || status === 'RETIRED'
}

function buildUnknownAgentFailure(agent: string): Failure {
  return {
    code: 'AGENT_UNKNOWN',
    summary: `there is no agent \`${agent}\``,
    fix: 'see `rubicon agents`',
  }
}
