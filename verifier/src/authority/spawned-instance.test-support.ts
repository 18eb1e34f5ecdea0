/** An instance that the runtime has made of the class of the sample ledger. */
import { type Address, type Contract, computeAddress, type JsonObject } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { bootstrap, contract, contractHash } from '../samples/sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto
export const INSTANCE = 'agent-1-a'
/** Where the spawning stands: behind keys, policy, contract and lifecycle of the class. */
export const SPAWNED = 9

export const own: Contract = { ...contract, agent_id: INSTANCE, instance_of: contract.agent_id }

export type Spawn = {
  readonly contract?: Contract
  readonly of?: Address
  readonly by?: 'operator'
  readonly occasion?: JsonObject
}

/** The class, and an instance of it. */
export function spawned(change: Spawn = {}): LedgerBuilder {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  spawn(builder, change)
  return builder
}

export function spawn(builder: LedgerBuilder, change: Spawn): void {
  const made = change.contract ?? own
  const body: JsonObject = {
    action: 'spawn',
    contract: made,
    contract_hash: computeAddress('contract', made, sha256),
    of: change.of ?? contractHash,
    ...(change.occasion === undefined ? {} : { occasion: change.occasion }),
  }
  builder.decree('contract', body, change.by === 'operator' ? builder.operator : builder.kernel)
}

export async function found(builder: LedgerBuilder): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}
