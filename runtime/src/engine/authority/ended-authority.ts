/** Whether what an intent stands on still stands, when it is to be sent some time after its decision. */
import {
  type Authority,
  findAgentStatus,
  findPinnedContract,
  formatInstant,
  type Writ,
} from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import { findStoppedDelegation } from './delegation.ts'

/** Why nothing may be sent on that authority, in words; null when it may. */
export function explainEndedAuthority(
  authority: Authority,
  flow: FlowRow,
  chain: readonly Writ[],
  now: string,
  delegated: readonly Writ[],
): string | null {
  const status = findAgentStatus(authority, flow.agent_id)
  if (status !== 'ACTIVE') return `the agent is ${status ?? 'unknown'}`
  const stopped = findStoppedDelegation(authority, delegated)
  if (stopped !== null)
    return `${stopped.writ.body.subject}, who delegated it, is ${stopped.status}`
  const deployed = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  if (deployed === undefined || deployed.revoked) return 'the contract is revoked'
  if (chain.some(({ id }) => authority.revokedWrits.has(id))) return 'the writ is revoked'
  if (flow.writs.some(({ id }) => authority.revokedWrits.has(id)))
    return 'the writ of the flow is revoked'
  if (chain.some(({ signature }) => !isKeyTrusted(authority, signature.key_id)))
    return 'a key that signed the writ is compromised'
  return now < findEarliestEnd(chain) ? null : 'the writ has expired'
}

/** Without a writ there is no time at which anything may be sent. */
export function findEarliestEnd(chain: readonly Writ[]): string {
  return chain.map(({ body }) => body.window.expires_at).sort()[0] ?? formatInstant(0)
}

function isKeyTrusted({ keys }: Authority, keyId: string): boolean {
  const key = keys.get(keyId)
  return key !== undefined && key.compromised_since_seq === undefined
}
