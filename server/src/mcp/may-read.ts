import { findCurrentContract, formatInstant } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'

/** Which kinds the contract of an agent has now: what servers offer of others is not its business either. */
export async function loadMayRead(
  { context: { authorities, clock } }: Pick<Engine, 'context'>,
  agent: string,
): Promise<(kind: string) => boolean> {
  const authority = await authorities.loadLatest()
  const contract = findCurrentContract(authority, agent, formatInstant(clock.now()))?.contract
  const kinds = contract?.permissions.policy_kinds ?? []
  return (kind) => kinds.includes(kind)
}
