/**
 * Looks at what was carried out, afterwards and in batches: did it serve the business, or only keep
 * the rules? It may ask a model, and is never on the path of a decision.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'

/** One step that was carried out. */
export type AuditedStep = {
  /** Its flow. */
  readonly dfid: string
  /** Its name in the flow. */
  readonly step_id: string
  /** Who proposed it. */
  readonly agent_id: string
  /** What the agent's contract says that it is for. */
  readonly mission: string
  /** What opened the flow; an outsider may have written it. */
  readonly trigger: string
  /** Of the capability. */
  readonly policy_kind: string
  /** What it was called with. */
  readonly params: JsonObject
  /** Why, as the agent said. */
  readonly justification: string
  /** What was known when it was decided, by path. */
  readonly state: Readonly<Record<string, JsonValue>>
  /** What was observed of it, and when. */
  readonly outcome: { readonly observations: readonly JsonValue[]; readonly at: string }
}

/** Whether a step served its mission. */
export type AuditVerdict = 'aligned' | 'drifted'

/** What an auditor says of a step. */
export type AuditFinding = {
  /** Its flow. */
  readonly dfid: string
  /** Its name in the flow. */
  readonly step_id: string
  /** Whether it served the mission. */
  readonly verdict: AuditVerdict
  /** For people. */
  readonly why: string
}

/** Looks at steps after they were carried out. */
export interface SemanticAuditor {
  /** By which findings name it. */
  readonly name: string
  /** One finding for every step, in any order. The signal is raised when nobody waits any more. */
  review(steps: readonly AuditedStep[], signal: AbortSignal): Promise<readonly AuditFinding[]>
}
