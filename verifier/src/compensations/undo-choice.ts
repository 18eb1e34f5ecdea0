/** What an intent chooses to have undone: a COMPENSATE now, a proven intent beforehand, for the case that it fails. */
import { REVERT, type SignedIntent } from 'rubicon-kernel'

export type Choice = { readonly dfid: unknown; readonly action: unknown; readonly isFixed: boolean }

/** Null: it chooses nothing. */
export function findChoice(intent: SignedIntent): Choice | null {
  const { policy_kind, compensation, params, dfid, on_failure } = intent
  if (compensation !== undefined) return null
  if (policy_kind === 'COMPENSATE')
    return { dfid: params.dfid, action: params.action, isFixed: false }
  return on_failure === 'REVERT_STATE' ? { dfid, action: REVERT, isFixed: true } : null
}

/** Addresses have a fixed length and identifiers no space, so that joining them keeps them apart. */
export function formatAuthorityKey(
  dfid: string,
  { agent_id, writ_id, contract_hash, proposal_hash }: SignedIntent,
): string {
  return `${writ_id}${contract_hash}${proposal_hash}${dfid} ${agent_id}`
}
