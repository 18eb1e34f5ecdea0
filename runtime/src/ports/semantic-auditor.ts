/**
 * Looks at what was carried out, afterwards and in batches: did it serve the business, or only keep
 * the rules? It may ask a model, and is never on the path of a decision.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'

/** One step that was carried out. */
export type AuditedStep = {
  readonly dfid: string
  readonly step_id: string
  readonly agent_id: string
  readonly mission: string
  /** What opened the flow; an outsider may have written it. */
  readonly trigger: string
  readonly policy_kind: string
  readonly params: JsonObject
  readonly justification: string
  /** What was known when it was decided, by path. */
  readonly state: Readonly<Record<string, JsonValue>>
  readonly outcome: { readonly observations: readonly JsonValue[]; readonly at: string }
}

export type AuditVerdict = 'aligned' | 'drifted'

export type AuditFinding = {
  readonly dfid: string
  readonly step_id: string
  readonly verdict: AuditVerdict
  readonly why: string
}

export interface SemanticAuditor {
  readonly name: string
  /** One finding for every step, in any order. The signal is raised when nobody waits any more. */
  review(steps: readonly AuditedStep[], signal: AbortSignal): Promise<readonly AuditFinding[]>
}
