/** What the agent of an intent may name besides what it named: for hands that answer with names. */
import { createScopeTest, findPinnedContract, type SignedIntent } from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import { loadWritChain } from './writ-chain.ts'

/** Of a kind and a resource set: whether a value lies within contract and writs. */
export type IntentScope = (policyKind: string, set: string) => (value: string) => boolean

/** By the contract and the writs that the intent was decided on. What is not known of them admits nothing. */
export async function loadIntentScope(
  context: Context,
  { dfid, agent_id, contract_hash, writ_id }: SignedIntent,
): Promise<IntentScope> {
  const flow = await context.store.readFlow(dfid)
  const authority = await context.authorities.loadAtLeast(flow?.contract_seq ?? 0)
  const contract = findPinnedContract(authority, agent_id, contract_hash)?.contract
  if (flow === null || contract === undefined) return () => () => false
  const writs = (await loadWritChain(context, flow, writ_id)).map(({ body }) => body)
  const { regex } = context.book.rules
  return (policyKind, set) =>
    createScopeTest({
      ...{ contract, writs, policyKind, set },
      ...(regex === undefined ? {} : { regex }),
    })
}
