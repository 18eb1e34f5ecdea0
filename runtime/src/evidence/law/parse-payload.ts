/**
 * Payloads of a ledger as the types that they claim to have. Their shapes are judged where the ledger is folded;
 * here a member that is not what its type says makes the decision differ from the one that is recorded.
 */
import type { JsonObject, JsonValue, PolicyPayload, WritFact, WritPayload } from 'rubicon-kernel'

export function parsePolicy(payload: JsonObject): PolicyPayload {
  return payload as unknown as PolicyPayload
}

export function parseWrit(payload: JsonObject): WritPayload {
  return payload as unknown as WritPayload
}

export function parseWritFacts(writs: readonly JsonValue[]): readonly WritFact[] {
  return writs as unknown as readonly WritFact[]
}
