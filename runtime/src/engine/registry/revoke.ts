/** Ends authority at once: a writ, a contract, or everything that an agent has. */
import { type AgentStatus, err, type Failure, ok, type Result } from 'rubicon-kernel'
import type { Deps } from '../deps.ts'
import { signDocument } from '../sign.ts'
import { appendAuthority, entered, type Registrar, type SignedEntry } from './append-authority.ts'
import { lifecycleEntry, sessionsAfter } from './lifecycle.ts'

export type Revocation = {
  readonly target: 'writ' | 'contract'
  readonly id: string
  readonly reason: string
}

export async function revoke(
  registrar: Registrar,
  target: Revocation,
): Promise<Result<{ readonly seq: number }, Failure>> {
  const done = await appendAuthority(registrar, async () =>
    entered(await revocationEntry(registrar, target)),
  )
  return done.ok ? ok({ seq: done.value.seq }) : done
}

async function revocationEntry(deps: Deps, body: Revocation): Promise<SignedEntry> {
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
    if (from === undefined) return err(noSuchAgent(agent_id))
    const revoked = await revocationEntry(registrar, { target: 'contract', id: agent_id, reason })
    if (isStopped(from)) return ok({ entries: [revoked], value: { from, to: from } })
    const move = {
      agent_id,
      to: 'SUSPENDED',
      actor: 'operator',
      justification: reason,
      ...(by === undefined ? {} : { by }),
    } as const
    const suspended = await lifecycleEntry(registrar, authority, move)
    if (!suspended.ok) return suspended
    const beside = await sessionsAfter(registrar, authority, move)
    return ok({ entries: [suspended.value, revoked], beside, value: { from, to: move.to } })
  })
  return done.ok ? ok({ seq: done.value.seq, ...done.value.value }) : done
}

function isStopped(status: AgentStatus): boolean {
  return status === 'SUSPENDED' || status === 'RETIRED'
}

function noSuchAgent(agent: string): Failure {
  return {
    code: 'AGENT_UNKNOWN',
    summary: `there is no agent \`${agent}\``,
    fix: 'see `rubicon agents`',
  }
}
