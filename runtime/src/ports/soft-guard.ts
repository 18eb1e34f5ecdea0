/**
 * A guess about meaning: whether what an agent says fits what it proposes. It may ask a model, so it
 * stands outside the kernel and may be slow, wrong or down.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import type { AskModel } from './adviser-model.ts'

/** What a soft guard is asked about. */
export type GuardInput = {
  /** The proposal as it was received; a copy of the guard's own. */
  readonly proposal: JsonObject
  /** What the agent says about it; empty when it says nothing. */
  readonly justification: string
  /** Who proposes what, and what the capability says of it. */
  readonly context: {
    /** Who proposes. */
    readonly agent_id: string
    /** What the agent's contract says that it is for. */
    readonly mission: string
    /** What opened the flow; an outsider may have written it. */
    readonly trigger: string
    /** Of the capability. */
    readonly policy_kind: string
    /** By the capability: it lowers exposure. */
    readonly reducing: boolean
    /** By the capability: it can be undone. */
    readonly reversible: boolean
    /** By the capability: how bad it can be. */
    readonly risk: string
    /** As the kernel computed them. */
    readonly measures: Readonly<Record<string, JsonValue>>
  }
}

/** What a soft guard says. */
export type GuardFinding = {
  /** What the agent says does not fit what it proposes. */
  readonly mismatch: boolean
  /** For people. */
  readonly why: string
}

/** Guesses whether words and deed fit; it decides nothing, unless it is asked to block. */
export interface SoftGuard {
  /** By which findings name it. */
  readonly name: string
  /** How long it may take, in milliseconds; left out: 5 s. At most as long as any model. */
  readonly timeoutMs?: number
  /**
   * The signal is raised when nobody waits for the answer any more. `ask` reaches a model, on the record of the
   * flow. Whoever has no opinion throws.
   */
  check(input: GuardInput, signal: AbortSignal, ask?: AskModel): Promise<GuardFinding>
}
