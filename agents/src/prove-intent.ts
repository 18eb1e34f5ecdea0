/**
 * Makes a proposal prove itself: bound to the flow, the snapshot, the contract and the rules that the agent was shown, and
 * signed with its key. What it binds can be checked by anybody who has the ledger and the public keys.
 */
import { encodeHex, encodeUtf8, type JsonObject, toCanonicalText } from 'rubicon-kernel/canonical'
import type { WorkingContext } from 'rubicon-kernel/context'
import type { ProofCarryingIntent } from 'rubicon-kernel/proposal'
import type { ProposeWithin } from './agent/agent-flow.ts'
import { checkWithin } from './agent/check-within.ts'
import { type AgentKey, signDocument } from './agent-key.ts'

/** What a proof is made on. */
export type ProofGround = Pick<WorkingContext, 'dfid' | 'snapshot_id' | 'mission_context_hash'> & {
  /** Of contract and rules, as the context has them. */
  readonly evidence: NonNullable<WorkingContext['evidence']>
}

/**
 * Everything is said, and signed: nothing is filled in behind it. With a grammar, what it does not admit is not signed
 * (`DECODE_FAILED`).
 */
export async function proveIntent(
  key: AgentKey,
  { dfid, snapshot_id, mission_context_hash, evidence }: ProofGround,
  proposal: JsonObject,
  { grammar }: Pick<ProposeWithin, 'grammar'> = {},
): Promise<ProofCarryingIntent> {
  if (grammar !== undefined) checkWithin(grammar, proposal)
  const { context_ref = snapshot_id, dfid: _, agent_id: __, ...said } = proposal
  const { h_c, h_r } = evidence
  const seen = String(context_ref)
  const unsigned = {
    dfid,
    intent_payload: { mission_context_hash, ...said },
    context_ref: seen,
    evidence_hash: await hash(`${dfid}${await hash(seen)}${h_c}${h_r}`),
    key_id: key.key_id,
  }
  return { ...unsigned, roa_signature: await signDocument(key, 'pci', toCanonicalText(unsigned)) }
}

async function hash(text: string): Promise<string> {
  const bytes = new Uint8Array(encodeUtf8(text))
  return encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
