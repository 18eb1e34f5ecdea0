/**
 * Looks at what was carried out, afterwards and in batches: did it serve the business, or only keep
 * the rules? It may ask a model, and is never on the path of a decision.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import type { AskModel } from './adviser-model.ts'

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

/** `no_opinion`: it was shown, and nobody can tell. */
export type AuditVerdict = 'aligned' | 'drifted' | 'no_opinion'

export type AuditFinding = {
  readonly dfid: string
  readonly step_id: string
  readonly verdict: AuditVerdict
  readonly why: string
}

export interface SemanticAuditor {
  readonly name: string
  /** Shows it one step at a time. Only then it may ask a model: what is asked stands in the flow of the step. */
  readonly alone?: boolean
  /**
   * One finding for every step, in any order. The signal is raised when nobody waits any more. Whoever throws is
   * shown the same steps again.
   */
  review(
    steps: readonly AuditedStep[],
    signal: AbortSignal,
    ask?: AskModel,
  ): Promise<readonly AuditFinding[]>
}
