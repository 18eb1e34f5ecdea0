/**
 * A guess about meaning: whether what an agent says fits what it proposes. It may ask a model, so it
 * stands outside the kernel and may be slow, wrong or down.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import type { AskModel } from './adviser-model.ts'

export type GuardInput = {
  /** The proposal as it was received; a copy of the guard's own. */
  readonly proposal: JsonObject
  /** What the agent says about it; empty when it says nothing. */
  readonly justification: string
  readonly context: {
    readonly agent_id: string
    readonly mission: string
    /** What opened the flow; an outsider may have written it. */
    readonly trigger: string
    readonly policy_kind: string
    /** By the capability: it lowers exposure, it can be undone, how bad it can be. */
    readonly reducing: boolean
    readonly reversible: boolean
    readonly risk: string
    /** As the kernel computed them. */
    readonly measures: Readonly<Record<string, JsonValue>>
  }
}

export type GuardFinding = { readonly mismatch: boolean; readonly why: string }

export interface SoftGuard {
  readonly name: string
  /** How long it may take, in milliseconds; left out: 5 s. At most as long as any model. */
  readonly timeoutMs?: number
  /**
   * The signal is raised when nobody waits for the answer any more. `ask` reaches a model, on the record of the
   * flow. Whoever has no opinion throws.
   */
  check(input: GuardInput, signal: AbortSignal, ask?: AskModel): Promise<GuardFinding>
}
