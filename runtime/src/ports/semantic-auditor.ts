/**
 * Looks at what was carried out, afterwards and in batches: did it serve the business, or only keep
 * the rules? It may ask a model, and is never on the path of a decision.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import type { AskModel } from './adviser-model.ts'

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

/** Whether a step served its mission; `no_opinion`: it was shown, and nobody can tell. */
export type AuditVerdict = 'aligned' | 'drifted' | 'no_opinion'

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
