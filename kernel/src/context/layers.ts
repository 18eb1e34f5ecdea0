/** What each layer of the context store gives, and what was left out of it. */
import type { Address } from '../canonical/address.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { FactLabel } from '../fact/label.ts'
import type { SourceLabel } from '../fact/source.ts'

/** Something that was said while the flow was open: notes, proposals, verdicts, and what came of them. */
export type SessionEvent = {
  /** Absent: a note. */
  readonly kind?: 'proposal' | 'verdict' | 'observation'
  /** When it was said. */
  readonly at: string
  /** Whose word it is. */
  readonly label: FactLabel
  /** What was said. */
  readonly text: string
  /** How many it has. */
  readonly tokens: number
  /** What `sanitise` found in it. */
  readonly flags: readonly string[]
}

/** An earlier decision of the agent, as the kernel recorded it. */
export type MemoryEntry = {
  /** When it was decided. */
  readonly at: string
  /** The flow. */
  readonly dfid: string
  /** Which proposal of the flow. */
  readonly attempt: number
  /** What was proposed; null: it could not be read. */
  readonly policy_kind: string | null
  /** What became of it. */
  readonly outcome: string
  /** Why; null: it was carried out. */
  readonly reason_code: string | null
  /** What the reason code means; nothing that anybody said. */
  readonly summary: string
  /** How many it has. */
  readonly tokens: number
  /** What agents and outsiders said of it. */
  readonly said?: DecisionSaid
}

/** What was said about a decision: by its agent, in the details of a refusal, and by whoever acted on it. */
export type DecisionSaid = {
  /** What was proposed. */
  readonly params?: JsonObject
  /** Why, as the agent said. */
  readonly rationale?: string
  /** Of a refusal: what it was about. */
  readonly details?: string
  /** What whoever acted on it returned. */
  readonly result?: JsonValue
  /** Whose word the result is, where the tool's manifest says so; without it an outsider's. */
  readonly result_label?: SourceLabel
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
  /** The name of the document. */
  readonly artifact: string
  /** Which piece of it, from 0. */
  readonly chunk: number
  /** Of the document. */
  readonly title: string
  /** Whose word it is. */
  readonly label: FactLabel
  /** The piece. */
  readonly text: string
  /** How many the piece has. */
  readonly tokens: number
  /** How well it fits; higher is better. */
  readonly score: number
}

/** An item of a layer as a store hands it over. Keys are in the order of arrival. */
export type LayerRecord<T> = { readonly key: string; readonly body: T }

/** Per layer how many were left out, by window, number or budget; of facts their names. */
export type Trimmed = {
  /** Events. */
  readonly session?: number
  /** Decisions. */
  readonly memory?: number
  /** Pieces of documents. */
  readonly artifacts?: number
  /** State paths outside the contract's `reads`. */
  readonly state?: readonly string[]
  /** World resources outside them, as `kind.id`. */
  readonly world?: readonly string[]
}

/** How many tokens the context may have, and how many it has. */
export type ContextBudget = {
  /** How many it may have. */
  readonly tokens: number
  /** How many it has. */
  readonly used: number
}
