/** What the fold makes of an atom where it is issued. */
import type { SignedAtom } from 'rubicon-kernel'
import type { ReadEntry } from '../reading/read-entry.ts'
import { type FoldState, findReadableContract } from './fold-state.ts'

export function foldAtom(
  state: FoldState,
  { envelope }: ReadEntry,
  atom: SignedAtom,
  authoritySeq: number,
): readonly string[] {
  const { dfid = '', at } = envelope
  const { authority, atoms, ended, erased } = state
  const flow = authority.flows.get(dfid)
  const contract = findReadableContract(state, atom.agent_id, atom.contract_hash)
  const found = atoms.issue(atom, { dfid, at, seq: authoritySeq, flow, contract })
  return ended.has(dfid) && !erased.has(dfid) ? [...found, 'its flow had ended'] : found
}
