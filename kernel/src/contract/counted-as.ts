import type { Contract } from './contract.ts'

/** In whose name the deeds of an agent are counted: its class's, or a fresh instance began every count anew. */
export function getCountOwner({
  agent_id,
  instance_of,
}: Pick<Contract, 'agent_id' | 'instance_of'>): string {
  return instance_of ?? agent_id
}
