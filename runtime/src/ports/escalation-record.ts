/** A request that somebody decides, as a store keeps it. */
import type {
  ApprovalFact,
  Counted,
  DecisionWord,
  EscalationRequest,
  JsonValue,
  JudgedModification,
} from 'rubicon-kernel'

/** What is asked, what will run, and what was decided so far. */
export type EscalationRecord = {
  /** What is asked, as it stands in the ledger. */
  readonly request: EscalationRequest
  /** The chain of entries that its flow is recorded in. */
  readonly trajectory: string
  /** SHA-256 of the proposal's bytes as they came. */
  readonly received: string
  /** What will run: the agent's proposal, or what a person made of it. Null: there is none. */
  readonly proposal: JsonValue
  /** Of the session that the agent's proposal came in; null where it had none. */
  readonly key_id: string | null
  /** Approvals that were counted, where one is not enough. */
  readonly counted: readonly Counted[]
  /** Modifications that were judged for somebody: when they began to read them counts. */
  readonly judged: readonly JudgedModification[]
  /** Only the narrowing of an instance asks: its class does not count it. */
  readonly alone?: true
  /** The flow in which the parent agent was asked, and until when it may answer. */
  readonly parent: { readonly dfid: string | null; readonly until: string } | null
  /** What was approved, until it is released; null: nothing yet. */
  readonly approval: ApprovalFact | null
  /** Who ended it without an approval: aborted it, or sent its agent back to work. */
  readonly decided?: { readonly decision: DecisionWord; readonly by: string }
  /** How and when it ended; null: it has not. */
  readonly ended: {
    readonly as: 'released' | 'sent_back' | 'aborted' | 'expired' | 'moot' | 'superseded'
    readonly at: string
  } | null
}

/** What a person said to others about a request. It decides nothing, and no agent is shown it. */
export type RequestComment = {
  readonly at: string
  /** The name under which they said it, and who that is. */
  readonly by: string
  readonly person: string
  readonly text: string
}
