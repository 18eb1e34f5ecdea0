/**
 * ESCALATE: the agent asks for a person. Nobody is asked before it is on the record, so that the
 * request, and the flow that then waits, belong to the unit that settles the step.
 */
import { buildAskedTrigger, findPinnedContract, type SignedIntent } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { type AskedAbout, askAboutFlow } from './ask-flow.ts'

/** Null: the agent has no contract any more, and a flow that nobody answers for just ends. */
export async function askPerson(
  context: Context,
  flow: FlowRow,
  { params }: SignedIntent,
  now: string,
): Promise<AskedAbout | null> {
  const { agent_id, contract_seq, contract_hash } = flow
  const authority = await context.authorities.loadAtLeast(contract_seq)
  const contract = findPinnedContract(authority, agent_id, contract_hash)?.contract
  if (contract === undefined) return null
  const trigger = buildAskedTrigger(String(params.reason))
  return askAboutFlow(context, flow, now, contract, { kind: 'asked', trigger })
}
