/**
 * Proven intents of a flow as an in-toto statement, which tools of others verify in its DSSE envelope. It carries the
 * agent's own signature as an envelope of its own, and what the evidence hash is made of, so that whoever has the
 * statement and public keys recomputes the proof without anything else of ours.
 */
import type { Address } from '../canonical/address.ts'
import { encodeBase64, encodeUtf8 } from '../canonical/bytes.ts'
import { toPayloadType } from '../canonical/dsse.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { isObject } from '../canonical/json-value.ts'
import { hashText, type Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Signature } from '../keys/key.ts'
import { toProofCarryingIntent, toSignedText } from '../proposal/proof-carrying-intent.ts'

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
export const STATEMENT_PAYLOAD = 'application/vnd.in-toto+json'
export const PROOF_PREDICATE = 'urn:rubicon:proof-carrying-intents:v1'

/** A DSSE envelope. */
export type DsseEnvelope = {
  readonly payload: string
  readonly payloadType: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

/** Of one proven intent that was recorded. */
export type ProvenDecision = {
  /** As it was recorded, with its evidence hash and signature. */
  readonly proposal: JsonObject
  readonly intent: JsonObject & { readonly intent_id: Address; readonly step_id: string }
  /** The contract that its proof binds. */
  readonly contract: JsonValue
  readonly rules_hash: Address
  /** Where it stands in the ledger. */
  readonly entry: {
    readonly id: Address
    readonly trajectory: string
    readonly seq: number
    readonly leaf: number
  }
  /** What became of it so far. */
  readonly outcome: string
}

export type StatementInput = {
  readonly dfid: string
  readonly tenant: string
  /** The signed state of the log that holds the entries. */
  readonly checkpoint: string
  readonly decisions: readonly ProvenDecision[]
}

export function buildStatementText(
  { dfid, tenant, checkpoint, decisions }: StatementInput,
  sha256: Sha256,
): string {
  return toCanonicalText({
    _type: STATEMENT_TYPE,
    predicate: { checkpoint, decisions: decisions.map(describeDecision), dfid, tenant },
    predicateType: PROOF_PREDICATE,
    subject: decisions.map(({ proposal, intent }) => ({
      digest: { sha256: hashText(toCanonicalText(toPublished(proposal)), sha256) },
      name: `${dfid}/${intent.step_id}`,
    })),
  })
}

function describeDecision(decision: ProvenDecision): JsonObject {
  const { proposal, intent, contract, rules_hash, entry, outcome } = decision
  const { agent_id = null, context_ref = null, evidence_hash = null } = proposal
  return {
    agent_id,
    entry,
    evidence: { context_ref, contract, evidence_hash, rules_hash },
    intent,
    outcome,
    pci: toAgentEnvelope(proposal),
  }
}

/** What the agent signed, with its signature, as any DSSE library reads it. */
function toAgentEnvelope(proposal: JsonObject): DsseEnvelope {
  const { type, text } = toSignedText(proposal)
  const { key_id, sig } = isObject(proposal.signature) ? proposal.signature : {}
  return {
    payload: encodeBase64(encodeUtf8(text)),
    payloadType: toPayloadType(type),
    signatures: [{ keyid: String(key_id), sig: String(sig) }],
  }
}

function toPublished(proposal: JsonObject): JsonObject {
  return toProofCarryingIntent(proposal) ?? {}
}

/** As one line. */
export function formatStatement(text: string, { key_id, sig }: Signature): string {
  const envelope: DsseEnvelope = {
    payload: encodeBase64(encodeUtf8(text)),
    payloadType: STATEMENT_PAYLOAD,
    signatures: [{ keyid: key_id, sig }],
  }
  return `${toCanonicalText(envelope)}\n`
}
