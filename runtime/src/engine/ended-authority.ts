/** Whether what an intent stands on still stands, when it is to be sent some time after its decision. */
import {
  type Authority,
  assert,
  formatInstant,
  pinnedContract,
  type SignedIntent,
  statusOfAgent,
  type Writ,
} from 'rubicon-kernel'
import type { FlowRow } from '../ports/store.ts'
import type { Context } from './context.ts'

/** The flow whose authority the intent stands on: where it takes back, that of the choice. */
export async function bearerOf(
  { store }: Context,
  { compensation }: SignedIntent,
  flow: FlowRow,
): Promise<FlowRow> {
  if (compensation === undefined) return flow
  const chooser = await store.flow(compensation.dfid)
  assert(chooser !== null, 'a choice was made in a flow')
  return chooser
}

/** Why the effect may not be sent again, in words; null when it may. */
export function endedAuthority(
  authority: Authority,
  flow: FlowRow,
  chain: readonly Writ[],
  now: string,
): string | null {
  const status = statusOfAgent(authority, flow.agent_id)
  if (status !== 'ACTIVE') return `the agent is ${status ?? 'unknown'}`
  const deployed = pinnedContract(authority, flow.agent_id, flow.contract_hash)
  if (deployed === undefined || deployed.revoked) return 'the contract is revoked'
  if (chain.some(({ id }) => authority.revokedWrits.has(id))) return 'the writ is revoked'
  if (flow.writs.some(({ id }) => authority.revokedWrits.has(id)))
    return 'the writ of the flow is revoked'
  if (chain.some(({ signature }) => !counts(authority, signature.key_id)))
    return 'a key that signed the writ is compromised'
  return now < earliestEnd(chain) ? null : 'the writ has expired'
}

/** Without a writ there is no time at which anything may be sent. */
export function earliestEnd(chain: readonly Writ[]): string {
  return chain.map(({ body }) => body.window.expires_at).sort()[0] ?? formatInstant(0)
}

function counts({ keys }: Authority, keyId: string): boolean {
  const key = keys.get(keyId)
  return key !== undefined && key.compromised_since_seq === undefined
}
