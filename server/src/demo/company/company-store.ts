/**
 * Whose a store is. The company works in one of its own: its agents have names that others use too, and where
 * there is one of that name already, its contract would be replaced and its tools be used for stories.
 */
import { hashContract } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import { buildCompanyContracts } from './contracts.ts'

/** True: nobody works in it yet, or the company has begun to. */
export async function isCompanyStore({ engine }: Pick<Runtime, 'engine'>): Promise<boolean> {
  const { authorities, sha256 } = engine.context
  const { contracts } = await authorities.loadLatest()
  if (contracts.size === 0) return true
  const [first] = buildCompanyContracts()
  if (first === undefined) return false
  const hash = hashContract(first, sha256)
  return contracts.get(first.agent_id)?.some((deployed) => deployed.hash === hash) === true
}
