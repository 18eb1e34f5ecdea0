/** What each layer of the context store gives, and what was left out of it. */
import type { Address } from '../canonical/address.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { FactLabel } from '../fact/label.ts'

/** Something that was said while the flow was open: notes, proposals, verdicts, and what came of them. */
export type SessionEvent = {
  /** Absent: a note. */
  readonly kind?: 'proposal' | 'verdict' | 'observation'
  readonly at: string
  readonly label: FactLabel
  readonly text: string
  readonly tokens: number
  /** What `sanitise` found in it. */
  readonly flags: readonly string[]
}

/** An earlier decision of the agent, as the kernel recorded it. */
export type MemoryEntry = {
  readonly at: string
  readonly dfid: string
  readonly attempt: number
  readonly policy_kind: string | null
  readonly outcome: string
  readonly reason_code: string | null
  /** What the reason code means; nothing that anybody said. */
  readonly summary: string
  readonly tokens: number
  readonly said?: DecisionSaid
}

/** What was said about a decision: by its agent, in the details of a refusal, and by whoever acted on it. */
export type DecisionSaid = {
  readonly params?: JsonObject
  readonly rationale?: string
  readonly details?: string
  readonly result?: JsonValue
  /** Of these, what was too long to be remembered. */
  readonly left_out?: readonly string[]
}

/**
 * A decision as a store keeps it. The salt keeps what was said from being guessed from its address, once
 * the flow that said it was erased.
 */
export type StoredMemory = Omit<MemoryEntry, 'said'> & {
  readonly said?: DecisionSaid & { readonly salt: string }
}

/** A decision as a snapshot has it: what was said by its address, so that it can be erased with its flow. */
export type MemoryRef = Omit<MemoryEntry, 'said'> & { readonly said?: Address }

/** A piece of a reference document, with its rank for what the agent is about. */
export type ArtifactRef = {
  readonly artifact: string
  readonly chunk: number
  readonly title: string
  readonly label: FactLabel
  readonly text: string
  readonly tokens: number
  readonly score: number
}

/** An item of a layer as a store hands it over. Keys are in the order of arrival. */
export type LayerRecord<T> = { readonly key: string; readonly body: T }

/** Per layer how many were left out, by window, number or budget; of facts their names. */
export type Trimmed = {
  readonly session?: number
  readonly memory?: number
  readonly artifacts?: number
  /** State paths outside the contract's `reads`. */
  readonly state?: readonly string[]
  /** World resources outside them, as `kind.id`. */
  readonly world?: readonly string[]
}

/** How many tokens the context may have, and how many it has. */
export type ContextBudget = { readonly tokens: number; readonly used: number }
