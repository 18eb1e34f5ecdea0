/**
 * Did the agent say it? What the facts of a decision say of who spoke is the kernel's word; a signed
 * proposal says it itself.
 */
import {
  type AcceptedPayload,
  type AuthFact,
  isObject,
  type JsonObject,
  type JsonValue,
  type SignedIntent,
  toSignedText,
} from 'rubicon-kernel'
import type { KeyRing } from './key-ring.ts'

/** What takes back carries what was said of its choice. */
export function findSpokenProblems(
  ring: KeyRing,
  { intent, proposal, facts }: AcceptedPayload,
): readonly string[] {
  if (intent.compensation !== undefined || facts === undefined) return []
  const { auth } = facts
  const signed = isObject(proposal) ? proposal.signature : undefined
  if (isObject(proposal) && signed !== undefined)
    return findSignedProposalProblems(ring, proposal, signed, auth)
  const isModified = isObject(proposal) && proposal.supersedes !== undefined
  return isSaid(auth, intent, isModified) ? [] : ['nothing proves that its agent sent the proposal']
}

/**
 * Without a signature: in a session of the agent, or by the person who modified it; where that asked
 * again, by whoever let it pass as it had become.
 */
function isSaid(
  auth: AuthFact,
  { agent_id, approval }: SignedIntent,
  isModified: boolean,
): boolean {
  if (auth.kind === 'session') return auth.agent_id === agent_id
  if (auth.kind === 'signature') return false
  if (approval?.request_id !== auth.request_id) return false
  return approval.decision === 'MODIFY' || isModified
}

function findSignedProposalProblems(
  ring: KeyRing,
  proposal: JsonObject,
  signature: JsonValue,
  auth: AuthFact,
): readonly string[] {
  const { key_id, sig } = isObject(signature) ? signature : {}
  const isNamed = auth.kind === 'signature' && auth.signature.key_id === key_id
  if (!isNamed || typeof key_id !== 'string' || typeof sig !== 'string')
    return ['its proposal was signed with another key']
  const { type, text } = toSignedText(proposal)
  return ring.isSigned(key_id, type, text, sig) ? [] : ['the signature of its proposal is invalid']
}
