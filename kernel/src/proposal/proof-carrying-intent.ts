/**
 * A proposal that proves itself: what is wanted, bound to what was seen and under which contract and rules, signed by
 * the agent. Whoever holds the ledger and public keys can check it long after everything that made it is gone.
 *
 * It travels in the published form (`dfid`, `intent_payload`, `context_ref`, `evidence_hash`, `roa_signature`, `key_id`)
 * and is judged and recorded as the signed proposal that it is, with its evidence hash. The one can be made of the other:
 * the agent is named by its key alone, and `agent_id` is the only member that the published form does not hold.
 */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { isObject } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Refusal } from '../compile/verdict.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'

/** A proposal with its proof, as an agent sends it. */
export type ProofCarryingIntent = {
  /** The flow. */
  readonly dfid: string
  /** The proposal, but for what stands beside it here. */
  readonly intent_payload: JsonObject
  /** The snapshot that it was decided on. */
  readonly context_ref: string
  /** Binds flow, snapshot, contract and rules. */
  readonly evidence_hash: string
  /** By the agent's key, over everything else. */
  readonly roa_signature: string
  /** The key. */
  readonly key_id: string
}

/** Said outside of the payload, or not by an agent at all. */
const OUTSIDE: readonly string[] = [
  'agent_id',
  'context_ref',
  'dfid',
  'evidence_hash',
  'signature',
  'supersedes',
]
const TEXTS = ['dfid', 'context_ref', 'evidence_hash', 'roa_signature', 'key_id'] as const

export function isProofCarrying(document: JsonValue): document is JsonObject {
  return isObject(document) && Object.hasOwn(document, 'intent_payload')
}

/** There is one form in which a proof is sent: a hash that stands alone is none. Null: there is no such. */
export function findLooseProof(document: JsonValue): Refusal | null {
  if (!isObject(document) || document.evidence_hash === undefined) return null
  const problem = { member: 'evidence_hash', detail: 'stands beside `intent_payload`' }
  return { code: 'SCHEMA_INVALID', details: { problems: [problem] } }
}

/** As the proposal that is judged and recorded; its members are checked where every proposal is. */
export function toProvenProposal(
  document: JsonObject,
  agent_id: string,
): Result<JsonObject, Refusal> {
  const { intent_payload, dfid, context_ref, evidence_hash, roa_signature, key_id } = document
  const problems = findFormProblems(document)
  if (problems.length > 0 || !isObject(intent_payload))
    return err({ code: 'SCHEMA_INVALID', details: { problems } })
  return ok({
    ...intent_payload,
    agent_id,
    context_ref: context_ref ?? null,
    dfid: dfid ?? null,
    evidence_hash: evidence_hash ?? null,
    signature: { key_id: key_id ?? null, sig: roa_signature ?? null },
  })
}

type Problem = { readonly member: string; readonly detail: string }

function findFormProblems(document: JsonObject): Problem[] {
  const { intent_payload } = document
  const known = new Set<string>(['intent_payload', ...TEXTS])
  const unknown = Object.keys(document).filter((name) => !known.has(name))
  const untold = TEXTS.filter((name) => typeof document[name] !== 'string')
  const inside = isObject(intent_payload)
    ? OUTSIDE.filter((name) => Object.hasOwn(intent_payload, name))
    : []
  return [
    ...unknown.map((member) => ({ member, detail: 'is unknown' })),
    ...untold.map((member) => ({ member, detail: 'is not text' })),
    ...(isObject(intent_payload) ? [] : [{ member: 'intent_payload', detail: 'is not an object' }]),
    ...inside.map((name) => ({
      member: `intent_payload/${name}`,
      detail: 'stands beside the payload, not in it',
    })),
  ]
}

/** What a signature covers, and as what. */
export type SignedText = { readonly type: 'proposal' | 'pci'; readonly text: string }

/** What an agent signs: its proposal without the signature, in the form in which it is sent. */
export function toSignedText(proposal: JsonObject): SignedText {
  const { signature, ...said } = proposal
  if (said.evidence_hash === undefined) return { type: 'proposal', text: toCanonicalText(said) }
  const { agent_id: _, dfid, context_ref, evidence_hash, ...intent_payload } = said
  const { key_id } = isObject(signature) ? signature : {}
  const text = toCanonicalText({
    context_ref: context_ref ?? null,
    dfid: dfid ?? null,
    evidence_hash,
    intent_payload,
    key_id: key_id ?? null,
  })
  return { type: 'pci', text }
}

/** The published form again, of a proposal that was recorded; undefined: it carries no proof. */
export function toProofCarryingIntent(proposal: JsonValue): JsonObject | undefined {
  if (!isObject(proposal) || proposal.evidence_hash === undefined) return undefined
  const { agent_id: _, dfid, context_ref, evidence_hash, signature, ...intent_payload } = proposal
  const { key_id, sig } = isObject(signature) ? signature : {}
  return {
    dfid: dfid ?? null,
    intent_payload,
    context_ref: context_ref ?? null,
    evidence_hash,
    roa_signature: sig ?? null,
    key_id: key_id ?? null,
  }
}
