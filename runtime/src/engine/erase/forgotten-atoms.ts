/**
 * Decision atoms of a flow that is erased. It may have ended less than a minute ago, with atoms that nobody used: nobody
 * finds what they hold of the agent's window once their records are gone, so it goes back in the same unit.
 */
import { findPinnedContract } from 'rubicon-kernel'
import type { FlowRow, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { releaseAtom } from '../rows/atom-row.ts'
import { listOpenAtoms } from '../rows/open-atoms.ts'

/** For a unit that guards the version of the flow, which moves whenever an atom is given back otherwise. */
export async function returnForgottenAtoms(
  { store, authorities }: Context,
  flow: FlowRow,
): Promise<readonly Write[]> {
  const open = await listOpenAtoms(store, flow.dfid)
  if (open.length === 0) return []
  const authority = await authorities.loadAtLeast(flow.contract_seq)
  const contract = findPinnedContract(authority, flow.agent_id, flow.contract_hash)?.contract
  const nonce = flow.writs[0]?.nonce ?? flow.dfid
  return open.flatMap(({ body: { atom } }) => releaseAtom(nonce, atom, contract))
}
