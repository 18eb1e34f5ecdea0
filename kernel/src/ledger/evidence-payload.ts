/** What an `evidence` entry carries: something that was found, seen, said or thought about a flow. */
import type { Address } from '../canonical/address.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import type { FactLabel } from '../fact/label.ts'

/** What a probe, a person or a restart found out about an effect. */
export type EvidencePayload = {
  readonly salt: string
  readonly intent_id: Address
  readonly source: 'probe' | 'person' | 'recovery'
  readonly finding: 'applied' | 'absent' | 'inconclusive' | 'interrupted'
  readonly details: JsonObject
}

/** An agent asked to hear of events. Outside of its contract it hears nothing, and that it asked is known. */
export type SubscriptionPayload = {
  readonly salt: string
  readonly source: 'bus'
  readonly finding: 'subscribed' | 'denied'
  readonly details: { readonly agent_id: string; readonly topic: string }
}

/** A text from outside that tries to give orders. It decides nothing; people can see that it came. */
export type SecurityEventPayload = {
  readonly salt: string
  readonly source: 'sanitiser'
  readonly finding: 'injection'
  readonly details: {
    readonly where: 'observation' | 'note' | 'trigger' | 'artifact'
    /** Of an observation its path, of an artifact its name. */
    readonly path?: string
    readonly label: FactLabel
    readonly patterns: readonly string[]
    /** SHA-256 of the text as it came; of a value that is no text, of its canonical form. */
    readonly hash: string
  }
}

/**
 * What somebody outside the kernel made of the meaning of a proposal: a soft guard before or beside
 * its dispatch, an auditor afterwards. It is an opinion, and no verdict follows from it here.
 */
export type OpinionPayload = {
  readonly salt: string
  /** Whose it is. */
  readonly by: string
  readonly step_id: string
  readonly proposal_hash: Address
  readonly details: { readonly why: string }
} & (
  | {
      readonly source: 'soft_guard'
      readonly finding: 'aligned' | 'mismatch'
      /** Nothing was to be dispatched without it. */
      readonly strict: boolean
    }
  /** `no_opinion`: it was shown the step, and could not tell. */
  | { readonly source: 'auditor'; readonly finding: 'aligned' | 'drifted' | 'no_opinion' }
)

/** A person has looked at what was flagged in a flow until then, and leaves it as it is. */
export type ReviewPayload = {
  readonly salt: string
  readonly source: 'review'
  readonly finding: 'reviewed'
  readonly details: {
    readonly by: string
    readonly justification: string
    /** How many flags there were. */
    readonly flags: number
  }
}

/** What becomes of a flow that did half of its job; it stands with that flow. */
export type SagaPayload = {
  readonly salt: string
  readonly source: 'saga'
  readonly status:
    | 'PARTIAL_SUCCESS_DIRTY'
    | 'COMPENSATING'
    | 'MANUAL_REVIEW'
    | 'COMPENSATED'
    | 'SETTLED'
  readonly reason_code?: 'PARTIAL_SUCCESS_DIRTY'
  /** On the word of a person: the intents whose effects nobody takes back any more. */
  readonly settles?: readonly Address[]
  readonly details: JsonObject
}

/** What the agent of a flow was shown when it looked again. */
export type RefreshPayload = {
  readonly salt: string
  readonly source: 'context'
  readonly finding: 'refreshed'
  readonly snapshot: JsonObject
  readonly snapshot_id: Address
}

/** How an agent sees its situation: for people, never read by a gate. Proposals may refer to it. */
export type ExplanationPayload = {
  readonly salt: string
  readonly source: 'agent'
  readonly finding: 'explained'
  readonly explain_ref: string
  readonly narrative: string
  readonly identified_signals: readonly string[]
  readonly risks: readonly string[]
}

/** An agent has ended a flow of several steps: nothing is begun in it any more. */
export type ClosurePayload = {
  readonly salt: string
  readonly source: 'agent'
  readonly finding: 'closed'
}

/**
 * One request to a model, made by the runtime for the agent of a flow: what was asked, what came, and what is
 * counted for it. It grants nothing; what was asked and said word for word is kept beside the ledger.
 */
export type GenerationPayload = {
  readonly salt: string
  readonly writ_id: Address
  readonly source: 'model'
  readonly generation_id: string
  /** As the runtime has it under that name. */
  readonly provider: string
  /** That was asked for. */
  readonly model: string
  /** The address of the canonical request, type `model-request`. */
  readonly request_hash: Address
  /** Counted against the budget of the writ. */
  readonly used: Readonly<Record<string, string>>
} & (
  | ModelAnswered
  | ModelFailed
  /** Nobody knows what became of it: the runtime ended meanwhile. The largest possible is counted. */
  | { readonly finding: 'lost' }
)

/**
 * One request to a model, made by the runtime for a soft guard or an auditor about a step. It counts against the
 * adviser's own budget and against no writ, and what it came to is an opinion.
 */
export type AdvicePayload = {
  readonly salt: string
  readonly source: 'adviser'
  readonly adviser: 'soft_guard' | 'auditor'
  /** Its name. */
  readonly by: string
  readonly step_id: string
  readonly proposal_hash: Address
  readonly generation_id: string
  /** As it names itself. */
  readonly provider: string
  readonly model: string
  /** The address of the canonical request, type `model-request`. */
  readonly request_hash: Address
  /** Counted against the budget of the adviser. */
  readonly cost: Readonly<Record<string, string>>
  /** What the adviser made of the reply; `none`: nothing. */
  readonly opinion: 'aligned' | 'mismatch' | 'drifted' | 'none'
} & (ModelAnswered | ModelFailed)

type ModelAnswered = {
  readonly finding: 'answered'
  /** The model that says it answered; it may be another, and empty where nobody says. */
  readonly answered_by: string
  /** The address of the body as it came, type `model-reply`. */
  readonly response_hash: Address
  /** As the provider counted; null: it did not, and the largest possible is counted. */
  readonly usage: GenerationUsage | null
  readonly stop: 'end' | 'tools' | 'length' | 'filtered' | 'other'
}

type ModelFailed = {
  readonly finding: 'failed'
  readonly reason_code: string
  /** The provider may have counted it: so the largest possible is. */
  readonly charged: boolean
  readonly response_hash?: Address
}

type GenerationUsage = {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cached_tokens?: number
}

/** What an agent says its reasoning cost: an estimate, counted against the budget of the writ. */
export type UsagePayload = {
  readonly salt: string
  readonly writ_id: Address
  readonly source: 'agent'
  /** Its own name for the report; a second report of that name is not counted. */
  readonly report?: string
  readonly used: Readonly<Record<string, string>>
}
