/** The API as types and a client. Written by `node scripts/api-client.ts`; do not edit. */
import { type ClientAnswer, type ClientOptions, createCall } from './call.ts'

export type { AnyProblem, ClientAnswer, ClientOptions } from './call.ts'

export type AgentActivity = {
  readonly agent_id: string
  /** when a flow of it moved last */
  readonly last_seen: string | null
  readonly accepted: number
  readonly rejected: number
  readonly escalated: number
  /** verdicts in each step, the oldest first */
  readonly series: readonly number[]
  /** it opened no flow for far longer than it usually takes */
  readonly silent: boolean
  /** the one that is closest to its limit; null as well where it was not looked at */
  readonly budget: MovedBudget | null
}

export type AgentAtRisk = {
  readonly agent: string
  readonly why: 'near_limit' | 'suspended' | 'silent' | 'monitor'
  readonly detail: string
  readonly since: string | null
}

export type AgentBudget = {
  readonly of: 'agent' | 'window' | 'flow'
  readonly dfid: string | null
  readonly measure: string
  readonly spent: string
  readonly reserved: string
  readonly limit: string
  readonly resets_at: string | null
}

export type AgentDetail = {
  readonly agent_id: string
  readonly status: AgentState
  readonly waiting: number
  readonly version: string | null
  readonly owner: string | null
  readonly mission: string | null
  readonly revoked: boolean
  readonly instance_of: string | null
  readonly parent_agent: string | null
  readonly state: StateSince | null
  readonly sentences: readonly Sentence[]
  readonly source: string | null
  readonly budgets: readonly AgentBudget[]
  readonly verdicts: VerdictMix
  readonly last_seen: string | null
  readonly open_flows: readonly {
    readonly dfid: string
    readonly state: FlowState
    readonly trigger: string
    readonly updated_at: string
  }[]
  readonly instances: readonly {
    readonly agent_id: string
    readonly status: AgentStatus
  }[]
  readonly problems: readonly {
    readonly summary: string
    readonly fix: string
  }[]
  /** null: no agent spawned it */
  readonly occasion: Occasion | null
  readonly parent_passed_over: string | null
}

export type AgentMoved = {
  readonly agent_id: string
  readonly from: AgentStatus
  readonly to: AgentStatus
  readonly justification: string
  readonly seq?: number
}

export type AgentState = 'INITIALIZING' | 'ACTIVE' | 'SUSPENDED' | 'RETIRED' | 'ESCALATED'

export type AgentStatus = 'INITIALIZING' | 'ACTIVE' | 'SUSPENDED' | 'RETIRED'

export type AgentSummary = {
  readonly agent_id: string
  readonly status: AgentState
  readonly waiting: number
  readonly version: string | null
  readonly owner: string | null
  readonly mission: string | null
  readonly revoked: boolean
  readonly instance_of: string | null
  readonly parent_agent: string | null
  readonly problems: number
}

export type AgentsActivity = {
  readonly since: string
  readonly until: string
  readonly step_ms: number
  readonly indexed: Indexed
  readonly agents: readonly AgentActivity[]
  /** false: there are more agents, or more budgets, than were looked at; what is missing is of those at work longest ago */
  readonly complete: boolean
}

export type AllowedAmount = {
  readonly measure: string
  /** what was accepted, together */
  readonly amount: string
  readonly flows: number
}

export type ArtifactChange = {
  readonly seq: number
  readonly entry: string
  readonly at: string
  readonly dfid: string | null
  readonly name: string
  readonly change: string | null
  readonly before: string | null
  readonly after: string | null
  readonly agent_id: string | null
  readonly plan: string | null
  readonly undoes: string | null
  readonly what: 'changes' | 'undo' | 'merge' | 'adopt' | 'revert' | null
  readonly symbols: readonly string[]
  readonly summary: string | null
}

export type ArtifactComparison = {
  readonly name: string
  readonly from: {
    readonly seq: number
    readonly content_hash: string | null
  }
  readonly to: {
    readonly seq: number
    readonly content_hash: string | null
  }
  readonly by: 'symbols' | 'lines'
  readonly added: readonly SymbolDifference[]
  readonly removed: readonly SymbolDifference[]
  readonly changed: readonly SymbolDifference[]
  readonly renamed: readonly SymbolDifference[]
  readonly moved: readonly SymbolDifference[]
  readonly lines: readonly LineDifference[]
  readonly cut: boolean
}

export type ArtifactPage = {
  readonly trajectory: string
  readonly entries: number
  readonly moment: {
    readonly seq: number
    readonly id: string
    readonly at: string
    readonly kind: EntryKind
    readonly dfid: string | null
  }
  readonly unknown_from: number | null
  readonly texts: boolean
  readonly total: number
  readonly artifacts: readonly ArtifactRow[]
  readonly next: string | null
}

export type ArtifactPlan = {
  readonly plan: string
  readonly by: string
  readonly until: string
  readonly expired: boolean
  readonly what: 'changes' | 'undo' | 'merge'
  readonly symbols: readonly string[]
  readonly artifacts: readonly {
    readonly name: string
    readonly base: string
  }[]
  readonly summary: string
  readonly entry: {
    readonly seq: number
    readonly id: string
    readonly at: string
    readonly dfid: string | null
  }
}

export type ArtifactRef = {
  readonly artifact: string
  readonly chunk: number
  readonly title: string
  readonly label: FactLabel
  readonly text: string
  readonly tokens: number
  readonly score: number
}

export type ArtifactRow = {
  readonly name: string
  readonly content_hash: string
  readonly bytes: number
  readonly media: string
  readonly change: string | null
  readonly plans: readonly string[]
  readonly entry: {
    readonly seq: number
    readonly id: string
    readonly at: string
    readonly dfid: string | null
  }
}

export type ArtifactSymbol = {
  readonly path: string
  readonly kind: string
  readonly name: string
  readonly lines: readonly number[]
  readonly definition_hash: string
  readonly order: 'free' | 'fixed'
  readonly children: number
}

export type ArtifactSymbols = {
  readonly name: string
  readonly at: number
  readonly content_hash: string
  readonly total: number
  readonly symbols: readonly ArtifactSymbol[]
  readonly next: string | null
}

export type ArtifactText = {
  readonly name: string
  readonly at: number
  readonly path: string
  readonly content_hash: string
  readonly definition_hash: string | null
  readonly lines: readonly number[]
  readonly text: string
}

export type AskedAgain = {
  readonly superseded: string
  readonly answer: ProposalAnswer
}

export type Binds = {
  readonly intent_digest: string
  readonly shown_snapshot: string
  readonly shown_facts: string
  readonly facts_digest: string | null
  readonly rules_hash: string
  readonly lifts: readonly string[]
}

export type BriefBudget = {
  readonly measure: string
  readonly granted: string
  readonly used: string
  readonly after: string | null
  readonly until: string | null
}

export type BriefEffect = {
  readonly changes: readonly PreviewRow[] | null
  readonly holds: readonly {
    readonly id: string
    readonly amount: string
    readonly capacity?: string
  }[]
  readonly params: Readonly<Record<string, unknown>>
}

export type BriefFact = {
  readonly layer: 'state' | 'world'
  readonly name: string
  readonly source: string
  readonly label: FactLabel
  readonly observed_at: string | null
  readonly version: string
  readonly was: unknown
  readonly is: unknown
  readonly moved: boolean
}

export type BudgetLine = {
  readonly measure: string
  /** null: nobody bounds it */
  readonly granted: string | null
  readonly used: string
  /** some of it stands on the word of an agent */
  readonly estimate: boolean
}

export type BusLetter = {
  readonly id: string
  readonly topic: string
  readonly message: Readonly<Record<string, unknown>>
  readonly dfid: string
  readonly snapshot_id: string
  readonly attempts: number
  readonly next_at: string
  readonly problem: string | null
}

export type CapabilityInForce = {
  readonly kind: string
  readonly version: string
  readonly summary: string
  readonly effect: 'read' | 'put_if_match' | 'keyed' | 'queryable' | 'unsafe'
  readonly risk: 'low' | 'medium' | 'high' | 'critical'
  readonly reversible: boolean
  readonly measures: readonly string[]
  readonly scopes: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, unknown>>
  readonly hash: string
}

export type ChangedChannel = {
  readonly revision: number
  readonly place: ChannelPlace
  readonly tells: readonly NoticeKind[]
  readonly least: NoticeSeverity
  readonly quiet_s: number
  readonly paused: boolean
}

export type Channel = {
  readonly place: ChannelPlace
  readonly tells: readonly NoticeKind[]
  readonly least: NoticeSeverity
  readonly quiet_s: number
  readonly paused: boolean
  readonly name: string
  readonly revision: number
  readonly changed_at: string
  readonly changed_by: string | null
  readonly standing: ChannelStanding
  readonly waiting: number
  readonly problem: string | null
}

export type ChannelPlace =
  | {
      readonly kind: 'webhook'
      readonly url: string | SecretName
      readonly signing?: SecretName
    }
  | {
      readonly kind: 'slack'
      readonly url: string | SecretName
    }
  | {
      readonly kind: 'mail'
      readonly host: string
      readonly port: number
      readonly security: 'tls' | 'starttls' | 'none'
      readonly from: string
      readonly to: readonly string[]
      readonly user?: string
      readonly password?: SecretName
    }

export type ChannelResult = {
  readonly at: string
  readonly ok: boolean
  readonly said: string
  readonly notices: number
}

export type ChannelStanding = {
  readonly attempts: number
  readonly next_at: string | null
  readonly last: ChannelResult | null
  readonly given_up: {
    readonly at: string
    readonly notices: number
    readonly said: string
  } | null
}

export type CheckedContract = {
  readonly ok: boolean
  readonly code: string | null
  readonly summary: string | null
  readonly problems: readonly DocumentProblem[]
  readonly agent_id: string | null
  readonly version: string | null
  readonly contract_hash: string | null
  readonly sentences: readonly Sentence[]
  readonly not_enforced: readonly string[]
  readonly unanswered: readonly UnansweredRule[]
  readonly changes: readonly DocumentChange[]
}

export type CheckedMonitor = {
  readonly ok: boolean
  readonly code: string | null
  readonly summary: string | null
  readonly problems: readonly DocumentProblem[]
  readonly name: string | null
  readonly monitor_hash: string | null
  readonly sentence: string | null
  readonly in_force: {
    readonly monitor_hash: string
    readonly source: string
  } | null
}

export type CheckedPolicy = {
  readonly ok: boolean
  readonly code: string | null
  readonly summary: string | null
  readonly problems: readonly DocumentProblem[]
  readonly hash: string | null
  readonly rules: readonly {
    readonly id: string
    readonly line: number
  }[]
  readonly unknown: readonly {
    readonly rule: string | null
    readonly line: number | null
    readonly name: string
    readonly why: string
  }[]
}

export type Checkpoint = {
  readonly epoch: number
  readonly size: number
  readonly origin: string
  readonly root: string
  readonly note: string
  readonly covers_until: string | null
}

export type ClaimedRequest = {
  readonly id: string
  readonly by: string
  readonly person: string
  readonly since: string
  readonly until: string
  readonly yours: boolean
  /** who gave it to them; absent: they took it themselves */
  readonly given_by?: string
}

export type Claims = {
  readonly trigger: string
  readonly justification: string | null
  readonly confidence: string | null
  readonly explanation: {
    readonly narrative: string
    readonly identified_signals: readonly string[]
    readonly risks: readonly string[]
  } | null
  readonly asks: string | null
}

export type ConfirmedClock = {
  readonly action: 'confirm_clock'
  readonly clock: string
  readonly last: string
  readonly reason: string
}

export type ContractVersion = {
  readonly version: string
  readonly contract_hash: string
  readonly seq: number
  readonly at: string
  readonly signed_by: string
  readonly key_id: string
  readonly by: string | null
  readonly revoked: boolean
  readonly in_force: boolean
  readonly source: string
  readonly sentences: readonly Sentence[]
}

export type ContractVersions = {
  readonly agent_id: string
  readonly versions: readonly ContractVersion[]
}

export type Decided = {
  readonly request_id: string
  readonly dfid: string
  readonly outcome: 'aborted' | 'sent_back' | 'waiting' | 'approved' | 'released'
  readonly missing: number
  readonly answer?: ProposalAnswer
}

export type DecidedBefore = {
  readonly overridden: number
  readonly modified: number
  readonly aborted: number
  readonly expired: number
  readonly median_ms: number | null
}

export type DecisionAtom = {
  readonly atom_id: string
  readonly dfid: string
  readonly agent_id: string
  readonly nonce: string
  readonly policy_kinds: readonly string[]
  readonly contract_hash: string
  readonly capability_hashes: Readonly<Record<string, string>>
  readonly writ_id: string
  readonly grammar_hash: string | null
  readonly snapshot_id: string
  readonly mission_context_hash: string
  readonly rules_hash: string
  readonly authority_seq: number
  readonly reserved_cost: Readonly<Record<string, string>>
  readonly covers: readonly ('signature' | 'scope' | 'capability')[]
  readonly issued_at: string
  readonly expires_at: string
  readonly kernel_signature: {
    readonly key_id: string
    readonly sig: string
  }
}

export type DecisionOutcome = {
  readonly outcome: 'ACCEPTED' | 'REJECTED' | 'ESCALATED'
  readonly code: string | null
}

export type DecisionRow = {
  readonly trajectory: string
  readonly seq: number
  readonly leaf: number | null
  readonly dfid: string
  readonly agent_id: string
  readonly policy_kind: string
  readonly object: string
  readonly at: string
  readonly outcome: 'ACCEPTED' | 'REJECTED' | 'ESCALATED'
  readonly code: string | null
}

export type DecisionSaid = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly rationale?: string
  readonly details?: string
  readonly result?: unknown
  readonly result_label?: SourceLabel
  readonly left_out?: readonly string[]
}

export type DeployedContract = {
  readonly agent_id: string
  readonly version: string
  readonly contract_hash: string
  readonly unchanged: boolean
  readonly not_enforced: readonly string[]
  readonly unanswered: readonly UnansweredRule[]
}

export type DeployedMonitor = {
  readonly name: string
  readonly monitor_hash: string
  readonly unchanged: boolean
}

export type DirtyFlow = {
  readonly dfid: string
  readonly agent_id: string
  readonly since: string
  readonly cause: {
    readonly dfid: string
    readonly step_id: string
  }
  readonly standing: SagaStanding
  readonly action: string | null
  readonly chosen: {
    readonly dfid: string
    readonly step_id: string
    readonly intent_id: string
  } | null
}

export type Document = {
  readonly name: string
  readonly title: string
  readonly label: FactLabel
  readonly hash: string
  readonly chunks: number
}

export type DocumentChange = {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

export type DocumentProblem = {
  readonly line: number
  readonly column: number
  readonly path: string
  readonly detail: string
}

export type DocumentText = {
  readonly name: string
  readonly title: string
  readonly label: FactLabel
  readonly hash: string
  readonly chunks: number
  readonly pieces: readonly string[]
  readonly next: number | null
}

export type EntryKind =
  | 'root'
  | 'commit'
  | 'rejection'
  | 'pending_approval'
  | 'delegation'
  | 'branch'
  | 'accepted'
  | 'dispatch'
  | 'settle'
  | 'evidence'
  | 'approval'
  | 'writ'
  | 'revocation'
  | 'lifecycle'
  | 'contract'
  | 'policy'
  | 'key'
  | 'anchor'
  | 'source'
  | 'person'
  | 'erasure'
  | 'resend'
  | 'event'

export type EntryPlace = {
  readonly trajectory: string
  readonly seq: number
  readonly leaf: number | null
  readonly id: string
}

export type EntryProof = {
  readonly leaf: number
  readonly id: string
  readonly inclusion: readonly string[]
  readonly consistency: {
    readonly before: number
    readonly proof: readonly string[]
  } | null
  readonly checkpoint: Checkpoint
}

export type EntryView = {
  readonly trajectory: string
  readonly seq: number
  readonly leaf: number | null
  readonly id: string
  readonly kind: EntryKind
  readonly at: string
  /** null: it was erased, lies in an archive, or is too long to be shown here */
  readonly payload: unknown
}

export type Episode = {
  readonly format: 'rubicon/episode/1'
  readonly dfid: string
  readonly agent_id: string
  readonly parent_dfid: string | null
  readonly trigger: string
  readonly state: FlowState
  readonly opened_at: string
  readonly updated_at: string
  readonly contract_hash: string
  readonly mission_hash: string
  readonly contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly steps: readonly EpisodeStep[]
  readonly erased: number
  readonly reward: {
    readonly accepted: number
    readonly rejected: number
    readonly escalated: number
    readonly succeeded: number
    readonly failed: number
    readonly uncertain: number
    readonly taken_back: number
  }
}

export type EpisodeDecision = {
  readonly decision: 'OVERRIDE' | 'MODIFY' | 'ABORT' | 'EXPIRED'
  readonly proposal?: unknown
}

export type EpisodeEffect = {
  readonly status: ExecutionStatus
  readonly code: string | null
  readonly at: string
  readonly observations: readonly unknown[]
  readonly delta: readonly Readonly<Record<string, unknown>>[]
  readonly cost: Readonly<Record<string, string>>
  readonly taken_back: boolean
}

export type EpisodeStep = {
  readonly trajectory: string
  readonly seq: number
  readonly at: string
  readonly attempt: number
  readonly proposal: unknown
  readonly rules_hash: string | null
  readonly capability_hash: string | null
  readonly verdict: {
    readonly outcome: 'ACCEPTED' | 'REJECTED' | 'ESCALATED'
    readonly code: string | null
    readonly stage:
      | 'proof'
      | 'repeat'
      | 'atom'
      | 'kind'
      | 'signature'
      | 'window'
      | 'scope'
      | 'capability'
      | 'budget'
      | 'arguments'
      | 'preconditions'
      | 'policy'
      | 'emission'
      | 'parser'
      | 'queue'
      | 'dispatch'
      | null
    readonly details: Readonly<Record<string, unknown>>
  }
  readonly decisions: readonly EpisodeDecision[]
  readonly effect: EpisodeEffect | null
}

export type Erasure = {
  readonly dfid: string
  readonly agent_id: string
  readonly payloads: readonly {
    readonly trajectory: string
    readonly seq: number
    readonly leaf: number
  }[]
  readonly records: Readonly<Record<string, number>>
  readonly seq: number | null
}

export type EscalationBrief = {
  readonly id: string
  readonly kind: 'proposal' | 'silence' | 'failure' | 'asked'
  readonly dfid: string
  readonly agent_id: string
  readonly step_id: string | null
  readonly attempt: number
  readonly impact: Impact
  readonly impact_reasons: readonly string[]
  readonly exposure: Exposure | null
  readonly reversible: boolean
  readonly queue: 'approval' | 'exception'
  readonly channel: string
  readonly needs: number
  readonly approvers: readonly string[]
  readonly requested_at: string
  readonly not_before: string
  readonly expires_at: string
  readonly now: string
  readonly state: EscalationState
  readonly ended: {
    readonly as: 'released' | 'sent_back' | 'aborted' | 'expired' | 'moot' | 'superseded'
    readonly at: string
  } | null
  readonly claimed: RequestClaim | null
  readonly comments: readonly ShownComment[]
  readonly action: string | null
  readonly object: string | null
  readonly summary: string | null
  readonly effect: BriefEffect | null
  readonly outlook: Outlook | null
  readonly why: readonly Why[]
  readonly measures: Readonly<Record<string, unknown>>
  readonly facts: readonly BriefFact[]
  readonly claims: Claims
  readonly budgets: readonly BriefBudget[]
  readonly asked_this_hour: {
    readonly asked: number
    readonly of: number
  } | null
  readonly before: DecidedBefore
  readonly acknowledge: string | null
  readonly binds: Binds
  readonly decisions: readonly RecordedDecision[]
  readonly may: {
    readonly OVERRIDE: string | null
    readonly MODIFY: string | null
    readonly ABORT: string | null
  }
  readonly abort_ends_agent: boolean
  readonly schema: Readonly<Record<string, unknown>> | null
}

export type EscalationRequest = {
  readonly id: string
  readonly kind: 'proposal' | 'silence' | 'failure' | 'asked'
  readonly dfid: string
  readonly agent_id: string
  readonly step_id: string | null
  readonly attempt: number
  readonly intent_digest: string
  readonly proposal_hash: string | null
  readonly rules_hash: string
  readonly triggers: readonly {
    readonly id: string
    readonly code: string
    readonly domain_code?: string
    readonly channel: string
    readonly details: Readonly<Record<string, unknown>>
  }[]
  readonly reason_code: string
  readonly domain_code?: string
  readonly impact: Impact
  readonly impact_reasons: readonly string[]
  readonly exposure: Exposure | null
  readonly past: {
    readonly successes: number
    readonly of_kind: number
    readonly largest: string | null
  } | null
  readonly reversible: boolean
  readonly acknowledge?: string
  readonly facts_digest: string | null
  readonly shown_snapshot: string
  readonly queue: 'approval' | 'exception'
  readonly needs: number
  readonly approvers: readonly string[]
  readonly persons: {
    readonly owner: string
    readonly approvers: readonly string[]
    readonly deployer?: string
  }
  readonly self_approval?: 'allowed'
  readonly requested_at: string
  readonly not_before: string
  readonly expires_at: string
  readonly channel: string
}

export type EscalationState = 'open' | 'approved' | 'closed'

export type EscalationSummary = {
  readonly id: string
  readonly kind: 'proposal' | 'silence' | 'failure' | 'asked' | 'outcome'
  /** the action and its first parameters; without one the kind */
  readonly what: string
  /** the kind of action; null: there is no proposal */
  readonly action: string | null
  readonly exposure: Exposure | null
  readonly stakes: Stakes | null
  readonly state: EscalationState
  readonly ended: 'released' | 'sent_back' | 'aborted' | 'expired' | 'moot' | 'superseded' | null
  readonly dfid: string
  readonly agent_id: string
  readonly reason_code: string
  readonly channel: string
  readonly channels: readonly string[]
  readonly queue: 'approval' | 'exception' | null
  readonly impact: Impact | null
  readonly requested_at: string
  readonly expires_at: string | null
  readonly needs: number
  readonly approvals: number
}

export type EscalationView = {
  readonly request: EscalationRequest
  readonly trajectory: string
  readonly received: string
  readonly proposal: unknown
  readonly key_id: string | null
  readonly counted: readonly {
    readonly approver: string
    readonly person?: string
    readonly decision: 'OVERRIDE' | 'MODIFY' | 'ABORT'
    readonly lifts: readonly string[]
    readonly valid_until: string
    readonly modified?: Readonly<Record<string, unknown>>
    readonly impact: Impact
  }[]
  readonly judged: readonly {
    readonly request_id: string
    readonly judged_for: string
    readonly proposal_hash: string
    readonly impact: Impact
    readonly impact_reasons: readonly string[]
    readonly exposure: Exposure | null
    readonly acknowledge?: string
    readonly not_before: string
  }[]
  readonly alone?: boolean
  readonly parent: {
    readonly dfid: string | null
    readonly until: string
  } | null
  readonly approval: {
    readonly request_id: string
    readonly decision: 'OVERRIDE' | 'MODIFY'
    readonly approver: string
    readonly decisions: number
    readonly binds: string
    readonly rules_hash: string
    readonly lifts: readonly string[]
    readonly impact: Impact
    readonly past: {
      readonly successes: number
      readonly of_kind: number
      readonly largest: string | null
    }
    readonly valid_until: string
    readonly decided_at: string
  } | null
  readonly decided?: {
    readonly decision: 'OVERRIDE' | 'MODIFY' | 'ABORT'
    readonly by: string
  }
  readonly ended: {
    readonly as: 'released' | 'sent_back' | 'aborted' | 'expired' | 'moot' | 'superseded'
    readonly at: string
  } | null
  readonly state: EscalationState
  readonly shown: {
    readonly state: readonly StateFact[]
    readonly world: readonly WorldFact[]
  }
  readonly comments: readonly RequestComment[]
}

export type EventAccount = {
  readonly event_id: string
  readonly topic: string
  readonly at: string
  /** null: its entry was not found */
  readonly leaf: number | null
  readonly observations: readonly EventObservation[]
  readonly not_woken: readonly {
    readonly agent: string
    readonly code: string
  }[]
  readonly admission: {
    readonly candidates: number
    readonly volatility?: string
    readonly by_table?: number
    readonly by_tokens?: number
    readonly tokens_left?: number
  } | null
  readonly state_snapshot_id: string
  /** the one reading of State that its flows share; null: it is no longer kept */
  readonly state: {
    readonly facts: readonly StateFact[]
    readonly left_off: number
  } | null
  readonly law: {
    readonly exclusive: 'event' | 'resources'
    readonly preempting_kinds: readonly string[]
  } | null
  /** null: proposals are not collected */
  readonly closes_at: string | null
  readonly outcome: EventOutcome
  readonly winners: readonly EventWinner[]
  readonly halted_by: string | null
  readonly members: readonly EventMember[]
  /** members beyond the first two hundred */
  readonly left_off: number
}

export type EventAnswer = {
  readonly at: string
  readonly policy_kind: string | null
  readonly preempting: boolean
  readonly outcome: 'waiting' | 'won' | 'sent' | 'lost' | 'halted' | 'escalated' | 'refused'
  readonly code: string | null
  /** the flow that it lost to, or that stopped it */
  readonly by: string | null
}

export type EventMember = {
  readonly agent: string
  readonly dfid: string
  readonly priority: number
  readonly role: 'MONITOR' | 'STRATEGIST' | 'EXECUTOR'
  /** the flow of the event that opened it */
  readonly parent?: string
  readonly ended?: 'superseded' | 'gone'
  /** null: it is not open yet, or never will be */
  readonly flow: {
    readonly state: FlowState
    readonly tags: readonly FlowTag[]
    readonly steps: 'one' | 'many'
    readonly rejections: number
  } | null
  readonly answers: readonly EventAnswer[]
  readonly place: {
    /** from 1 on: the first is carried out */
    readonly rank: number
    /** what puts it before the next one; null: it is the last */
    readonly before_next_by: 'kind' | 'priority' | 'role' | 'name' | 'time' | null
  } | null
}

export type EventObservation = {
  readonly path: string
  readonly version: number
  readonly source: string
  readonly label: FactLabel
  readonly value_hash: string
}

export type EventOutcome = 'open' | 'won' | 'none' | 'halted' | 'unarbitrated' | 'forgotten'

export type EventWinner = {
  readonly dfid: string
  readonly policy_kind: string
  readonly resources: readonly string[]
}

export type ExecutionStatus =
  | 'MANUAL_REVIEW'
  | 'UNKNOWN'
  | 'NOT_APPLIED'
  | 'ACCEPTED'
  | 'DISPATCHED'
  | 'FAILED'
  | 'ABANDONED'
  | 'SUCCESS'

export type ExecutionView = {
  readonly dfid: string
  readonly step_id: string
  readonly version: number
  readonly trajectory: string
  readonly status: ExecutionStatus
  readonly policy_kind: string
  readonly params_fingerprint: string
  readonly idempotency_key: string
  readonly agent_id: string
  readonly params: Readonly<Record<string, unknown>>
  /** the entry with the signed intent */
  readonly dispatched: {
    readonly trajectory: string
    readonly seq: number
  }
  readonly dispatched_at: string
  readonly last_sent_at: string
  readonly sends: number
  readonly probes: number
  readonly epoch: number
  readonly next_at: string | null
  readonly reason_code: string | null
  readonly details: Readonly<Record<string, unknown>> | null
  readonly result: unknown
  readonly receipt: unknown
  readonly settled_at: string | null
}

export type Exposure = {
  readonly measure: string
  readonly value: unknown
  readonly threshold: string
}

export type FactLabel = 'trusted' | 'operator' | 'external' | 'agent'

export type FactSource = {
  readonly source_id: string
  readonly label: SourceLabel
  readonly paths: readonly string[]
  readonly max_paths: number
  readonly key?: string
}

export type Feedback = {
  readonly summary: string
  readonly why: string
  readonly fix: string
  readonly details: Readonly<Record<string, unknown>>
  readonly transient: boolean
  readonly retry_after_ms?: number
}

export type FilterCounts = {
  /** rows on all pages, 10000 at most */
  readonly total: number
  /** rows there would be with each outcome, status or state */
  readonly by: Readonly<Record<string, number>>
  /** every row was counted; false: a figure of 10000 means as many or more */
  readonly exact: boolean
}

export type Flip = {
  readonly trajectory: string
  readonly seq: number
  readonly leaf: number | null
  readonly dfid: string
  readonly agent_id: string
  readonly policy_kind: string
  readonly object: string
  readonly at: string
  readonly recorded: DecisionOutcome
  readonly now: DecisionOutcome
}

export type FlowBranch = {
  readonly dfid: string
  readonly agent_id: string
  readonly trigger: string
  readonly parent_dfid: string | null
  readonly root_dfid: string
  readonly trajectory: string
  readonly state: FlowState
  readonly tags: readonly FlowTag[]
  readonly steps: 'one' | 'many'
  readonly rejections: number
  readonly attempts: number
  readonly opened_at: string
  readonly updated_at: string
  /** under which its agent, or the client of its agent, groups what it asks for */
  readonly conversation: string | null
  /** of its last proposal; null: not known */
  readonly kind: string | null
  /** what that is about */
  readonly object: string | null
  readonly amount: string | null
  /** what the amount is an amount of */
  readonly measure: string | null
  /** of its last verdict */
  readonly outcome: FoundOutcome | null
  /** of its last verdict, or why it ended */
  readonly reason: string | null
  readonly has_children: boolean
}

export type FlowReview = {
  readonly at: string
  readonly seq: number
  readonly by: string
  readonly justification: string
  /** how many flags there were */
  readonly flags: number
}

export type FlowRow = {
  readonly dfid: string
  readonly agent_id: string
  readonly trigger: string
  readonly parent_dfid: string | null
  readonly root_dfid: string
  readonly trajectory: string
  readonly state: FlowState
  readonly tags: readonly FlowTag[]
  readonly steps: 'one' | 'many'
  readonly rejections: number
  readonly attempts: number
  readonly opened_at: string
  readonly updated_at: string
  readonly version: number
  readonly expires_at: string
  readonly transient_rejections: number
  readonly snapshot_id: string
  readonly snapshot_at: string
  readonly mission_hash: string
  readonly contract_hash: string
  readonly contract_seq: number
  readonly event: {
    readonly event_id: string
    readonly topic: string
  } | null
  readonly writs: readonly {
    readonly id: string
    readonly nonce: string
  }[]
  readonly history: readonly {
    readonly from: FlowState | null
    readonly to: FlowState
    readonly at: string
  }[]
}

export type FlowState =
  | 'CREATED'
  | 'ACTIVE'
  | 'VALIDATING'
  | 'ACCEPTED'
  | 'EXECUTING'
  | 'ESCALATED'
  | 'CLOSED'
  | 'ABORTED'

export type FlowSummary = {
  readonly dfid: string
  readonly agent_id: string
  readonly trigger: string
  readonly parent_dfid: string | null
  readonly root_dfid: string
  readonly trajectory: string
  readonly state: FlowState
  readonly tags: readonly FlowTag[]
  readonly steps: 'one' | 'many'
  readonly rejections: number
  readonly attempts: number
  readonly opened_at: string
  readonly updated_at: string
  /** under which its agent, or the client of its agent, groups what it asks for */
  readonly conversation: string | null
  /** of its last proposal; null: not known */
  readonly kind: string | null
  /** what that is about */
  readonly object: string | null
  readonly amount: string | null
  /** what the amount is an amount of */
  readonly measure: string | null
  /** of its last verdict */
  readonly outcome: FoundOutcome | null
  /** of its last verdict, or why it ended */
  readonly reason: string | null
}

export type FlowTag = 'DIRTY' | 'COMPENSATED' | 'UNKNOWN' | 'NEEDS_REVIEW' | 'ERASED' | 'ARCHIVED'

export type FlowTree = {
  /** the flow that it was opened in last, the one where it all began first */
  readonly parents: readonly FlowBranch[]
  /** there are more above than are looked at, or one of them is not there any more */
  readonly has_more_parents: boolean
  readonly flow: FlowBranch
  /** opened in this flow, newest first */
  readonly children: readonly FlowBranch[]
  readonly next: string | null
}

export type FlowsBehind = {
  readonly flows: readonly string[]
}

export type FoundExecution = {
  readonly dfid: string
  readonly step_id: string
  readonly version: number
  readonly trajectory: string
  readonly status: ExecutionStatus
  readonly policy_kind: string
  readonly params_fingerprint: string
  readonly idempotency_key: string
  readonly agent_id: string
  readonly params: Readonly<Record<string, unknown>>
  /** the entry with the signed intent */
  readonly dispatched: {
    readonly trajectory: string
    readonly seq: number
  }
  readonly dispatched_at: string
  readonly last_sent_at: string
  readonly sends: number
  readonly probes: number
  readonly epoch: number
  readonly next_at: string | null
  readonly reason_code: string | null
  readonly details: Readonly<Record<string, unknown>> | null
  readonly result: unknown
  readonly receipt: unknown
  readonly settled_at: string | null
  /** what it is about; null: not known */
  readonly object: string | null
  readonly amount: string | null
  /** what the amount is an amount of */
  readonly measure: string | null
}

export type FoundOutcome = 'accepted' | 'rejected' | 'escalated' | 'ended'

export type Generation = {
  readonly dfid: string
  readonly generation_id: string
  readonly provider: string
  readonly model: string
  /** what the model said beside its calls */
  readonly text: string
  /** in the order in which they are to be made */
  readonly calls: readonly ModelToolCall[]
  /** why it said no more */
  readonly stop: 'end' | 'tools' | 'length' | 'filtered' | 'other'
  /** as the provider counted; null: it did not, and the largest possible is counted */
  readonly usage: {
    /** what the model was given */
    readonly input_tokens: number
    /** what it wrote */
    readonly output_tokens: number
    /** of what it was given, what it had before */
    readonly cached_tokens?: number
  } | null
  readonly used: Readonly<Record<string, string>>
  readonly state: FlowState
  /** of the grammar that the reply was held to, with `decode` */
  readonly grammar_hash?: string
  /** what the model wrote inside of the grammar, with `decode` */
  readonly proposal?: {
    /** one of the kinds that were asked for */
    readonly policy_kind: string
    /** inside of the grammar */
    readonly params: Readonly<Record<string, unknown>>
  }
  readonly reason_code?: string
}

export type GenerationRequest = {
  readonly provider?: string
  readonly model: string
  readonly system?: string
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly {
    readonly name: string
    readonly description: string
    readonly params: Readonly<Record<string, unknown>>
  }[]
  readonly tool_choice?: 'auto' | 'required' | 'none'
  readonly output?: {
    readonly name: string
    readonly schema: Readonly<Record<string, unknown>>
  }
  readonly decode?: {
    readonly kinds: readonly string[]
  }
  readonly max_tokens: number
  readonly temperature?: number
  readonly seed?: number
  readonly stop?: readonly string[]
}

export type Grammar = {
  readonly kinds: readonly string[]
  readonly schema: Readonly<Record<string, unknown>>
  readonly unbounded: readonly {
    readonly policy_kind: string
    readonly param: string
    readonly rule: string
    readonly why: 'schema' | 'set' | 'limit' | 'measure' | 'fact' | 'writ'
  }[]
  readonly impossible: readonly {
    readonly policy_kind: string
    readonly param: string
    readonly rule: string
  }[]
  readonly hash: string
}

export type Handshake = {
  readonly session_token: string
  readonly expires_at: string
  readonly schema_version: string
  readonly status: AgentStatus
}

export type HappenedEvent = {
  readonly leaf: number
  readonly at: string
  readonly what:
    | 'suspended'
    | 'reactivated'
    | 'retired'
    | 'tripped'
    | 'approved'
    | 'modified'
    | 'aborted'
    | 'deployed'
    | 'revoked'
    | 'rules'
    | 'watched'
    | 'unwatched'
    | 'key'
    | 'erased'
  readonly agent: string | null
  readonly dfid: string | null
  readonly who: string | null
  readonly detail: string | null
}

export type Impact = 'LOW_IMPACT' | 'HIGH_IMPACT'

export type Inbox = {
  readonly now: string
  readonly requests: readonly InboxRow[]
  readonly waiting: {
    readonly mine: number
    readonly fast: number
    readonly team: number
  }
  readonly claimed: readonly ClaimedRequest[]
  readonly more: boolean
  readonly under_review: number
  readonly next: string | null
}

export type InboxRow = {
  readonly id: string
  readonly kind: 'proposal' | 'silence' | 'failure' | 'asked'
  readonly state: EscalationState
  readonly dfid: string
  readonly agent_id: string
  readonly action: string | null
  readonly object: string | null
  readonly reason_code: string
  readonly impact: Impact
  readonly exposure: Exposure | null
  readonly requested_at: string
  readonly not_before: string
  readonly expires_at: string
  readonly needs: number
  readonly approvals: number
  readonly ended: {
    readonly as: 'released' | 'sent_back' | 'aborted' | 'expired' | 'moot' | 'superseded'
    readonly at: string
  } | null
  readonly decided: {
    readonly decision: 'OVERRIDE' | 'MODIFY' | 'ABORT'
    readonly by: string
  } | null
  readonly stakes: Stakes
}

export type Indexed = {
  /** entries that the search index has taken in */
  readonly leaf: number
  /** entries of the ledger; more than `leaf`: it is still being made */
  readonly size: number
  /** why it goes no further, or is not kept; null: nothing is wrong */
  readonly problem: string | null
}

export type IndexedDocument = {
  readonly name: string
  readonly hash: string
  readonly chunks: number
  readonly flags: readonly TextFlag[]
}

export type JudgedModification = {
  readonly request_id: string
  readonly now: string
  readonly impact: Impact
  readonly impact_reasons: readonly string[]
  readonly exposure: Exposure | null
  readonly reversible: boolean
  readonly outlook: Outlook
  readonly effect: BriefEffect
  readonly digest: string | null
  readonly acknowledge: string | null
  readonly not_before: string | null
}

export type KeptGeneration = {
  readonly dfid: string
  readonly generation_id: string
  readonly request: string
  readonly response: string | null
  readonly failure: string | null
}

export type KeptNote = {
  readonly place: number
  readonly at: string
  readonly label: FactLabel
  readonly text: string
  readonly flags: readonly TextFlag[]
}

export type KeptState = {
  readonly value: unknown
  readonly version: number
  readonly updated_at: string
}

export type KeptStateWritten = {
  readonly agent_id: string
  readonly version: number
  readonly updated_at: string
}

export type KeyRecord = {
  readonly key_id: string
  readonly purpose:
    | 'operator'
    | 'issuer'
    | 'agent'
    | 'approver'
    | 'kernel'
    | 'checkpoint'
    | 'witness'
  readonly subject: string
  readonly public_key: string
  readonly added_seq: number
  readonly retired_seq?: number
  readonly compromised_since_seq?: number
  readonly in_use: boolean
}

export type LastTried = {
  readonly decisions: number
  readonly skipped: number
  readonly since: string | null
  readonly flips: readonly Flip[]
  readonly coverage: readonly RuleCoverage[]
}

export type LatestCheckpoint = {
  readonly epoch: number
  readonly size: number
  readonly origin: string
  readonly root: string
  readonly note: string
  readonly covers_until: string | null
  readonly verifier_key: string | null
}

export type Law = {
  readonly rules_hash: string
  readonly compiler_version: string
  readonly evaluators: Readonly<Record<string, string>>
  readonly policies: readonly LoadedPolicy[]
  readonly capabilities: readonly CapabilityInForce[]
  readonly standing: RulesState
}

export type LedgerEntry = {
  readonly leaf: number | null
  readonly trajectory: string
  readonly seq: number
  readonly id: string
  readonly parent: string | null
  readonly kind: EntryKind
  readonly at: string
  readonly dfid: string | null
  readonly agent_id: string | null
  readonly code: string | null
  readonly payload: unknown
}

export type LedgerRow = {
  readonly leaf: number | null
  readonly trajectory: string
  readonly seq: number
  readonly id: string
  readonly parent: string | null
  readonly kind: EntryKind
  readonly at: string
  readonly dfid: string | null
  readonly agent_id: string | null
  readonly code: string | null
  readonly erased: boolean
}

export type LineDifference = {
  readonly from: number
  readonly to: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

export type ListedEvent = {
  readonly event_id: string
  readonly topic: string
  readonly at: string
  readonly leaf: number
  /** what was observed; the first few */
  readonly paths: readonly string[]
  /** who was woken; the first few */
  readonly agents: readonly string[]
  readonly woken: number
  readonly not_woken: number
  /** null: proposals are not collected */
  readonly closes_at: string | null
  readonly outcome: EventOutcome
  readonly winners: readonly EventWinner[]
  readonly halted_by: string | null
}

export type ListedTopic = {
  readonly topic: string
  /** false: only contracts name it, and each path below it is a topic of its own */
  readonly in_rules: boolean
  readonly arbitration: {
    readonly window_ms: number
    readonly exclusive: 'event' | 'resources'
    readonly preempting_kinds: readonly string[]
  } | null
  readonly admission: {
    readonly table?: readonly {
      readonly from: string
      readonly agents: number
    }[]
    readonly tokens?: {
      readonly per_window: number
      readonly window_s: number
      readonly expected: number
    }
  } | null
  readonly listeners: readonly TopicListener[]
  /** how many there are; the first hundred are named */
  readonly listening: number
}

export type LoadedPolicy = {
  readonly name: string
  readonly version: string
  readonly language: 'cedar' | 'typescript' | 'unpinned'
  readonly hash: string | null
  readonly applies_to: readonly string[] | null
  readonly source: string | null
  readonly rules: readonly LoadedRule[]
}

export type LoadedRule = {
  readonly id: string
  readonly line: number
  readonly effect: 'permit' | 'forbid'
  readonly channel: string | null
  readonly reason: string | null
  readonly actions: readonly string[] | null
  readonly agents: readonly string[] | null
}

export type McpApproved = {
  readonly kind: string
  readonly was: McpStanding
  readonly effect: 'read' | 'put_if_match' | 'keyed' | 'queryable' | 'unsafe' | null
  readonly lock: string
  readonly in_use: 'after the next start'
}

export type McpItems = {
  readonly items: readonly Readonly<Record<string, unknown>>[]
}

export type McpNotices = {
  readonly last: number
  readonly notices: readonly Readonly<Record<string, unknown>>[]
}

export type McpServer = {
  readonly server: string
  readonly kind: 'program' | 'address'
  readonly at: string
  readonly era: 'legacy' | 'modern'
  readonly status: 'absent' | 'connected' | 'waiting'
  readonly restarts: number
  readonly errors: readonly string[]
}

export type McpServers = {
  readonly file: string | null
  readonly agent: string | null
  readonly servers: readonly McpServer[]
}

export type McpStanding =
  | 'agreed'
  | 'changed'
  | 'gone'
  | 'new'
  | 'refused'
  | 'unknown'
  | 'unreviewed'

export type McpTool = {
  readonly server: string
  readonly tool: string
  readonly kind: string
  readonly state: McpStanding
  readonly pin: string | null
  readonly in_use: boolean
  readonly class: Readonly<Record<string, unknown>> | null
  readonly definition: Readonly<Record<string, unknown>> | null
  readonly changes: readonly {
    readonly member: string
    readonly agreed: string | null
    readonly found: string | null
  }[]
  readonly hidden: readonly string[]
  readonly approved: {
    readonly by: string
    readonly at: string
    readonly reason: string | null
  } | null
  readonly why: string | null
  readonly calls: {
    readonly accepted: number
    readonly rejected: number
    readonly escalated: number
  }
  readonly waiting: number
}

export type McpTools = {
  readonly tools: readonly McpTool[]
  readonly counted: {
    readonly decisions: number
    readonly since: string | null
  }
}

export type MemoryEntry = {
  readonly at: string
  readonly dfid: string
  readonly attempt: number
  readonly policy_kind: string | null
  readonly outcome: string
  readonly reason_code: string | null
  readonly summary: string
  readonly tokens: number
  readonly said?: DecisionSaid
}

/** what the agent, the model, or a tool said */
export type ModelMessage =
  | {
      readonly role: 'user'
      /** what was said */
      readonly text: string
    }
  | {
      readonly role: 'assistant'
      /** what was said */
      readonly text: string
      /** what it called */
      readonly calls?: readonly ModelToolCall[]
    }
  | {
      readonly role: 'tool'
      /** of the call that this is the result of */
      readonly call_id: string
      /** of the tool */
      readonly name: string
      /** what was said */
      readonly text: string
      /** it came to nothing */
      readonly failed?: boolean
    }

export type ModelToolCall = {
  /** by which its result refers to it */
  readonly id: string
  /** of the tool; it may be one that does not exist */
  readonly name: string
  /** as the model wrote them: they may be no JSON at all */
  readonly arguments: string
  /** what some providers want back with the call, as they wrote it */
  readonly signature?: string
}

/** with MODIFY */
export type Modification = {
  readonly params: Readonly<Record<string, unknown>>
  readonly execution_constraints?: Readonly<Record<string, unknown>>
}

export type Monitor = {
  readonly api_version: 'rubicon/v1'
  readonly kind: 'Monitor'
  readonly name: string
  readonly agents: readonly string[]
  readonly policy_kinds: readonly string[]
  readonly statuses: readonly ('SUCCESS' | 'FAILED' | 'ABANDONED')[]
  readonly statistic: Readonly<Record<string, unknown>>
  readonly window: Readonly<Record<string, unknown>>
  readonly min_samples: number
  readonly max_unreadable: number
}

export type MonitorReport = {
  readonly monitors: readonly MonitorStatus[]
  readonly unseen: number
}

export type MonitorSeries = {
  readonly monitor: MonitorStatus
  readonly bounds: {
    readonly max: string | null
    readonly min: string | null
  }
  readonly points: readonly SeriesPoint[]
  readonly baseline: {
    readonly low: string
    readonly high: string
    readonly points: number
  } | null
  readonly marks: readonly SeriesMark[]
  readonly executions: number
  readonly complete: boolean
}

export type MonitorState = 'OK' | 'WARNING' | 'TRIPPED' | 'NO_DATA' | 'PAUSED'

export type MonitorStatus = {
  readonly agent_id: string
  readonly monitor: Monitor
  readonly monitor_hash: string
  readonly origin: 'contract' | 'file'
  readonly agent_status: AgentStatus | null
  readonly verdict: MonitorVerdict
  readonly state: MonitorState
  readonly sentence: string
}

export type MonitorVerdict = {
  readonly kind: 'ok' | 'trip' | 'no_data'
  readonly value: string | null
  readonly samples: number
  readonly unreadable: number
  readonly breach: {
    readonly bound: 'max' | 'min' | 'length' | 'unreadable'
    readonly threshold: string
  } | null
}

export type MovedBudget = {
  readonly agent: string
  readonly of: 'agent' | 'window'
  readonly measure: string
  readonly used: string
  readonly limit: string
  /** of the limit; 1: nothing is left */
  readonly share: number
  readonly resets_at: string | null
}

export type NearMonitor = {
  readonly id: string
  readonly agent: string
  readonly state: MonitorState
  readonly value: string | null
  readonly threshold: string | null
  /** of the way to its threshold */
  readonly share: number | null
}

export type NewChannel = {
  readonly name: string
  readonly place: ChannelPlace
  readonly tells: readonly NoticeKind[]
  readonly least: NoticeSeverity
  readonly quiet_s: number
  readonly paused: boolean
}

export type NoticeKind =
  | 'escalation'
  | 'expiry'
  | 'suspension'
  | 'dirty_flow'
  | 'needs_review'
  | 'manual_review'
  | 'drift'
  | 'adviser_budget'
  | 'tool_drift'

export type NoticeSeverity = 'info' | 'warning' | 'critical'

export type Observation = {
  readonly path: string
  readonly value: unknown
  readonly observed_at?: string
  readonly until?: string
  readonly signature?: string
}

export type Observed = {
  readonly path: string
  readonly version: number
  readonly value: unknown
  readonly before?: unknown
  readonly label: FactLabel
  readonly flags: readonly TextFlag[]
  readonly until?: string
}

export type Occasion = {
  readonly spawner: string
  readonly until:
    | {
        readonly flow: string
      }
    | {
        readonly at: string
      }
  readonly ends_at: string
}

export type OfferedTool = {
  readonly kind: string
  readonly version: string
  readonly summary?: string
  readonly params: Readonly<Record<string, unknown>>
  readonly reversible: boolean
  readonly risk: 'low' | 'medium' | 'high' | 'critical'
}

export type OpenSession = {
  readonly name: string
  readonly id: string
  readonly shown: string | null
  readonly opened_at: string
  readonly seen_at: string
  readonly expires_at: string
  readonly by: 'token' | 'provider'
  readonly own: boolean
}

export type Outlook = {
  readonly kind: 'runs' | 'refused' | 'asks_again'
  readonly code?: string
  readonly details?: Readonly<Record<string, unknown>>
}

export type OverLimit = {
  readonly limit: string
  readonly checked: string
  readonly value: string
  readonly min: string | null
  readonly max: string | null
}

export type Overview = {
  readonly since: string
  readonly until: string
  readonly step_ms: number
  readonly indexed: Indexed
  readonly decisions: {
    /** flows with any of these verdicts */
    readonly decided: number
    readonly accepted: number
    readonly rejected: number
    readonly escalated: number
    /** the same span earlier */
    readonly before: {
      /** flows with any of these verdicts */
      readonly decided: number
      readonly accepted: number
      readonly rejected: number
      readonly escalated: number
    }
  }
  readonly series: readonly {
    readonly at: string
    /** flows with any of these verdicts */
    readonly decided: number
    readonly accepted: number
    readonly rejected: number
    readonly escalated: number
  }[]
  readonly allowed: readonly AllowedAmount[]
  readonly reasons: readonly {
    readonly code: string
    readonly count: number
  }[]
  readonly waiting: {
    readonly count: number
    readonly oldest_at: string | null
    readonly median_wait_ms: number | null
    readonly requests: readonly WaitingRequest[]
  }
  readonly took: {
    readonly p50_ms: number | null
    readonly p99_ms: number | null
    readonly count: number
  }
  readonly moved: readonly MovedBudget[]
  readonly at_risk: readonly AgentAtRisk[]
  readonly agents: OverviewAgents
  readonly monitors: readonly NearMonitor[]
  readonly happened: readonly HappenedEvent[]
  readonly health: OverviewHealth
}

export type OverviewAgents = {
  /** agents that are not retired */
  readonly of: number
  /** of how many of them `moved` and `at_risk` know the budgets: of those that opened a flow last */
  readonly looked_at: number
  /** how many are suspended; `at_risk` has 200 of them at most */
  readonly suspended: number
}

export type OverviewHealth = {
  readonly store: string
  /** that have the store open and have not been declared dead */
  readonly processes: number
  readonly bus: {
    readonly due: number
    readonly dead: number
  }
  readonly ledger: {
    readonly size: number
    /** entries that the last checkpoint covers */
    readonly checkpoint: number | null
    /** entries that this process has read again and found whole */
    readonly checked: number
    /** how often it has read all of them */
    readonly passes: number
    /** when it had last read all of them; null: not yet */
    readonly verified_at: string | null
  }
  readonly damaged: boolean
  /** the registry does not answer */
  readonly degraded: boolean
  readonly version: string
}

export type Person = {
  readonly person_id: string
  readonly merged: readonly string[]
  readonly names: readonly string[]
  readonly logins: readonly {
    readonly issuer: string
    readonly sub: string
  }[]
}

export type PersonToken = {
  readonly name: string
  readonly roles: readonly ('operator' | 'approver' | 'auditor' | 'source')[]
  readonly elsewhere: boolean
  readonly own: boolean
}

export type PolicyProposal = {
  /** filled in from the flow when left out of an unsigned proposal */
  readonly dfid?: string
  /** filled in from the flow when left out of an unsigned proposal */
  readonly agent_id?: string
  readonly step_id?: string
  readonly policy_kind: string
  readonly params?: Readonly<Record<string, unknown>>
  /** filled in from the flow when left out of an unsigned proposal */
  readonly context_ref?: string
  /** filled in from the flow when left out of an unsigned proposal */
  readonly mission_context_hash?: string
  readonly execution_constraints?: Readonly<Record<string, unknown>>
  readonly resources?: readonly {
    readonly id: string
    readonly amount: number | string
  }[]
  /** an instant in UTC, such as 2026-01-31T12:00:00Z */
  readonly valid_until?: string
  /** between 0 and 1; 1 when left out */
  readonly confidence?: number | string
  readonly justification?: string
  readonly explain_ref?: string
  /** the fact behind each parameter, by its JSON pointer: {"/to/account": path} */
  readonly grounds?: Readonly<Record<string, string>>
  readonly schema_version?: string
  readonly writ_id?: string
  /** of the decision atom that it was decided under */
  readonly atom_id?: string
  readonly signature?: {
    readonly key_id: string
    readonly sig: string
  }
  readonly supersedes?: string
}

export type PreviewRow = {
  readonly subject: string
  readonly field: string
  readonly before: unknown
  readonly after: unknown
  readonly unit?: string
}

export type Problem = {
  /** `urn:rubicon:reason:CODE` */
  readonly type: string
  /** what the code means */
  readonly title: string
  /** of HTTP */
  readonly status: number
  readonly code:
    | 'ROUTE_UNKNOWN'
    | 'METHOD_NOT_ALLOWED'
    | 'REQUEST_INVALID'
    | 'REQUEST_TIMEOUT'
    | 'CONTENT_TYPE'
    | 'HOST_REFUSED'
    | 'TENANT_UNKNOWN'
    | 'TOKEN_MISSING'
    | 'TOKEN_INVALID'
    | 'SIGNED_OUT'
    | 'SIGN_IN_EXPIRED'
    | 'SIGN_IN_REFUSED'
    | 'SIGN_IN_UNAVAILABLE'
    | 'PROOF_MISSING'
    | 'PROOF_INVALID'
    | 'PROOF_STALE'
    | 'PROOF_REPLAYED'
    | 'ORIGIN_REFUSED'
    | 'CSRF_INVALID'
    | 'TLS_REQUIRED'
    | 'ROLE_MISSING'
    | 'RATE_LIMITED'
    | 'TOO_MANY_UNDER_WAY'
    | 'IDEMPOTENCY_KEY_MISSING'
    | 'IDEMPOTENCY_IN_FLIGHT'
    | 'IDEMPOTENCY_BODY_MISMATCH'
    | 'CALL_REUSED'
    | 'STREAMS_FULL'
    | 'STOPPING'
    | 'BUG'
    | 'STORE_CONTENTION'
    | 'LEDGER_CORRUPT'
    | 'NOTES_FULL'
    | 'EXPLANATIONS_FULL'
    | 'GENERATIONS_FULL'
    | 'GENERATION_UNKNOWN'
    | 'MODEL_UNKNOWN'
    | 'MODEL_UNPRICED'
    | 'MODEL_RATE_LIMITED'
    | 'MODEL_UNAVAILABLE'
    | 'MODEL_REFUSED'
    | 'MODEL_REPLY_INVALID'
    | 'MODEL_REPLY_TOO_LONG'
    | 'DECODE_FAILED'
    | 'GRAMMAR_TOO_LARGE'
    | 'GRAMMAR_UNSATISFIABLE'
    | 'MODEL_TIMEOUT'
    | 'REFRESHES_FULL'
    | 'EXECUTION_UNKNOWN'
    | 'ENTRY_UNKNOWN'
    | 'TRAJECTORY_UNKNOWN'
    | 'TRAJECTORY_EXISTS'
    | 'CHECKPOINT_MISSING'
    | 'CHECKPOINT_UNKNOWN'
    | 'QUERY_UNREADABLE'
    | 'EXECUTION_NOT_IN_REVIEW'
    | 'REVIEW_NOT_NEEDED'
    | 'REVIEW_UNSETTLED'
    | 'REVIEW_STALE'
    | 'ESCALATION_CLAIMED'
    | 'ENTRY_NO_DECISION'
    | 'DECISION_NOT_AGAIN'
    | 'DRAFT_TOO_COSTLY'
    | 'PAST_TOO_LONG'
    | 'FLOW_ERASED'
    | 'ERASURE_WAITS'
    | 'ERASURE_UNFINISHED'
    | 'FLOW_ARCHIVED'
    | 'TOPOLOGY_UNSERVED'
    | 'MCP_NOT_CONFIGURED'
    | 'MCP_TOOL_UNKNOWN'
    | 'MCP_TOOL_CHANGED'
    | 'MCP_LOCK_BUSY'
    | 'MCP_LOCK_INVALID'
    | 'MCP_LOCK_UNWRITABLE'
    | 'MONITOR_UNKNOWN'
    | 'MONITORS_FULL'
    | 'CONTRACT_REPLACED'
    | 'MONITOR_REPLACED'
    | 'SOURCE_UNKNOWN'
    | 'SOURCE_CLAIMED'
    | 'SOURCES_FULL'
    | 'TOKEN_UNKNOWN'
    | 'TOKEN_LAST'
    | 'SESSION_UNKNOWN'
    | 'CHANNEL_UNKNOWN'
    | 'CHANNEL_EXISTS'
    | 'CHANNEL_CHANGED'
    | 'CHANNEL_BUSY'
    | 'CHANNEL_INVALID'
    | 'CHANNELS_FULL'
    | 'CHANNELS_NOT_CONFIGURED'
    | 'SESSIONS_FULL'
    | 'DOCUMENTS_FULL'
    | 'SOURCE_DIFFERS'
    | 'RESOLUTION_INVALID'
    | 'COMMENT_INVALID'
    | 'COMMENTS_FULL'
    | 'ARTIFACT_UNKNOWN'
    | 'ARTIFACTS_NOT_CONFIGURED'
    | 'ARTIFACT_TOO_LARGE'
    | 'ARTIFACT_UNREADABLE'
    | 'BLOB_MISSING'
    | 'BLOB_CORRUPT'
    | 'BLOB_UNREADABLE'
    | 'PATH_INVALID'
    | 'TARGET_MISSING'
    | 'TARGET_AMBIGUOUS'
    | 'DESK_TIMEOUT'
    | 'DESK_BUSY'
    | 'DESK_CLOSED'
    | 'KEY_EXISTS'
    | 'KEY_UNKNOWN'
    | 'KEY_CHANGE_UNFIT'
    | 'TIMER_INVALID'
    | 'TIMER_UNKNOWN'
    | 'TIMERS_FULL'
    | 'FLOW_CLAIMED'
    | 'CLAIM_UNKNOWN'
    | 'LETTER_UNKNOWN'
    | 'EVENT_UNKNOWN'
    | 'SUBSCRIPTION_DENIED'
    | 'BUS_MISSING'
    | 'KEY_OF_RUNTIME'
    | 'NOTHING_TO_ACCEPT'
    | 'PATHS_FULL'
    | 'POLICY_INVALID'
    | 'KEY_MISSING'
    | 'KEY_UNREGISTERED'
    | 'KEY_OWN'
    | 'SIGNER_UNAVAILABLE'
    | 'PERSON_NAME'
    | 'PERSON_MISSING'
    | 'PERSON_UNSIGNED'
    | 'PERSON_UNLINKED'
    | 'IDENTITY_OWN'
    | 'IDENTITY_TAKEN'
    | 'IDENTITY_UNKNOWN'
    | 'IDENTITY_LIMIT'
    | 'STORE_FULL'
    | 'STORE_CORRUPT'
    | 'HEAD_MISMATCH'
    | 'STORE_DIVERGED'
    | 'STORE_READ_ONLY'
    | 'STORE_LOCKED'
    | 'STORE_NEWER'
    | 'STORE_MISSING'
    | 'STORE_CLOSED'
    | 'STORE_ERROR'
    | 'CLOCK_SKEW'
    | 'OVERLOADED'
    | 'BODY_TOO_LARGE'
    | 'BODY_NOT_UTF8'
    | 'JSON_SYNTAX'
    | 'JSON_DEPTH'
    | 'JSON_TOO_MANY_KEYS'
    | 'JSON_DUPLICATE_KEY'
    | 'JSON_FORBIDDEN_KEY'
    | 'JSON_LONE_SURROGATE'
    | 'JSON_NEGATIVE_ZERO'
    | 'JSON_NUMBER_RANGE'
    | 'JSON_NUMBER_PRECISION'
    | 'VALUE_NOT_JSON'
    | 'ID_CHARSET'
    | 'SCHEMA_INVALID'
    | 'TOPOLOGY_MISMATCH'
    | 'REJECT_AUTH'
    | 'REJECT_CONTEXT'
    | 'REJECT_DRIFT'
    | 'REJECT_HASH'
    | 'FLOW_UNKNOWN'
    | 'FLOW_NOT_OPEN'
    | 'FLOW_FULL'
    | 'FLOW_CANCELLED'
    | 'IDENTITY_MISMATCH'
    | 'STEP_IN_FLIGHT'
    | 'STEP_PARAMS_MISMATCH'
    | 'ATOM_INVALID'
    | 'ATOM_USED'
    | 'ATOM_EXPIRED'
    | 'RULES_NOT_IN_FORCE'
    | 'KIND_UNSUPPORTED'
    | 'SCHEMA_VERSION_UNSUPPORTED'
    | 'SIGNATURE_REQUIRED'
    | 'PROPOSAL_SIGNATURE_INVALID'
    | 'KEY_PURPOSE'
    | 'WRIT_MISSING'
    | 'WRIT_ID_MISMATCH'
    | 'WRIT_SIGNATURE_INVALID'
    | 'WRIT_UNTRUSTED_ISSUER'
    | 'WRIT_NOT_YET_VALID'
    | 'WRIT_EXPIRED'
    | 'CONTRACT_NOT_EFFECTIVE'
    | 'TTL_EXPIRED'
    | 'TTL_TOO_FAR'
    | 'APPROVAL_EXPIRED'
    | 'AGENT_UNKNOWN'
    | 'AGENT_NOT_ACTIVE'
    | 'AGENT_SUSPENDED'
    | 'AGENT_RETIRED'
    | 'AGENT_MAINTENANCE'
    | 'CONTRACT_REVOKED'
    | 'WRIT_REVOKED'
    | 'TENANT_MISMATCH'
    | 'WRIT_AUDIENCE'
    | 'WRIT_SUBJECT'
    | 'DELEGATION_WIDENS'
    | 'DELEGATION_DEPTH'
    | 'AUTHORITY_OBSERVE_ONLY'
    | 'RBAC_DENIED'
    | 'KIND_FORBIDDEN'
    | 'WRIT_SCOPE'
    | 'CAPABILITY_UNKNOWN'
    | 'EFFECT_CEILING'
    | 'BRANCH_EFFECT'
    | 'BUDGET_EXCEEDED'
    | 'ARGUMENTS_INVALID'
    | 'SINK_UNGROUNDED'
    | 'SINK_LABEL'
    | 'CONTRACT_UNANSWERED'
    | 'EXPRESSION_OVERFLOW'
    | 'MEASURE_UNAVAILABLE'
    | 'RESOURCE_SCOPE'
    | 'ORDER_VALUE_EXCEEDED'
    | 'LIMIT_EXCEEDED'
    | 'STATE_MISMATCH'
    | 'DRAWDOWN_LIMIT'
    | 'BUDGET_EXCEEDED_BY_PARAMS'
    | 'STALE_CONTEXT'
    | 'RESOURCES_MISMATCH'
    | 'MISSION_DISSONANCE'
    | 'PRECONDITION_FAILED'
    | 'COMPENSATION_FOREIGN'
    | 'FLOW_NOT_DIRTY'
    | 'COMPENSATION_MENU'
    | 'COMPENSATION_WAITS'
    | 'IMPACT_RAISED'
    | 'POLICY_ERROR'
    | 'POLICY_DENIED'
    | 'LOW_CONFIDENCE'
    | 'AUTHORITY_PROPOSE_ONLY'
    | 'HUMAN_APPROVAL_REQUIRED'
    | 'AUTHORITY_CEILING'
    | 'UNCERTAINTY'
    | 'APPROVAL_REQUIRED'
    | 'APPROVAL_VOID'
    | 'STATE_UNAVAILABLE'
    | 'STATE_DRIFT_DETECTED'
    | 'EXECUTION_CONSTRAINT_VIOLATED'
    | 'RESOURCE_QUARANTINED'
    | 'RESOURCE_CONTENTION'
    | 'RESOURCE_CONTENTION_TIMEOUT'
    | 'INSUFFICIENT_LIQUIDITY'
    | 'LOCK_EXPIRED'
    | 'DISPATCH_EXPIRED'
    | 'SEMANTIC_MISMATCH'
    | 'EVENT_HALTED'
    | 'PREEMPTED'
    | 'REASONING_EXHAUSTION'
    | 'CONTENTION_EXHAUSTION'
    | 'AUTHORITY_REVOKED'
    | 'COMPUTE_BUDGET_EXHAUSTED'
    | 'FLOW_EXPIRED'
    | 'WAKE_EXPIRED'
    | 'FLOW_ENDED'
    | 'AGENT_RATE'
    | 'USAGE_INVALID'
    | 'SILENCE'
    | 'MONITOR_TRIPPED'
    | 'ESCALATION_UNKNOWN'
    | 'ESCALATION_DECIDED'
    | 'ESCALATION_EXPIRED'
    | 'ESCALATION_BUDGET_EXHAUSTED'
    | 'ESCALATION_PENDING'
    | 'APPROVAL_QUEUE_FULL'
    | 'REPEATED_FAILURE'
    | 'AGENT_ASKS'
    | 'DECISION_INVALID'
    | 'DECISION_UNKNOWN'
    | 'DECISION_UNJUSTIFIED'
    | 'PERSON_UNKNOWN'
    | 'APPROVER_UNKNOWN'
    | 'APPROVER_REPEATED'
    | 'APPROVAL_DIVERGES'
    | 'PARENT_NOT_ASKED'
    | 'PARENT_NOT_ADMITTED'
    | 'APPROVAL_DIGEST_MISMATCH'
    | 'APPROVAL_SNAPSHOT_MISMATCH'
    | 'APPROVAL_WINDOW'
    | 'LIFT_UNKNOWN'
    | 'LIFTS_INCOMPLETE'
    | 'MODIFICATION_IMPOSSIBLE'
    | 'MODIFICATION_UNJUDGED'
    | 'SELF_APPROVAL'
    | 'DECISION_TOO_FAST'
    | 'IMPACT_UNACKNOWLEDGED'
    | 'INTENT_SIGNATURE_INVALID'
    | 'EFFECT_FAILED'
    | 'OUTCOME_UNKNOWN'
    | 'OBSERVATION_INVALID'
    | 'POSTCONDITION_FAILED'
    | 'DELTA_CONFLICT'
    | 'MANUAL_REVIEW_REQUIRED'
    | 'PARTIAL_SUCCESS_DIRTY'
    | 'KEY_ENCODING'
    | 'KEY_WEAK'
    | 'KEY_POSSESSION'
    | 'CONTRACT_INVALID'
    | 'CONTRACT_VERSION_IMMUTABLE'
    | 'CONTRACT_UNSIGNED'
    | 'MONITOR_INVALID'
    | 'MANIFEST_INVALID'
    | 'POLICY_REGEX_UNSAFE'
    | 'LIFECYCLE_REFUSED'
    | 'CONTEXT_SCHEMA_UNSUPPORTED'
    | 'CONTEXT_OVER_BUDGET'
    | 'CONTEXT_INCOMPLETE'
    | 'CONTEXT_REQUIRED'
    | 'JUSTIFICATION_REQUIRED'
    | 'INSTANCE_WIDENS'
    | 'PARENT_CYCLE'
    | 'VERSION_UNSUPPORTED'
    | 'SESSION_INVALID'
    | 'SESSION_EXPIRED'
    | 'DFID_SUPPLIED'
    | 'FLOW_FOREIGN'
    | 'REGISTRY_UNAVAILABLE'
    | 'FACT_NOT_OWNED'
    | 'OBSERVATION_SOURCE'
    | 'OBSERVATION_LABEL'
    | 'OBSERVATION_FUTURE'
    | 'OBSERVATION_STALE'
    | 'NOTE_TOO_LONG'
    | 'AGENT_STATE_CONFLICT'
    | 'ENTRY_UNREADABLE'
    | 'ENTRY_NOT_CANONICAL'
    | 'ENTRY_ID'
    | 'ENTRY_SEQUENCE'
    | 'ENTRY_PARENT'
    | 'PAYLOAD_HASH'
    | 'ENTRY_SIGNATURE'
    | 'KEYS_MISMATCH'
    | 'CHECKPOINT_UNREADABLE'
    | 'CHECKPOINT_SIGNATURE'
    | 'CHECKPOINT_ROOT'
    | 'CHECKPOINT_SIZE'
    | 'TRUST_MISMATCH'
    | 'INCLUSION_PROOF'
    | 'AUTHORITY_ORDER'
    | 'WORLD_MISMATCH'
    | 'LAW_MISMATCH'
    | 'COMPILER_DRIFT'
    | 'LEDGER_ROLLBACK'
    | 'ERASURE_UNSIGNED'
    | 'ARCHIVE_MISSING'
  /** what went wrong here */
  readonly detail: string
  /** what helps */
  readonly fix?: string
  /** what belongs to it */
  readonly meta?: Readonly<Record<string, unknown>>
  /** of a proposal: the answer, which is one all the same */
  readonly answer?: Readonly<Record<string, unknown>>
}

export type ProofCarryingIntent = {
  readonly dfid: string
  /** the proposal, without dfid, agent_id, context_ref and signature */
  readonly intent_payload: Readonly<Record<string, unknown>>
  readonly context_ref: string
  /** SHA-256 over dfid, H_s, H_c and H_r, in hexadecimal digits */
  readonly evidence_hash: string
  /** base64, over all other members, as type `pci` */
  readonly roa_signature: string
  readonly key_id: string
}

export type ProposalAnswer = {
  readonly dfid: string
  readonly attempt: number
  readonly outcome: 'ACCEPTED' | 'REJECTED' | 'ESCALATED' | 'EXHAUSTED' | 'REPEATED'
  readonly disposition?: 'soft_stop' | 'hard_stop' | 'delegation' | 'alert'
  readonly reason_code?: string
  readonly gate?: number
  readonly stage?:
    | 'proof'
    | 'repeat'
    | 'atom'
    | 'kind'
    | 'signature'
    | 'window'
    | 'scope'
    | 'capability'
    | 'budget'
    | 'arguments'
    | 'preconditions'
    | 'policy'
    | 'emission'
    | 'parser'
    | 'queue'
    | 'dispatch'
  readonly feedback?: Feedback
  readonly context?: WorkingContext
  readonly trace_id: string
  readonly execution?: {
    readonly status:
      | 'MANUAL_REVIEW'
      | 'UNKNOWN'
      | 'NOT_APPLIED'
      | 'ACCEPTED'
      | 'DISPATCHED'
      | 'FAILED'
      | 'ABANDONED'
      | 'SUCCESS'
      | 'PENDING'
    readonly reason_code?: string
    readonly details?: Readonly<Record<string, unknown>>
    readonly result?: unknown
    readonly receipt?: unknown
  }
}

export type RecordedDecision = {
  readonly approver: string
  readonly decision: 'OVERRIDE' | 'MODIFY' | 'ABORT' | 'EXPIRED'
  readonly justification: string
  readonly at: string
}

export type RegisteredKey = {
  readonly action: 'add'
  readonly key_id: string
  readonly purpose:
    | 'operator'
    | 'issuer'
    | 'agent'
    | 'approver'
    | 'kernel'
    | 'checkpoint'
    | 'witness'
  readonly public_key: string
  readonly subject: string
}

export type RegisteredPerson = {
  readonly person_id: string
  readonly unchanged: boolean
}

export type Rehearsal = {
  readonly ok: boolean
  readonly sentence: string
  readonly entries: number
  readonly executions: number
  readonly from_leaf: number
  readonly trips: readonly RehearsedTrip[]
  readonly monitors: readonly {
    readonly agent_id: string
    readonly monitor: string
    readonly verdict: MonitorVerdict
  }[]
}

export type RehearsedTrip = {
  readonly agent_id: string
  readonly monitor: string
  readonly leaf: number
  readonly dfid: string
  readonly at: string
  readonly value: string | null
  readonly bound: 'max' | 'min' | 'length' | 'unreadable'
  readonly threshold: string
  readonly samples: number
  readonly executions_behind: number
  readonly flows: readonly string[]
}

export type RequestClaim = {
  readonly by: string
  readonly person: string
  readonly since: string
  readonly until: string
  readonly yours: boolean
  /** who gave it to them; absent: they took it themselves */
  readonly given_by?: string
}

export type RequestComment = {
  readonly at: string
  readonly by: string
  readonly person: string
  readonly text: string
}

export type ResourceChange = {
  readonly seq: number
  readonly leaf: number | null
  readonly id: string
  readonly at: string
  readonly dfid: string | null
  readonly ops: readonly WorldOp[]
}

export type ReviewFlag = {
  readonly at: string
  readonly seq: number
  readonly kind: 'soft_guard' | 'limit'
  /** the name of the soft guard, or of the limit */
  readonly by: string
  /** a model may have written it */
  readonly why: string
  /** a person has looked at it since */
  readonly reviewed: boolean
}

export type ReviewedFlow = {
  readonly dfid: string
  readonly at: string
  readonly by: string
  readonly justification: string
  readonly flags: number
  /** it was reviewed before, and nothing was flagged since */
  readonly repeated: boolean
}

export type Revoked = {
  readonly revoked: string
  readonly reason: string
  readonly seq: number
}

export type RuleCoverage = {
  readonly policy: string | null
  readonly rule: string
  readonly line: number | null
  readonly evaluated: number
  readonly determined: number
  readonly erred: number
}

export type RuleErred = {
  readonly policy: string
  readonly rule: string
  readonly detail: string
}

export type RuleSpoke = {
  readonly policy: string
  readonly rule: string
}

export type RulesChange = {
  readonly what: 'policy' | 'capability' | 'version' | 'topology'
  readonly name: string
  readonly change: 'added' | 'changed' | 'gone'
  readonly from?: string
  readonly to?: string
}

export type RulesState = {
  readonly kind: 'in_force' | 'not_in_force'
  readonly until: string | null
  readonly held: string
  readonly recorded: string | null
  readonly changes: readonly RulesChange[]
  readonly acceptance: string | null
}

export type SagaStanding = 'open' | 'compensating' | 'with_person' | 'compensated' | 'settled'

export type SaidComment = {
  readonly request: string
  readonly at: string
  readonly by: string
  readonly yours: boolean
}

export type SecretName = {
  readonly secret: string
}

export type Sentence = {
  readonly about: 'who' | 'may' | 'limits' | 'people' | 'stops' | 'budget' | 'watched' | 'notes'
  readonly text: string
}

export type SeriesMark = {
  readonly kind: 'contract' | 'revocation' | 'policy' | 'monitor' | 'suspended' | 'lifted' | 'model'
  readonly at: string
  readonly seq: number | null
  readonly leaf: number | null
  readonly label: string
}

export type SeriesPoint = {
  readonly leaf: number
  readonly at: string
  readonly value: string | null
  readonly samples: number
  readonly unreadable: number
  readonly says: 'ok' | 'trip' | 'no_data'
}

export type ServedTenant = {
  readonly name: string
  readonly here: boolean
  readonly ready: boolean
  readonly problems: readonly {
    readonly code: string
    readonly summary: string
  }[]
  readonly store: string
  readonly entries: number
  readonly agents: number
  readonly open_flows: number
  readonly ended_flows: number
  readonly archived_flows: number
  readonly failed_notices: number
  readonly signed_entries: number | null
  readonly at: string
}

export type ServerSentEvent = {
  readonly id: string
  readonly event: string
  readonly data: string
  readonly retry?: number
}

export type Session = {
  readonly name: string
  readonly shown: string
  readonly person: string | null
  readonly login: {
    readonly issuer: string
    readonly sub: string
  } | null
  readonly roles: readonly ('operator' | 'approver' | 'auditor')[]
  readonly tenant: string
  readonly csrf: string
  readonly expires_at: string | null
}

export type SessionEvent = {
  readonly kind?: 'proposal' | 'verdict' | 'observation'
  readonly at: string
  readonly label: FactLabel
  readonly text: string
  readonly tokens: number
  readonly flags: readonly TextFlag[]
}

export type ShownComment = {
  readonly at: string
  readonly by: string
  readonly text: string
  readonly yours: boolean
}

export type ShownKey = {
  readonly key_id: string
  readonly purpose:
    | 'operator'
    | 'issuer'
    | 'agent'
    | 'approver'
    | 'kernel'
    | 'checkpoint'
    | 'witness'
  readonly subject: string
  readonly public_key: string
  readonly added_seq: number
  readonly retired_seq?: number
  readonly compromised_since_seq?: number
  readonly in_use: boolean
  readonly verifier_key: string | null
}

export type SignInWays = {
  readonly token: boolean
  readonly oidc: {
    readonly start: string
    readonly issuer: string
  } | null
  readonly session: Session | null
}

export type SourceLabel = 'trusted' | 'operator' | 'external'

export type SourceRegistration = {
  readonly source_id: string
  readonly label: SourceLabel
  readonly paths: readonly string[]
  readonly max_paths?: number
  readonly key?: string
}

export type SpawnedInstance = {
  readonly agent_id: string
  readonly instance_of: string
  readonly version: string
  readonly contract_hash: string
  readonly unchanged: boolean
}

export type StageTrace = {
  readonly stage:
    | 'proof'
    | 'repeat'
    | 'atom'
    | 'kind'
    | 'signature'
    | 'window'
    | 'scope'
    | 'capability'
    | 'budget'
    | 'arguments'
    | 'preconditions'
    | 'policy'
    | 'emission'
  readonly said: 'pass' | 'reject' | 'suspend' | 'repeat'
  readonly read: readonly string[]
  readonly refusals?: readonly Readonly<Record<string, unknown>>[]
  readonly triggers?: readonly Readonly<Record<string, unknown>>[]
  readonly policies?: readonly Readonly<Record<string, unknown>>[]
  readonly measures?: Readonly<Record<string, unknown>>
}

export type Stakes = {
  readonly reversible: boolean
  readonly impact_reasons: readonly string[]
  readonly over: OverLimit | null
}

export type StateFact = {
  readonly path: string
  readonly value: unknown
  readonly source: string
  readonly label: FactLabel
  readonly observed_at: string
  readonly version: string
  readonly until?: string
}

export type StateSince = {
  readonly at: string
  readonly seq: number
  readonly from: AgentStatus | null
  readonly actor: 'registry' | 'runtime' | 'operator' | 'agent'
  readonly by: string
  readonly justification: string
}

export type SymbolDifference = {
  readonly kind: string
  readonly path: string
  readonly was: string | null
  readonly parts: readonly string[]
  readonly lines: readonly number[]
}

export type TextFlag =
  | 'ignore_instructions'
  | 'role_change'
  | 'system_prompt'
  | 'exfiltration'
  | 'override_limits'
  | 'hidden_text'

export type Timer = {
  readonly name: string
  readonly at: string
  readonly agent_id: string
  readonly steps: 'one' | 'many'
  readonly every_ms: number | null
  readonly trigger: string
  readonly state: readonly string[]
}

export type TimerSet = {
  readonly name: string
  readonly at: string
  readonly agent_id: string
  readonly steps: 'one' | 'many'
  readonly every_ms: number | null
}

export type TopicListener = {
  readonly agent_id: string
  readonly role: 'MONITOR' | 'STRATEGIST' | 'EXECUTOR'
  readonly priority: number
  readonly status: AgentStatus
  readonly subscriptions: readonly TopicSubscription[]
}

export type TopicSubscription = {
  readonly topic: string
  readonly wake_if?: Readonly<Record<string, unknown>>
}

export type Trajectory = {
  readonly trajectory: string
  readonly entries: number
  readonly head: string
  readonly at: string
  readonly world_root: string
  readonly forked_from: {
    readonly trajectory: string
    readonly seq: number
  } | null
}

export type Trial = {
  readonly decision: DecisionRow
  readonly recorded: DecisionOutcome
  readonly now: DecisionOutcome
  readonly flips: boolean
  readonly stage:
    | 'proof'
    | 'repeat'
    | 'atom'
    | 'kind'
    | 'signature'
    | 'window'
    | 'scope'
    | 'capability'
    | 'budget'
    | 'arguments'
    | 'preconditions'
    | 'policy'
    | 'emission'
    | null
  readonly reasons: readonly VerdictReason[]
  readonly determining: readonly RuleSpoke[]
  readonly erroring: readonly RuleErred[]
  readonly trace: readonly StageTrace[]
  readonly proposal: unknown
  readonly state: readonly StateFact[]
  readonly contract: string | null
  readonly saved: Readonly<Record<string, unknown>> | null
}

export type Tried = {
  readonly one: Trial | null
  readonly last: LastTried | null
}

export type UnansweredRule = {
  readonly policy_kind: string
  readonly rule: string | null
}

export type UsageAnswer = {
  readonly dfid: string
  readonly state: FlowState
  readonly estimate: boolean
  readonly used: Readonly<Record<string, string>>
  readonly granted: Readonly<Record<string, string>>
  readonly reason_code?: string
}

export type VerdictMix = {
  readonly since: string
  readonly outcomes: Readonly<Record<string, number>>
  readonly reasons: readonly {
    readonly code: string
    readonly count: number
  }[]
  readonly last: string | null
}

export type VerdictReason = {
  readonly id: string | null
  readonly code: string
  readonly domain_code: string | null
  readonly details: Readonly<Record<string, unknown>>
}

export type WaitingRequest = {
  readonly id: string
  readonly dfid: string
  readonly agent: string
  readonly kind: string | null
  readonly object: string | null
  readonly amount: string | null
  readonly measure: string | null
  readonly reason: string
  readonly impact: Impact
  readonly since: string
  readonly expires_at: string
}

export type WholeEntry = {
  readonly entry: LedgerEntry
  readonly hashed: {
    readonly envelope: {
      readonly domain: string
      readonly text: string
    }
    readonly payload: {
      readonly domain: string
      readonly text: string | null
      readonly hash: string
    }
  }
  readonly before: EntryPlace | null
  readonly after: EntryPlace | null
  readonly proof: EntryProof | null
}

export type WholeFlow = {
  readonly flow: FlowRow
  readonly entries: readonly EntryView[]
  readonly executions: readonly ExecutionView[]
  readonly children: readonly {
    readonly dfid: string
    readonly agent_id: string
    readonly state: FlowState
  }[]
  readonly budget: readonly BudgetLine[]
  readonly flags: readonly ReviewFlag[]
  readonly reviews: readonly FlowReview[]
  /** under which its agent, or the client of its agent, groups what it asks for */
  readonly conversation: string | null
  /** of so many entries and effects the text is left out, as `null`, since the flow is too long; `GET /v1/ledger/entries/:leaf` has each of them */
  readonly withheld: number
  /** where its payloads are, if an operator moved them out of the store */
  readonly archive: {
    readonly file: string
    readonly archive: string
    readonly archived_at: string
  } | null
}

export type Why = {
  readonly id: string
  readonly code: string
  readonly domain_code: string | null
  readonly means: string
  readonly details: Readonly<Record<string, unknown>>
}

export type WorkingContext = {
  readonly dfid: string
  readonly agent_id: string
  readonly snapshot_id: string
  readonly schema_version: string
  readonly compiled_at: string
  readonly mission: string
  readonly constraints: {
    readonly permissions: Readonly<Record<string, unknown>>
    readonly safety_rules: Readonly<Record<string, unknown>>
  }
  readonly mission_context_hash: string
  readonly contract_hash: string
  readonly evidence?: {
    readonly h_c: string
    readonly h_r: string
  }
  readonly trigger: string
  readonly state: readonly StateFact[]
  readonly world: readonly WorldFact[]
  readonly session: readonly SessionEvent[]
  readonly memory: readonly MemoryEntry[]
  readonly artifacts: readonly ArtifactRef[]
  readonly policy_schema: {
    readonly schema_version: string
    readonly policy_kinds: readonly string[]
  }
  readonly budget: {
    readonly tokens: number
    readonly used: number
  }
  readonly trimmed: {
    readonly session?: number
    readonly memory?: number
    readonly artifacts?: number
    readonly state?: readonly string[]
    readonly world?: readonly string[]
  }
}

export type WorldFact = {
  readonly kind: string
  readonly id: string
  readonly version: number
  readonly value: unknown
  readonly retracted: boolean
}

export type WorldMoment = {
  readonly trajectory: string
  readonly entries: number
  readonly moment: {
    readonly seq: number
    readonly id: string
    readonly at: string
    readonly kind: EntryKind
    readonly dfid: string | null
  }
  readonly root: string
  readonly unknown_from: number | null
  readonly kinds: readonly {
    readonly kind: string
    readonly resources: number
  }[]
  readonly total: number
  readonly resources: readonly WorldResource[]
  readonly next: string | null
}

export type WorldOp = {
  readonly op: 'create' | 'replace' | 'patch' | 'retract' | 'increment'
  readonly kind: string
  readonly id: string
  readonly expected_version?: number
  readonly value?: unknown
  readonly patch?: unknown
  readonly by?: string
  readonly field?: string
}

export type WorldResource = {
  readonly kind: string
  readonly id: string
  readonly version: number
  readonly value: unknown
  readonly retracted: boolean
  readonly entry: {
    readonly seq: number
    readonly id: string
    readonly at: string
    readonly dfid: string | null
  }
  readonly before?: {
    readonly version: number
    readonly value: unknown
    readonly retracted: boolean
  } | null
}

export type Writ = {
  readonly id: string
  readonly body: Readonly<Record<string, unknown>>
  readonly signature: {
    readonly key_id: string
    readonly sig: string
  }
  readonly revoked: boolean
}

export type GetHealthAsked = {
  readonly signal?: AbortSignal
}
export type GetHealthReply = {
  readonly status: 'up'
}

export type GetReadinessAsked = {
  readonly signal?: AbortSignal
}
export type GetReadinessReply = {
  readonly ready: boolean
  readonly problems: readonly {
    readonly code: string
    readonly summary: string
  }[]
}

export type GetMetricsAsked = {
  readonly signal?: AbortSignal
}
export type GetMetricsReply = string

export type GetOverviewAsked = {
  readonly query?: {
    readonly range?: '1h' | '24h' | '7d' | '30d' | undefined
    readonly since?: string | undefined
    readonly until?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type GetOverviewReply = Overview

export type GetAgentActivityAsked = {
  readonly query?: { readonly range?: '1h' | '24h' | '7d' | '30d' | undefined }
  readonly signal?: AbortSignal
}
export type GetAgentActivityReply = AgentsActivity

export type StartSessionAsked = {
  readonly body: {
    readonly token: string
  }
  readonly signal?: AbortSignal
}
export type StartSessionReply = Session

export type GetSessionAsked = {
  readonly signal?: AbortSignal
}
export type GetSessionReply = Session

export type EndSessionAsked = {
  readonly signal?: AbortSignal
}
export type EndSessionReply = {
  readonly signed_out: boolean
  readonly provider: string | null
}

export type SignInWaysAsked = {
  readonly signal?: AbortSignal
}
export type SignInWaysReply = SignInWays

export type StartProviderSignInAsked = {
  readonly query?: { readonly tenant?: string | undefined; readonly return_to?: string | undefined }
  readonly signal?: AbortSignal
}
export type StartProviderSignInReply = null

export type FinishProviderSignInAsked = {
  readonly signal?: AbortSignal
}
export type FinishProviderSignInReply = null

export type ShakeHandsAsked = {
  readonly body: {
    readonly agent: string
    readonly schema_version?: string
    readonly end_others?: boolean
    readonly topologies?: readonly ('EOAM' | 'SDS' | 'DL_PCI')[]
    readonly key?: {
      readonly key_id: string
      readonly signed_at: string
      readonly nonce: string
      readonly sig: string
    }
  }
  readonly signal?: AbortSignal
}
export type ShakeHandsReply = Handshake

export type EndAgentSessionAsked = {
  readonly signal?: AbortSignal
}
export type EndAgentSessionReply = {
  readonly ended: boolean
}

export type ListAgentsAsked = {
  readonly query?: { readonly cursor?: string | undefined; readonly limit?: string | undefined }
  readonly signal?: AbortSignal
}
export type ListAgentsReply = {
  readonly agents: readonly AgentSummary[]
  readonly next: string | null
}

export type GetPolicySchemaAsked = {
  readonly signal?: AbortSignal
}
export type GetPolicySchemaReply = {
  readonly schema_version: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly kinds: Readonly<
    Record<
      string,
      {
        readonly version: string
        readonly summary?: string
        readonly params: Readonly<Record<string, unknown>>
      }
    >
  >
}

export type GetAgentAsked = {
  readonly params: { readonly id: string }
  readonly signal?: AbortSignal
}
export type GetAgentReply = AgentDetail

export type MoveAgentAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly to: 'ACTIVE' | 'SUSPENDED' | 'RETIRED'
    readonly justification: string
    readonly revoke?: boolean
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type MoveAgentReply = AgentMoved

export type GetAgentStateAsked = {
  readonly params: { readonly id: string }
  readonly signal?: AbortSignal
}
export type GetAgentStateReply = {
  readonly agent_id: string
  readonly state: KeptState | null
}

export type PutAgentStateAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly value: unknown
    readonly version: number | null
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type PutAgentStateReply = KeptStateWritten

export type DropAgentStateAsked = {
  readonly params: { readonly id: string }
  readonly signal?: AbortSignal
}
export type DropAgentStateReply = {
  readonly agent_id: string
  readonly dropped: boolean
}

export type ListArtifactsAsked = {
  readonly query?: { readonly cursor?: string | undefined; readonly limit?: string | undefined }
  readonly signal?: AbortSignal
}
export type ListArtifactsReply = {
  readonly documents: readonly Document[]
  readonly next: string | null
}

export type GetArtifactAsked = {
  readonly params: { readonly name: string }
  readonly query?: { readonly from?: string | undefined }
  readonly signal?: AbortSignal
}
export type GetArtifactReply = DocumentText

export type PutArtifactAsked = {
  readonly params: { readonly name: string }
  readonly body: {
    readonly title: string
    readonly text: string
  }
  readonly signal?: AbortSignal
}
export type PutArtifactReply = IndexedDocument

export type DropArtifactAsked = {
  readonly params: { readonly name: string }
  readonly signal?: AbortSignal
}
export type DropArtifactReply = {
  readonly name: string
  readonly dropped: boolean
}

export type ListDocumentsAsked = {
  readonly params: { readonly id: string }
  readonly query?: { readonly cursor?: string | undefined; readonly limit?: string | undefined }
  readonly signal?: AbortSignal
}
export type ListDocumentsReply = {
  readonly documents: readonly Document[]
  readonly next: string | null
}

export type GetDocumentOfAgentAsked = {
  readonly params: { readonly id: string; readonly name: string }
  readonly query?: { readonly from?: string | undefined }
  readonly signal?: AbortSignal
}
export type GetDocumentOfAgentReply = DocumentText

export type PutDocumentAsked = {
  readonly params: { readonly id: string; readonly name: string }
  readonly body: {
    readonly title: string
    readonly text: string
  }
  readonly signal?: AbortSignal
}
export type PutDocumentReply = IndexedDocument

export type DropDocumentAsked = {
  readonly params: { readonly id: string; readonly name: string }
  readonly signal?: AbortSignal
}
export type DropDocumentReply = {
  readonly name: string
  readonly dropped: boolean
}

export type ListTimersAsked = {
  readonly params: { readonly id: string }
  readonly signal?: AbortSignal
}
export type ListTimersReply = {
  readonly timers: readonly Timer[]
}

export type SetTimerAsked = {
  readonly params: { readonly id: string; readonly name: string }
  readonly body: {
    readonly trigger: string
    /** an instant in UTC, such as 2026-01-31T12:00:00Z; a day stands for its first */
    readonly at?: string
    readonly every_ms?: number
    readonly state?: readonly string[]
    readonly steps?: 'one' | 'many'
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type SetTimerReply = TimerSet

export type DropTimerAsked = {
  readonly params: { readonly id: string; readonly name: string }
  readonly signal?: AbortSignal
}
export type DropTimerReply = {
  readonly name: string
  readonly dropped: boolean
}

export type ListDeadLettersAsked = {
  readonly query?: { readonly cursor?: string | undefined; readonly limit?: string | undefined }
  readonly signal?: AbortSignal
}
export type ListDeadLettersReply = {
  readonly letters: readonly BusLetter[]
  readonly next: string | null
}

export type ReplayDeadLetterAsked = {
  readonly params: { readonly id: string }
  readonly body: Readonly<Record<string, never>>
  readonly signal?: AbortSignal
}
export type ReplayDeadLetterReply = BusLetter

export type ListTopicsAsked = {
  readonly query?: { readonly cursor?: string | undefined; readonly limit?: string | undefined }
  readonly signal?: AbortSignal
}
export type ListTopicsReply = {
  readonly topics: readonly ListedTopic[]
  readonly next: string | null
}

export type ListTopicEventsAsked = {
  readonly query?: {
    readonly topic?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListTopicEventsReply = {
  readonly events: readonly ListedEvent[]
  readonly next: string | null
}

export type GetTopicEventAsked = {
  readonly params: { readonly id: string }
  readonly signal?: AbortSignal
}
export type GetTopicEventReply = EventAccount

export type SpawnInstanceAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly instance: string
    /** a merge patch on the contract of the class: only what is narrower */
    readonly narrowing?: Readonly<Record<string, unknown>>
    readonly parent?: string
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type SpawnInstanceReply = SpawnedInstance

export type CheckContractAsked = {
  readonly body: {
    readonly source: string
  }
  readonly signal?: AbortSignal
}
export type CheckContractReply = CheckedContract

export type DeployContractAsked = {
  readonly params: { readonly agent_id: string }
  readonly body: {
    readonly source: string
    readonly revoke_previous?: boolean
    readonly replaces?: string | null
  }
  readonly signal?: AbortSignal
}
export type DeployContractReply = DeployedContract

export type GetContractAsked = {
  readonly params: { readonly agent_id: string }
  readonly signal?: AbortSignal
}
export type GetContractReply = ContractVersions

export type RevokeContractAsked = {
  readonly params: { readonly agent_id: string }
  readonly body: {
    readonly reason: string
    readonly version?: string
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type RevokeContractReply = Revoked

export type ListWritsAsked = {
  readonly query?: {
    readonly agent?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListWritsReply = {
  readonly writs: readonly Writ[]
  readonly next: string | null
}

export type IssueWritAsked = {
  readonly body: {
    readonly agent: string
    readonly audience?: string
    readonly hours?: number
    readonly parent?: string
    readonly kinds?: readonly string[]
    readonly budget?: Readonly<Record<string, string>>
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type IssueWritReply = Writ

export type GetWritAsked = {
  readonly params: { readonly id: string }
  readonly signal?: AbortSignal
}
export type GetWritReply = Writ

export type RevokeWritAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly reason: string
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type RevokeWritReply = Revoked

export type ListKeysAsked = {
  readonly query?: {
    readonly subject?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListKeysReply = {
  readonly keys: readonly KeyRecord[]
  readonly next: string | null
}

export type RegisterKeyAsked = {
  readonly body: {
    readonly purpose:
      | 'operator'
      | 'issuer'
      | 'agent'
      | 'approver'
      | 'kernel'
      | 'checkpoint'
      | 'witness'
    readonly subject: string
    readonly public_key: string
    readonly possession: string
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type RegisterKeyReply = RegisteredKey

export type GetKeyAsked = {
  readonly params: { readonly id: string }
  readonly signal?: AbortSignal
}
export type GetKeyReply = ShownKey

export type RetireKeyAsked = {
  readonly params: { readonly id: string }
  readonly body: Readonly<Record<string, never>>
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type RetireKeyReply = {
  readonly key_id: string
  readonly action: 'retire'
}

export type CompromiseKeyAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly since_seq: number
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type CompromiseKeyReply = {
  readonly key_id: string
  readonly action: 'compromise'
  readonly since_seq: number
}

export type ListPersonsAsked = {
  readonly query?: {
    readonly who?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListPersonsReply = {
  readonly persons: readonly Person[]
  readonly next: string | null
}

export type RegisterPersonAsked = {
  readonly body: {
    readonly name: string
  }
  readonly signal?: AbortSignal
}
export type RegisterPersonReply = RegisteredPerson

export type LinkIdentityAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly name?: string
    readonly issuer?: string
    readonly sub?: string
  }
  readonly signal?: AbortSignal
}
export type LinkIdentityReply = RegisteredPerson

export type UnlinkIdentityAsked = {
  readonly params: { readonly id: string }
  readonly query?: {
    readonly name?: string | undefined
    readonly issuer?: string | undefined
    readonly sub?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type UnlinkIdentityReply = RegisteredPerson

export type MergePersonsAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly into: string
  }
  readonly signal?: AbortSignal
}
export type MergePersonsReply = RegisteredPerson

export type ListTokensAsked = {
  readonly signal?: AbortSignal
}
export type ListTokensReply = {
  readonly tokens: readonly PersonToken[]
}

export type RevokeTokenAsked = {
  readonly params: { readonly name: string }
  readonly signal?: AbortSignal
}
export type RevokeTokenReply = {
  readonly revoked: string
}

export type ListOpenSessionsAsked = {
  readonly signal?: AbortSignal
}
export type ListOpenSessionsReply = {
  readonly sessions: readonly OpenSession[]
}

export type EndOpenSessionAsked = {
  readonly params: { readonly name: string; readonly id: string }
  readonly signal?: AbortSignal
}
export type EndOpenSessionReply = {
  readonly ended: string
}

export type ListTenantsAsked = {
  readonly signal?: AbortSignal
}
export type ListTenantsReply = {
  readonly tenants: readonly ServedTenant[]
}

export type CheckPolicyAsked = {
  readonly body: {
    readonly name: string
    readonly text: string
  }
  readonly signal?: AbortSignal
}
export type CheckPolicyReply = CheckedPolicy

export type GetLawAsked = {
  readonly signal?: AbortSignal
}
export type GetLawReply = Law

export type GetStandingAsked = {
  readonly signal?: AbortSignal
}
export type GetStandingReply = RulesState

export type ActAsked = {
  readonly query?: {
    readonly wait_ms?: string | undefined
    readonly wait?: 'settled' | 'dispatched' | undefined
  }
  readonly body: {
    readonly step_id?: string
    readonly policy_kind: string
    readonly params?: Readonly<Record<string, unknown>>
    readonly execution_constraints?: Readonly<Record<string, unknown>>
    readonly resources?: readonly {
      readonly id: string
      readonly amount: number | string
    }[]
    /** an instant in UTC, such as 2026-01-31T12:00:00Z */
    readonly valid_until?: string
    /** between 0 and 1; 1 when left out */
    readonly confidence?: number | string
    readonly justification?: string
    /** the fact behind each parameter, by its JSON pointer: {"/to/account": path} */
    readonly grounds?: Readonly<Record<string, string>>
    readonly schema_version?: string
    /** of the decision atom that it was decided under */
    readonly atom_id?: string
    readonly agent?: string
    readonly trigger: string
    readonly steps?: 'one' | 'many'
    readonly trajectory?: string
    readonly seen?: readonly {
      readonly path: string
      readonly value?: unknown
      readonly version?: string
      /** an instant in UTC, such as 2026-01-31T12:00:00Z; a day stands for its first */
      readonly observed_at: string
    }[]
    readonly once?: {
      readonly call?: {
        readonly conversation: string
        readonly id: string
      }
      readonly key?: string
    }
    readonly conversation?: string
    readonly dfid?: unknown
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type ActReply = ProposalAnswer

export type OpenFlowAsked = {
  readonly body: {
    readonly agent?: string
    readonly trigger: string
    readonly steps?: 'one' | 'many'
    readonly trajectory?: string
    readonly parent?: string
    readonly budget?: Readonly<Record<string, string>>
    readonly state?: readonly string[]
    readonly world?: readonly {
      readonly kind: string
      readonly id: string
    }[]
    readonly dfid?: unknown
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type OpenFlowReply = {
  readonly dfid: string
  readonly context: WorkingContext
  readonly atom?: DecisionAtom
}

export type ListFlowsAsked = {
  readonly query?: {
    readonly state?: string | undefined
    readonly agent?: string | undefined
    readonly parent?: string | undefined
    readonly tag?:
      | 'DIRTY'
      | 'COMPENSATED'
      | 'UNKNOWN'
      | 'NEEDS_REVIEW'
      | 'ERASED'
      | 'ARCHIVED'
      | undefined
    readonly kind?: string | undefined
    readonly outcome?: 'accepted' | 'rejected' | 'escalated' | 'ended' | 'decided' | undefined
    readonly reason?: string | undefined
    readonly measure?: string | undefined
    readonly amount_min?: string | undefined
    readonly amount_max?: string | undefined
    readonly words?: string | undefined
    readonly counts?: 'true' | undefined
    readonly sort?: string | undefined
    readonly conversation?: string | undefined
    readonly since?: string | undefined
    readonly until?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListFlowsReply = {
  readonly flows: readonly FlowSummary[]
  readonly next: string | null
  /** on the first page, where it was asked for; null as well beside a plain list while the index is behind */
  readonly counts: FilterCounts | null
  readonly indexed: Indexed
}

export type GetFlowAsked = {
  readonly params: { readonly dfid: string }
  readonly signal?: AbortSignal
}
export type GetFlowReply = WholeFlow

export type GetFlowTreeAsked = {
  readonly params: { readonly dfid: string }
  readonly query?: { readonly cursor?: string | undefined; readonly limit?: string | undefined }
  readonly signal?: AbortSignal
}
export type GetFlowTreeReply = FlowTree

export type GetOutcomeAsked = {
  readonly params: { readonly dfid: string }
  readonly query?: { readonly wait_ms?: string | undefined }
  readonly signal?: AbortSignal
}
export type GetOutcomeReply = {
  readonly settled: boolean
  readonly answer?: ProposalAnswer
}

export type ListToolsAsked = {
  readonly params: { readonly dfid: string }
  readonly signal?: AbortSignal
}
export type ListToolsReply = {
  readonly tools: readonly OfferedTool[]
}

export type GetGrammarAsked = {
  readonly params: { readonly dfid: string }
  readonly body: {
    readonly kinds: readonly string[]
  }
  readonly signal?: AbortSignal
}
export type GetGrammarReply = Grammar

export type ProposeAsked = {
  readonly params: { readonly dfid: string }
  readonly query?: { readonly wait_ms?: string | undefined }
  readonly body: PolicyProposal | ProofCarryingIntent
  readonly signal?: AbortSignal
}
export type ProposeReply = ProposalAnswer

export type IssueAtomAsked = {
  readonly params: { readonly dfid: string }
  readonly body: {
    readonly policy_kinds?: readonly string[]
  }
  readonly signal?: AbortSignal
}
export type IssueAtomReply = DecisionAtom

export type FindIdsAsked = {
  readonly query: { readonly begins: string }
  readonly signal?: AbortSignal
}
export type FindIdsReply = {
  readonly flows: readonly string[]
  readonly requests: readonly string[]
}

export type AddNoteAsked = {
  readonly params: { readonly dfid: string }
  readonly body: {
    readonly text: string
  }
  readonly signal?: AbortSignal
}
export type AddNoteReply = {
  readonly place: number
  readonly label: FactLabel
  readonly flags: readonly TextFlag[]
}

export type ListNotesAsked = {
  readonly params: { readonly dfid: string }
  readonly query?: { readonly cursor?: string | undefined; readonly limit?: string | undefined }
  readonly signal?: AbortSignal
}
export type ListNotesReply = {
  readonly notes: readonly KeptNote[]
  readonly next: string | null
}

export type ExplainAsked = {
  readonly params: { readonly dfid: string }
  readonly body: {
    readonly narrative: string
    readonly identified_signals?: readonly string[]
    readonly risks?: readonly string[]
  }
  readonly signal?: AbortSignal
}
export type ExplainReply = {
  readonly explain_ref: string
}

export type RefreshContextAsked = {
  readonly params: { readonly dfid: string }
  readonly body: {
    readonly state?: readonly string[]
  }
  readonly signal?: AbortSignal
}
export type RefreshContextReply = WorkingContext

export type SearchArtifactsAsked = {
  readonly params: { readonly dfid: string }
  readonly query: { readonly q: string }
  readonly signal?: AbortSignal
}
export type SearchArtifactsReply = {
  readonly artifacts: readonly ArtifactRef[]
}

export type ReportUsageAsked = {
  readonly params: { readonly dfid: string }
  readonly body: {
    readonly used: Readonly<Record<string, unknown>>
    readonly report?: string
  }
  readonly signal?: AbortSignal
}
export type ReportUsageReply = UsageAnswer

export type CancelFlowAsked = {
  readonly params: { readonly dfid: string }
  readonly body: {
    readonly reason: string
  }
  readonly signal?: AbortSignal
}
export type CancelFlowReply = {
  readonly dfid: string
  readonly cancelled: boolean
  readonly reason: string
}

export type ClaimFlowAsked = {
  readonly params: { readonly dfid: string }
  readonly body: {
    readonly by: string
  }
  readonly signal?: AbortSignal
}
export type ClaimFlowReply = {
  readonly dfid: string
  readonly by: string
  readonly until: string
}

export type CloseFlowAsked = {
  readonly params: { readonly dfid: string }
  readonly body: Readonly<Record<string, never>>
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type CloseFlowReply = {
  readonly dfid: string
  readonly closed: boolean
}

export type GenerateAsked = {
  readonly params: { readonly dfid: string }
  readonly body: GenerationRequest
  readonly signal?: AbortSignal
}
export type GenerateReply = Generation

export type GetGenerationAsked = {
  readonly params: { readonly dfid: string; readonly id: string }
  readonly signal?: AbortSignal
}
export type GetGenerationReply = KeptGeneration

export type ObserveAsked = {
  readonly body: Observation | readonly Observation[]
  readonly signal?: AbortSignal
}
export type ObserveReply = {
  readonly observed: readonly Observed[]
}

export type ListSourcesAsked = {
  readonly signal?: AbortSignal
}
export type ListSourcesReply = {
  readonly sources: readonly FactSource[]
  readonly reported: Readonly<Record<string, string>> | null
}

export type RegisterSourceAsked = {
  readonly body: SourceRegistration
  readonly signal?: AbortSignal
}
export type RegisterSourceReply = {
  readonly source: FactSource
  readonly unchanged: boolean
}

export type RetireSourceAsked = {
  readonly params: { readonly source: string }
  readonly signal?: AbortSignal
}
export type RetireSourceReply = {
  readonly seq: number
}

export type ListChannelsAsked = {
  readonly signal?: AbortSignal
}
export type ListChannelsReply = {
  readonly channels: readonly Channel[]
}

export type AddChannelAsked = {
  readonly body: NewChannel
  readonly signal?: AbortSignal
}
export type AddChannelReply = Channel

export type GetChannelAsked = {
  readonly params: { readonly name: string }
  readonly signal?: AbortSignal
}
export type GetChannelReply = Channel

export type ChangeChannelAsked = {
  readonly params: { readonly name: string }
  readonly body: ChangedChannel
  readonly signal?: AbortSignal
}
export type ChangeChannelReply = Channel

export type RemoveChannelAsked = {
  readonly params: { readonly name: string }
  readonly signal?: AbortSignal
}
export type RemoveChannelReply = {
  readonly removed: string
}

export type TestChannelAsked = {
  readonly params: { readonly name: string }
  readonly body: Readonly<Record<string, never>>
  readonly signal?: AbortSignal
}
export type TestChannelReply = ChannelResult

export type ListEscalationsAsked = {
  readonly query?: {
    readonly state?: 'open' | 'approved' | 'closed' | undefined
    readonly agent?: string | undefined
    readonly impact?: 'LOW_IMPACT' | 'HIGH_IMPACT' | undefined
    readonly queue?: 'approval' | 'exception' | undefined
    readonly ended?: string | undefined
    readonly since?: string | undefined
    readonly until?: string | undefined
    readonly tag?: string | undefined
    readonly kind?: string | undefined
    readonly outcome?: 'accepted' | 'rejected' | 'escalated' | 'ended' | 'decided' | undefined
    readonly reason?: string | undefined
    readonly measure?: string | undefined
    readonly amount_min?: string | undefined
    readonly amount_max?: string | undefined
    readonly words?: string | undefined
    readonly counts?: 'true' | undefined
    readonly sort?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListEscalationsReply = {
  readonly escalations: readonly EscalationSummary[]
  readonly next: string | null
  /** on the first page, where it was asked for; null as well beside a plain list while the index is behind */
  readonly counts: FilterCounts | null
  readonly indexed: Indexed
}

export type GetEscalationAsked = {
  readonly params: { readonly id: string }
  readonly signal?: AbortSignal
}
export type GetEscalationReply = EscalationView

export type JudgeModificationAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly modified: Modification
  }
  readonly signal?: AbortSignal
}
export type JudgeModificationReply = JudgedModification

export type DecideEscalationAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    /** whether it runs, runs modified, or ends */
    readonly decision: 'OVERRIDE' | 'MODIFY' | 'ABORT'
    /** of the brief: what would run */
    readonly intent_digest: string
    /** of the brief: what the agent had seen */
    readonly shown_snapshot: string
    /** ids of triggers; nothing else is lifted */
    readonly lifts?: readonly string[]
    /** an instant in UTC; an ABORT needs none */
    readonly valid_until?: string
    /** why; it is recorded */
    readonly justification: string
    /** the impact that was on the screen */
    readonly acknowledged_impact?: 'LOW_IMPACT' | 'HIGH_IMPACT'
    /** what the request asks to be typed, verbatim */
    readonly acknowledgement?: string
    /** of the brief: refused if facts have moved since */
    readonly shown_facts?: string
    readonly modified?: Modification
    /** with MODIFY: the digest of its judgement */
    readonly modification?: string
    /** with ABORT: the agent ends as well */
    readonly retire?: boolean
    /** by a key of the approver */
    readonly signature?: {
      /** the key that signed */
      readonly key_id: string
      /** base64 */
      readonly sig: string
    }
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type DecideEscalationReply = Decided

export type ListInboxAsked = {
  readonly query?: {
    readonly tab?: 'mine' | 'fast' | 'team' | 'decided' | 'expired' | undefined
    readonly sort?:
      | 'expires'
      | '-expires'
      | 'requested'
      | '-requested'
      | 'amount'
      | '-amount'
      | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListInboxReply = Inbox

export type GetEscalationBriefAsked = {
  readonly params: { readonly id: string }
  readonly signal?: AbortSignal
}
export type GetEscalationBriefReply = EscalationBrief

export type AskAgainAsked = {
  readonly params: { readonly id: string }
  readonly body: Readonly<Record<string, never>>
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type AskAgainReply = AskedAgain

export type ClaimEscalationAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    /** who has it, to take it over */
    readonly instead_of?: string
    /** who is to look after it, if not whoever asks */
    readonly for?: string
  }
  readonly signal?: AbortSignal
}
export type ClaimEscalationReply = RequestClaim

export type ReleaseEscalationAsked = {
  readonly params: { readonly id: string }
  readonly query?: { readonly of?: string | undefined }
  readonly signal?: AbortSignal
}
export type ReleaseEscalationReply = {
  readonly released: RequestClaim | null
}

export type AddCommentAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly text: string
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type AddCommentReply = SaidComment

export type ListExecutionsAsked = {
  readonly query?: {
    readonly status?: string | undefined
    readonly dfid?: string | undefined
    readonly agent?: string | undefined
    readonly since?: string | undefined
    readonly until?: string | undefined
    readonly tag?: string | undefined
    readonly kind?: string | undefined
    readonly outcome?: 'accepted' | 'rejected' | 'escalated' | 'ended' | 'decided' | undefined
    readonly reason?: string | undefined
    readonly measure?: string | undefined
    readonly amount_min?: string | undefined
    readonly amount_max?: string | undefined
    readonly words?: string | undefined
    readonly counts?: 'true' | undefined
    readonly sort?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListExecutionsReply = {
  readonly executions: readonly FoundExecution[]
  readonly next: string | null
  /** on the first page, where it was asked for; null as well beside a plain list while the index is behind */
  readonly counts: FilterCounts | null
  readonly indexed: Indexed
}

export type ListDirtyFlowsAsked = {
  readonly query?: { readonly cursor?: string | undefined; readonly limit?: string | undefined }
  readonly signal?: AbortSignal
}
export type ListDirtyFlowsReply = {
  readonly flows: readonly DirtyFlow[]
  readonly next: string | null
}

export type ResolveExecutionAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly outcome: 'applied' | 'not_applied' | 'abandon'
    readonly evidence: Readonly<Record<string, unknown>>
    readonly justification: string
    readonly effect?: {
      readonly result?: unknown
      readonly delta?: readonly WorldOp[]
      readonly receipt?: unknown
    }
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type ResolveExecutionReply = ExecutionView

export type ResolveFlowAsked = {
  readonly params: { readonly dfid: string }
  readonly body: {
    readonly outcome: 'applied' | 'not_applied' | 'abandon'
    readonly evidence: Readonly<Record<string, unknown>>
    readonly justification: string
    readonly effect?: {
      readonly result?: unknown
      readonly delta?: readonly WorldOp[]
      readonly receipt?: unknown
    }
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type ResolveFlowReply = {
  readonly dfid: string
  readonly standing: SagaStanding
}

export type ReviewFlowAsked = {
  readonly params: { readonly dfid: string }
  readonly body: {
    readonly justification: string
    /** the `seq` of the last flag that was shown; if another came since, nothing is cleared */
    readonly last_flag?: number
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type ReviewFlowReply = ReviewedFlow

export type PlanErasureAsked = {
  readonly params: { readonly dfid: string }
  readonly signal?: AbortSignal
}
export type PlanErasureReply = Erasure

export type EraseFlowAsked = {
  readonly params: { readonly dfid: string }
  readonly body: {
    readonly reason: string
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type EraseFlowReply = Erasure

export type CheckMonitorAsked = {
  readonly body: {
    readonly source: string
  }
  readonly signal?: AbortSignal
}
export type CheckMonitorReply = CheckedMonitor

export type DeployMonitorAsked = {
  readonly params: { readonly name: string }
  readonly body: {
    readonly source: string
    readonly replaces?: string | null
  }
  readonly signal?: AbortSignal
}
export type DeployMonitorReply = DeployedMonitor

export type WithdrawMonitorAsked = {
  readonly params: { readonly name: string }
  readonly body: {
    readonly reason: string
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type WithdrawMonitorReply = {
  readonly withdrawn: string
  readonly reason: string
  readonly seq: number
}

export type ListMonitorsAsked = {
  readonly signal?: AbortSignal
}
export type ListMonitorsReply = MonitorReport

export type ListMcpServersAsked = {
  readonly signal?: AbortSignal
}
export type ListMcpServersReply = McpServers

export type ListMcpToolsAsked = {
  readonly signal?: AbortSignal
}
export type ListMcpToolsReply = McpTools

export type ApproveMcpToolAsked = {
  readonly params: { readonly server: string; readonly tool: string }
  readonly body: {
    readonly pin: string
    readonly class?: 'read' | 'write' | 'destroy'
    readonly reason: string
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type ApproveMcpToolReply = McpApproved

export type ListMcpItemsAsked = {
  readonly query: { readonly list: 'prompts' | 'resources' | 'templates' | 'tools' }
  readonly signal?: AbortSignal
}
export type ListMcpItemsReply = McpItems

export type AwaitMcpNoticesAsked = {
  readonly query?: { readonly after?: string | undefined; readonly wait_ms?: string | undefined }
  readonly signal?: AbortSignal
}
export type AwaitMcpNoticesReply = McpNotices

export type ConfirmClockAsked = {
  readonly body: {
    readonly reason: string
  }
  readonly signal?: AbortSignal
}
export type ConfirmClockReply = ConfirmedClock

export type ReadRegistryAsked = {
  readonly query: { readonly from: string; readonly nonce: string }
  readonly signal?: AbortSignal
}
export type ReadRegistryReply = string

export type ListDecisionsAsked = {
  readonly query?: {
    readonly agent?: string | undefined
    readonly kind?: string | undefined
    readonly outcome?: 'ACCEPTED' | 'REJECTED' | 'ESCALATED' | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListDecisionsReply = {
  readonly decisions: readonly DecisionRow[]
  readonly next: string | null
}

export type ListEpisodesAsked = {
  readonly query?: {
    readonly agent?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListEpisodesReply = {
  readonly episodes: readonly Episode[]
  readonly next: string | null
}

export type TryLawAsked = {
  readonly body: {
    readonly decision?: {
      readonly trajectory: string
      readonly seq: number
    }
    readonly last?: number
    readonly agent?: string
    readonly contract?: string
    readonly cedar?: {
      readonly name: string
      readonly text: string
    }
    readonly params?: Readonly<Record<string, unknown>>
    readonly state?: Readonly<Record<string, unknown>>
    readonly save?: string
  }
  readonly signal?: AbortSignal
}
export type TryLawReply = Tried

export type GetMonitorSeriesAsked = {
  readonly params: { readonly name: string }
  readonly query: { readonly agent: string }
  readonly signal?: AbortSignal
}
export type GetMonitorSeriesReply = MonitorSeries

export type ListFlowsBehindAsked = {
  readonly params: { readonly name: string }
  readonly query: { readonly agent: string; readonly leaf: string }
  readonly signal?: AbortSignal
}
export type ListFlowsBehindReply = FlowsBehind

export type RehearseMonitorAsked = {
  readonly body: {
    readonly source: string
  }
  readonly signal?: AbortSignal
}
export type RehearseMonitorReply = Rehearsal

export type GetCheckpointAsked = {
  readonly signal?: AbortSignal
}
export type GetCheckpointReply = LatestCheckpoint

export type ExportBundleAsked = {
  readonly params: { readonly dfid: string }
  readonly signal?: AbortSignal
}
export type ExportBundleReply = string

export type ExportStatementAsked = {
  readonly params: { readonly dfid: string }
  readonly signal?: AbortSignal
}
export type ExportStatementReply = string

export type FindEntriesAsked = {
  readonly query?: {
    readonly q?: string | undefined
    readonly agent?: string | undefined
    readonly since?: string | undefined
    readonly until?: string | undefined
    readonly tag?: string | undefined
    readonly kind?: string | undefined
    readonly outcome?: 'accepted' | 'rejected' | 'escalated' | 'ended' | 'decided' | undefined
    readonly reason?: string | undefined
    readonly measure?: string | undefined
    readonly amount_min?: string | undefined
    readonly amount_max?: string | undefined
    readonly words?: string | undefined
    readonly counts?: 'true' | undefined
    readonly sort?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type FindEntriesReply = {
  readonly entries: readonly LedgerRow[]
  readonly next: string | null
  /** on the first page, where it was asked for; null as well beside a plain list while the index is behind */
  readonly counts: FilterCounts | null
  readonly indexed: Indexed | null
}

export type GetEntryAsked = {
  readonly params: { readonly leaf: string }
  readonly signal?: AbortSignal
}
export type GetEntryReply = WholeEntry

export type ExportLedgerAsked = {
  readonly query?: { readonly from?: string | undefined; readonly limit?: string | undefined }
  readonly signal?: AbortSignal
}
export type ExportLedgerReply = string

export type ListTrajectoriesAsked = {
  readonly query?: { readonly cursor?: string | undefined; readonly limit?: string | undefined }
  readonly signal?: AbortSignal
}
export type ListTrajectoriesReply = {
  readonly trajectories: readonly Trajectory[]
  readonly next: string | null
}

export type ListTrajectoryEntriesAsked = {
  readonly params: { readonly id: string }
  readonly query?: {
    readonly from?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListTrajectoryEntriesReply = {
  readonly entries: readonly LedgerEntry[]
  readonly next: string | null
}

export type ProveEntryAsked = {
  readonly params: { readonly id: string }
  readonly query: { readonly seq: string; readonly before?: string | undefined }
  readonly signal?: AbortSignal
}
export type ProveEntryReply = EntryProof

export type BranchTrajectoryAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly seq: number
    readonly name: string
    readonly note?: string
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type BranchTrajectoryReply = {
  readonly trajectory: string
  readonly id: string
}

export type OpenBranchFlowAsked = {
  readonly params: { readonly id: string }
  readonly body: {
    readonly agent: string
    readonly trigger: string
    readonly steps?: 'one' | 'many'
    readonly state?: readonly string[]
    readonly world?: readonly {
      readonly kind: string
      readonly id: string
    }[]
  }
  /** A new one for each intention; the same one to ask again. */
  readonly key: string
  readonly signal?: AbortSignal
}
export type OpenBranchFlowReply = {
  readonly dfid: string
  readonly agent: string
  readonly trajectory: string
}

export type GetWorldAsked = {
  readonly params: { readonly id: string }
  readonly query?: {
    readonly at?: string | undefined
    readonly since?: string | undefined
    readonly kind?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type GetWorldReply = WorldMoment

export type ListChangesAsked = {
  readonly params: { readonly id: string }
  readonly query: {
    readonly kind: string
    readonly resource: string
    readonly at?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListChangesReply = {
  readonly changes: readonly ResourceChange[]
  readonly next: string | null
}

export type ListWorldArtifactsAsked = {
  readonly params: { readonly id: string }
  readonly query?: {
    readonly at?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListWorldArtifactsReply = ArtifactPage

export type ListArtifactSymbolsAsked = {
  readonly params: { readonly id: string }
  readonly query: {
    readonly name: string
    readonly at?: string | undefined
    readonly below?: string | undefined
    readonly depth?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListArtifactSymbolsReply = ArtifactSymbols

export type GetArtifactTextAsked = {
  readonly params: { readonly id: string }
  readonly query: {
    readonly name: string
    readonly path?: string | undefined
    readonly at?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type GetArtifactTextReply = ArtifactText

export type ListArtifactChangesAsked = {
  readonly params: { readonly id: string }
  readonly query?: {
    readonly name?: string | undefined
    readonly before?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListArtifactChangesReply = {
  readonly changes: readonly ArtifactChange[]
  readonly next: string | null
}

export type CompareArtifactAsked = {
  readonly params: { readonly id: string }
  readonly query: { readonly name: string; readonly from: string; readonly to?: string | undefined }
  readonly signal?: AbortSignal
}
export type CompareArtifactReply = ArtifactComparison

export type ListArtifactPlansAsked = {
  readonly params: { readonly id: string }
  readonly query?: {
    readonly at?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type ListArtifactPlansReply = {
  readonly plans: readonly ArtifactPlan[]
  readonly next: string | null
}

export type FollowEventsAsked = {
  readonly query?: {
    readonly after?: string | undefined
    readonly dfid?: string | undefined
    readonly agent?: string | undefined
    readonly kind?: string | undefined
  }
  readonly signal?: AbortSignal
}
export type FollowEventsReply = ReadableStream<Uint8Array>

export type GetDocumentAsked = {
  readonly signal?: AbortSignal
}
export type GetDocumentReply = Readonly<Record<string, unknown>>

/** Every operation of the API, by its name in the document. */
export type Client = {
  /** the process is up */
  getHealth(asked?: GetHealthAsked): Promise<ClientAnswer<GetHealthReply>>
  /** whether it can decide, and if not, why */
  getReadiness(asked?: GetReadinessAsked): Promise<ClientAnswer<GetReadinessReply>>
  /** counters and histograms, for Prometheus */
  getMetrics(asked?: GetMetricsAsked): Promise<ClientAnswer<GetMetricsReply>>
  /** how it went in a span of time, the last 24 hours by default; every figure is that of a list */
  getOverview(asked?: GetOverviewAsked): Promise<ClientAnswer<GetOverviewReply>>
  /** verdicts of each agent over time, when it was last at work, and its fullest budget */
  getAgentActivity(asked?: GetAgentActivityAsked): Promise<ClientAnswer<GetAgentActivityReply>>
  /** sign in with a token: a cookie for the browser */
  startSession(asked: StartSessionAsked): Promise<ClientAnswer<StartSessionReply>>
  /** who is signed in, and the CSRF token to send with requests that change something */
  getSession(asked?: GetSessionAsked): Promise<ClientAnswer<GetSessionReply>>
  /** sign out; the cookie becomes invalid */
  endSession(asked?: EndSessionAsked): Promise<ClientAnswer<EndSessionReply>>
  /** how people sign in here, and who is signed in */
  signInWays(asked?: SignInWaysAsked): Promise<ClientAnswer<SignInWaysReply>>
  /** send the browser to the provider */
  startProviderSignIn(
    asked?: StartProviderSignInAsked,
  ): Promise<ClientAnswer<StartProviderSignInReply>>
  /** where the provider sends the browser back to */
  finishProviderSignIn(
    asked?: FinishProviderSignInAsked,
  ): Promise<ClientAnswer<FinishProviderSignInReply>>
  /** open a session for a registered agent, bound to a key of its own */
  shakeHands(asked: ShakeHandsAsked): Promise<ClientAnswer<ShakeHandsReply>>
  /** end the current session; its token becomes invalid */
  endAgentSession(asked?: EndAgentSessionAsked): Promise<ClientAnswer<EndAgentSessionReply>>
  /** who is registered, and in which state, by name */
  listAgents(asked?: ListAgentsAsked): Promise<ClientAnswer<ListAgentsReply>>
  /** how a proposal is written, and the parameters of every kind */
  getPolicySchema(asked?: GetPolicySchemaAsked): Promise<ClientAnswer<GetPolicySchemaReply>>
  /** an agent: its state and why, contract, budgets, verdicts of a day, what is wrong */
  getAgent(asked: GetAgentAsked): Promise<ClientAnswer<GetAgentReply>>
  /** suspend, reactivate or retire an agent; an agent may only ask to retire itself */
  moveAgent(asked: MoveAgentAsked): Promise<ClientAnswer<MoveAgentReply>>
  /** the stored state of an agent between flows; null: none */
  getAgentState(asked: GetAgentStateAsked): Promise<ClientAnswer<GetAgentStateReply>>
  /** replace it; the version must be the one that was read */
  putAgentState(asked: PutAgentStateAsked): Promise<ClientAnswer<PutAgentStateReply>>
  /** delete it permanently */
  dropAgentState(asked: DropAgentStateAsked): Promise<ClientAnswer<DropAgentStateReply>>
  /** the reference documents of all agents, by name */
  listArtifacts(asked?: ListArtifactsAsked): Promise<ClientAnswer<ListArtifactsReply>>
  /** one of them, in pieces; `from` is the first */
  getArtifact(asked: GetArtifactAsked): Promise<ClientAnswer<GetArtifactReply>>
  /** add a document for all agents; one of the same name is replaced */
  putArtifact(asked: PutArtifactAsked): Promise<ClientAnswer<PutArtifactReply>>
  /** delete one permanently */
  dropArtifact(asked: DropArtifactAsked): Promise<ClientAnswer<DropArtifactReply>>
  /** the documents of one agent, by name */
  listDocuments(asked: ListDocumentsAsked): Promise<ClientAnswer<ListDocumentsReply>>
  /** one of them, in pieces; `from` is the first */
  getDocumentOfAgent(asked: GetDocumentOfAgentAsked): Promise<ClientAnswer<GetDocumentOfAgentReply>>
  /** add a document of the agent’s own; one of the same name is replaced, and no other agent sees it */
  putDocument(asked: PutDocumentAsked): Promise<ClientAnswer<PutDocumentReply>>
  /** delete one permanently */
  dropDocument(asked: DropDocumentAsked): Promise<ClientAnswer<DropDocumentReply>>
  /** the timers that an agent has set for itself, by name */
  listTimers(asked: ListTimersAsked): Promise<ClientAnswer<ListTimersReply>>
  /** a timer that opens a flow of the agent; one of the same name is replaced */
  setTimer(asked: SetTimerAsked): Promise<ClientAnswer<SetTimerReply>>
  /** delete a timer */
  dropTimer(asked: DropTimerAsked): Promise<ClientAnswer<DropTimerReply>>
  /** messages to other processes that could not be sent, oldest first */
  listDeadLetters(asked?: ListDeadLettersAsked): Promise<ClientAnswer<ListDeadLettersReply>>
  /** try to send a message again */
  replayDeadLetter(asked: ReplayDeadLetterAsked): Promise<ClientAnswer<ReplayDeadLetterReply>>
  /** what wakes agents: topics of the rules and of contracts, with who listens */
  listTopics(asked?: ListTopicsAsked): Promise<ClientAnswer<ListTopicsReply>>
  /** events that woke agents, newest first; a page of one topic may be short */
  listTopicEvents(asked?: ListTopicEventsAsked): Promise<ClientAnswer<ListTopicEventsReply>>
  /** an event: what was observed, who was woken, what they proposed, and who won */
  getTopicEvent(asked: GetTopicEventAsked): Promise<ClientAnswer<GetTopicEventReply>>
  /** make an instance of an agent, under its contract or less */
  spawnInstance(asked: SpawnInstanceAsked): Promise<ClientAnswer<SpawnInstanceReply>>
  /** check a contract, YAML or JSON; nothing is deployed */
  checkContract(asked: CheckContractAsked): Promise<ClientAnswer<CheckContractReply>>
  /** put a contract in force, signed by the operator key; the same again changes nothing; `replaces`: only where the newest version is still the one of this hash (null: none) */
  deployContract(asked: DeployContractAsked): Promise<ClientAnswer<DeployContractReply>>
  /** the versions of an agent’s contract, newest first: source, hash, who and when */
  getContract(asked: GetContractAsked): Promise<ClientAnswer<GetContractReply>>
  /** end a contract at once, or one version of it; open flows end with it */
  revokeContract(asked: RevokeContractAsked): Promise<ClientAnswer<RevokeContractReply>>
  /** writs that were issued by hand, newest first */
  listWrits(asked?: ListWritsAsked): Promise<ClientAnswer<ListWritsReply>>
  /** the largest writ that a contract allows; with `parent`, one that is narrower */
  issueWrit(asked: IssueWritAsked): Promise<ClientAnswer<IssueWritReply>>
  /** a writ, and whether it was revoked; by the dfid of a flow, the one that it was opened with */
  getWrit(asked: GetWritAsked): Promise<ClientAnswer<GetWritReply>>
  /** end a writ and everything under it */
  revokeWrit(asked: RevokeWritAsked): Promise<ClientAnswer<RevokeWritReply>>
  /** registered public keys, newest first */
  listKeys(asked?: ListKeysAsked): Promise<ClientAnswer<ListKeysReply>>
  /** register a key with proof of possession; a token does so for agents and approvers */
  registerKey(asked: RegisterKeyAsked): Promise<ClientAnswer<RegisterKeyReply>>
  /** a registered public key; of a checkpoint key, what its notes are verified with */
  getKey(asked: GetKeyAsked): Promise<ClientAnswer<GetKeyReply>>
  /** end a key: its signatures are invalid from now on */
  retireKey(asked: RetireKeyAsked): Promise<ClientAnswer<RetireKeyReply>>
  /** declare a key compromised: its signatures are invalid from an authority seq on */
  compromiseKey(asked: CompromiseKeyAsked): Promise<ClientAnswer<CompromiseKeyReply>>
  /** persons and what they are known by, in the order of their registration; with `who`, only the one with that id or name */
  listPersons(asked?: ListPersonsAsked): Promise<ClientAnswer<ListPersonsReply>>
  /** a person by name; the same name again is the same person */
  registerPerson(asked: RegisterPersonAsked): Promise<ClientAnswer<RegisterPersonReply>>
  /** link another identity to a person: `name`, or `issuer` and `sub` */
  linkIdentity(asked: LinkIdentityAsked): Promise<ClientAnswer<LinkIdentityReply>>
  /** unlink an identity, and erase it */
  unlinkIdentity(asked: UnlinkIdentityAsked): Promise<ClientAnswer<UnlinkIdentityReply>>
  /** merge two persons that are one human; from now on they count as one */
  mergePersons(asked: MergePersonsAsked): Promise<ClientAnswer<MergePersonsReply>>
  /** who has a token for this tenant, and what it may do; never the token */
  listTokens(asked?: ListTokensAsked): Promise<ClientAnswer<ListTokensReply>>
  /** end the token of a person in this tenant, and the sessions that it opened */
  revokeToken(asked: RevokeTokenAsked): Promise<ClientAnswer<RevokeTokenReply>>
  /** browsers that are signed in to this tenant, the latest used first */
  listOpenSessions(asked?: ListOpenSessionsAsked): Promise<ClientAnswer<ListOpenSessionsReply>>
  /** sign somebody’s browser out; their token stays as it is */
  endOpenSession(asked: EndOpenSessionAsked): Promise<ClientAnswer<EndOpenSessionReply>>
  /** the tenants of this server in which whoever asks has a role too, with health and size */
  listTenants(asked?: ListTenantsAsked): Promise<ClientAnswer<ListTenantsReply>>
  /** check a policy in Cedar: where it cannot be read, and what it names that no capability has; nothing is put in force */
  checkPolicy(asked: CheckPolicyAsked): Promise<ClientAnswer<CheckPolicyReply>>
  /** capabilities and policies held here, their hashes, Cedar as it is written, and whether they are in force */
  getLaw(asked?: GetLawAsked): Promise<ClientAnswer<GetLawReply>>
  /** whether the rules of this process are in force, and what differs */
  getStanding(asked?: GetStandingAsked): Promise<ClientAnswer<GetStandingReply>>
  /** open a flow and propose in it, in one step; every verdict is answered with 200 */
  act(asked: ActAsked): Promise<ClientAnswer<ActReply>>
  /** open a flow for the agent of the session */
  openFlow(asked: OpenFlowAsked): Promise<ClientAnswer<OpenFlowReply>>
  /** flows, newest first; agents see their own */
  listFlows(asked?: ListFlowsAsked): Promise<ClientAnswer<ListFlowsReply>>
  /** a flow from trigger to outcome */
  getFlow(asked: GetFlowAsked): Promise<ClientAnswer<GetFlowReply>>
  /** the flows above a flow, and those opened in it, newest first */
  getFlowTree(asked: GetFlowTreeAsked): Promise<ClientAnswer<GetFlowTreeReply>>
  /** what became of the last proposal; waits up to `wait_ms` while somebody else has to act */
  getOutcome(asked: GetOutcomeAsked): Promise<ClientAnswer<GetOutcomeReply>>
  /** what may be proposed: what contract, writ and registry all admit, with parameters */
  listTools(asked: ListToolsAsked): Promise<ClientAnswer<ListToolsReply>>
  /** what a model may write for these kinds: contract, writ and schema, as one grammar */
  getGrammar(asked: GetGrammarAsked): Promise<ClientAnswer<GetGrammarReply>>
  /** propose; every verdict is answered with 200 */
  propose(asked: ProposeAsked): Promise<ClientAnswer<ProposeReply>>
  /** settle what is known of the next decision of a flow, for a minute and one dispatch */
  issueAtom(asked: IssueAtomAsked): Promise<ClientAnswer<IssueAtomReply>>
  /** flows and requests whose ids begin so, at most ten of each */
  findIds(asked: FindIdsAsked): Promise<ClientAnswer<FindIdsReply>>
  /** add a note to the session of a flow */
  addNote(asked: AddNoteAsked): Promise<ClientAnswer<AddNoteReply>>
  /** the notes of a flow in their order; agents see those of their own flows */
  listNotes(asked: ListNotesAsked): Promise<ClientAnswer<ListNotesReply>>
  /** the agent’s explanation for people; proposals refer to it */
  explain(asked: ExplainAsked): Promise<ClientAnswer<ExplainReply>>
  /** a new context for an open flow; its next proposal refers to it */
  refreshContext(asked: RefreshContextAsked): Promise<ClientAnswer<RefreshContextReply>>
  /** reference documents that fit the text, best first; what was found is noted in the flow */
  searchArtifacts(asked: SearchArtifactsAsked): Promise<ClientAnswer<SearchArtifactsReply>>
  /** what reasoning cost since the last report */
  reportUsage(asked: ReportUsageAsked): Promise<ClientAnswer<ReportUsageReply>>
  /** end a flow of which nothing was sent */
  cancelFlow(asked: CancelFlowAsked): Promise<ClientAnswer<CancelFlowReply>>
  /** one process of an agent takes up a flow that an event woke, for a minute */
  claimFlow(asked: ClaimFlowAsked): Promise<ClientAnswer<ClaimFlowReply>>
  /** close a flow of several steps: its agent is done */
  closeFlow(asked: CloseFlowAsked): Promise<ClientAnswer<CloseFlowReply>>
  /** ask a model for the agent of a flow, within its budgets */
  generate(asked: GenerateAsked): Promise<ClientAnswer<GenerateReply>>
  /** what a model was asked and said, word for word */
  getGeneration(asked: GetGenerationAsked): Promise<ClientAnswer<GetGenerationReply>>
  /** report facts into State: one, or a list that is accepted whole or not at all */
  observe(asked: ObserveAsked): Promise<ClientAnswer<ObserveReply>>
  /** the sources of facts, the paths that each owns, and when each last reported */
  listSources(asked?: ListSourcesAsked): Promise<ClientAnswer<ListSourcesReply>>
  /** register a source of facts; one of the same name takes its place */
  registerSource(asked: RegisterSourceAsked): Promise<ClientAnswer<RegisterSourceReply>>
  /** retire a source; its facts are absent from now on */
  retireSource(asked: RetireSourceAsked): Promise<ClientAnswer<RetireSourceReply>>
  /** the notification channels, by name, and how each stands */
  listChannels(asked?: ListChannelsAsked): Promise<ClientAnswer<ListChannelsReply>>
  /** set up a notification channel; secrets are named and never sent */
  addChannel(asked: AddChannelAsked): Promise<ClientAnswer<AddChannelReply>>
  /** a notification channel, and how it stands */
  getChannel(asked: GetChannelAsked): Promise<ClientAnswer<GetChannelReply>>
  /** change a notification channel as it was seen: `revision` says which */
  changeChannel(asked: ChangeChannelAsked): Promise<ClientAnswer<ChangeChannelReply>>
  /** remove a notification channel; what still waits for it is not sent */
  removeChannel(asked: RemoveChannelAsked): Promise<ClientAnswer<RemoveChannelReply>>
  /** send a test message, and say what came back */
  testChannel(asked: TestChannelAsked): Promise<ClientAnswer<TestChannelReply>>
  /** requests that wait for a decision, oldest first; or those that ended */
  listEscalations(asked?: ListEscalationsAsked): Promise<ClientAnswer<ListEscalationsReply>>
  /** a request with what its agent was shown */
  getEscalation(asked: GetEscalationAsked): Promise<ClientAnswer<GetEscalationReply>>
  /** check a MODIFY: what it would do, its impact, and what deciding it requires */
  judgeModification(asked: JudgeModificationAsked): Promise<ClientAnswer<JudgeModificationReply>>
  /** decide: OVERRIDE (approve), MODIFY (edit) or ABORT (reject); bound to the digest that was shown, used once */
  decideEscalation(asked: DecideEscalationAsked): Promise<ClientAnswer<DecideEscalationReply>>
  /** requests by tab: yours, those of low impact, those of others, decided and expired ones */
  listInbox(asked?: ListInboxAsked): Promise<ClientAnswer<ListInboxReply>>
  /** a request with everything needed to decide it, on the current facts */
  getEscalationBrief(asked: GetEscalationBriefAsked): Promise<ClientAnswer<GetEscalationBriefReply>>
  /** ask again under the current rules, where an approval would be refused */
  askAgain(asked: AskAgainAsked): Promise<ClientAnswer<AskAgainReply>>
  /** claim a request, or give it to somebody; others are told, and can still decide it */
  claimEscalation(asked: ClaimEscalationAsked): Promise<ClientAnswer<ClaimEscalationReply>>
  /** look after a request no longer; `of` names whose claim it is, where it is another’s */
  releaseEscalation(asked: ReleaseEscalationAsked): Promise<ClientAnswer<ReleaseEscalationReply>>
  /** comment on a request for other people; it decides nothing, and agents never see it */
  addComment(asked: AddCommentAsked): Promise<ClientAnswer<AddCommentReply>>
  /** effects and their outcomes, newest first */
  listExecutions(asked?: ListExecutionsAsked): Promise<ClientAnswer<ListExecutionsReply>>
  /** flows that did half of their job, in the order of their opening */
  listDirtyFlows(asked?: ListDirtyFlowsAsked): Promise<ClientAnswer<ListDirtyFlowsReply>>
  /** settle an effect under review, with evidence; `id` is `DFID:STEP` */
  resolveExecution(asked: ResolveExecutionAsked): Promise<ClientAnswer<ResolveExecutionReply>>
  /** settle a dirty flow: it was compensated by hand, or is accepted as it is */
  resolveFlow(asked: ResolveFlowAsked): Promise<ClientAnswer<ResolveFlowReply>>
  /** clear NEEDS_REVIEW: a person has looked at what was flagged, and leaves it as it is */
  reviewFlow(asked: ReviewFlowAsked): Promise<ClientAnswer<ReviewFlowReply>>
  /** what erasing the flow would remove; nothing is changed */
  planErasure(asked: PlanErasureAsked): Promise<ClientAnswer<PlanErasureReply>>
  /** erase the payloads of an ended flow permanently */
  eraseFlow(asked: EraseFlowAsked): Promise<ClientAnswer<EraseFlowReply>>
  /** check a monitor, YAML or JSON; nothing is deployed */
  checkMonitor(asked: CheckMonitorAsked): Promise<ClientAnswer<CheckMonitorReply>>
  /** deploy a monitor, YAML or JSON; one of the same name is replaced; `replaces`: only where it still has this hash (null: there is none) */
  deployMonitor(asked: DeployMonitorAsked): Promise<ClientAnswer<DeployMonitorReply>>
  /** end a monitor */
  withdrawMonitor(asked: WithdrawMonitorAsked): Promise<ClientAnswer<WithdrawMonitorReply>>
  /** the monitors in force, and the state of each */
  listMonitors(asked?: ListMonitorsAsked): Promise<ClientAnswer<ListMonitorsReply>>
  /** the MCP servers behind the gateway, whether they run, and what they wrote last */
  listMcpServers(asked?: ListMcpServersAsked): Promise<ClientAnswer<ListMcpServersReply>>
  /** the tools of all MCP servers as they are now, against what was approved, and what agents made of them lately */
  listMcpTools(asked?: ListMcpToolsAsked): Promise<ClientAnswer<ListMcpToolsReply>>
  /** approve a tool as it is now; it is used after the next start */
  approveMcpTool(asked: ApproveMcpToolAsked): Promise<ClientAnswer<ApproveMcpToolReply>>
  /** what the MCP servers behind the gateway offer now, under the names that clients see */
  listMcpItems(asked: ListMcpItemsAsked): Promise<ClientAnswer<ListMcpItemsReply>>
  /** what MCP servers say unasked: lists that changed, and of calls of the agent their progress and log */
  awaitMcpNotices(asked?: AwaitMcpNoticesAsked): Promise<ClientAnswer<AwaitMcpNoticesReply>>
  /** confirm a clock that was set back or far forward; signed and recorded */
  confirmClock(asked: ConfirmClockAsked): Promise<ClientAnswer<ConfirmClockReply>>
  /** entries of the authority trajectory from a seq on, signed for this question */
  readRegistry(asked: ReadRegistryAsked): Promise<ClientAnswer<ReadRegistryReply>>
  /** decisions, by the flows they were made in, the newest flow first; no flow is cut */
  listDecisions(asked?: ListDecisionsAsked): Promise<ClientAnswer<ListDecisionsReply>>
  /** flows as examples to learn from: context, proposals, verdicts, outcomes; newest first */
  listEpisodes(asked?: ListEpisodesAsked): Promise<ClientAnswer<ListEpisodesReply>>
  /** judge a recorded decision, or the last ones, under changed rules; nothing is recorded */
  tryLaw(asked: TryLawAsked): Promise<ClientAnswer<TryLawReply>>
  /** the values of a monitor for an agent over time, with the changes in between */
  getMonitorSeries(asked: GetMonitorSeriesAsked): Promise<ClientAnswer<GetMonitorSeriesReply>>
  /** the flows behind a point of the series */
  listFlowsBehind(asked: ListFlowsBehindAsked): Promise<ClientAnswer<ListFlowsBehindReply>>
  /** what a monitor would have done over the last entries of the ledger; YAML or JSON */
  rehearseMonitor(asked: RehearseMonitorAsked): Promise<ClientAnswer<RehearseMonitorReply>>
  /** the signed state of the log */
  getCheckpoint(asked?: GetCheckpointAsked): Promise<ClientAnswer<GetCheckpointReply>>
  /** a flow as one file, to be verified elsewhere */
  exportBundle(asked: ExportBundleAsked): Promise<ClientAnswer<ExportBundleReply>>
  /** the proven intents of a flow as an in-toto statement in a DSSE envelope */
  exportStatement(asked: ExportStatementAsked): Promise<ClientAnswer<ExportStatementReply>>
  /** entries, newest first; `q` finds by leaf, id, place, dfid, agent, kind, code; or by a filter */
  findEntries(asked?: FindEntriesAsked): Promise<ClientAnswer<FindEntriesReply>>
  /** an entry as it was hashed, with its neighbours and its proof */
  getEntry(asked: GetEntryAsked): Promise<ClientAnswer<GetEntryReply>>
  /** the ledger as a file; with `from` only lines of entries, from this leaf on */
  exportLedger(asked?: ExportLedgerAsked): Promise<ClientAnswer<ExportLedgerReply>>
  /** trajectories by name, each with its head */
  listTrajectories(asked?: ListTrajectoriesAsked): Promise<ClientAnswer<ListTrajectoriesReply>>
  /** entries of a trajectory, newest first, with what they say; `from` a seq, in order */
  listTrajectoryEntries(
    asked: ListTrajectoryEntriesAsked,
  ): Promise<ClientAnswer<ListTrajectoryEntriesReply>>
  /** proof that an entry is in the log, and that the log continues an earlier checkpoint */
  proveEntry(asked: ProveEntryAsked): Promise<ClientAnswer<ProveEntryReply>>
  /** start a trajectory from an entry of this one, with its World */
  branchTrajectory(asked: BranchTrajectoryAsked): Promise<ClientAnswer<BranchTrajectoryReply>>
  /** open a flow for an agent in a branch; what leaves its World is refused there */
  openBranchFlow(asked: OpenBranchFlowAsked): Promise<ClientAnswer<OpenBranchFlowReply>>
  /** resources by kind and id, at an entry; with `since`, those that changed after another */
  getWorld(asked: GetWorldAsked): Promise<ClientAnswer<GetWorldReply>>
  /** entries that changed a resource, newest first */
  listChanges(asked: ListChangesAsked): Promise<ClientAnswer<ListChangesReply>>
  /** artifacts by name, at an entry */
  listWorldArtifacts(asked: ListWorldArtifactsAsked): Promise<ClientAnswer<ListWorldArtifactsReply>>
  /** what an artifact holds at an entry, by symbols; `below` one of them, so many levels deep */
  listArtifactSymbols(
    asked: ListArtifactSymbolsAsked,
  ): Promise<ClientAnswer<ListArtifactSymbolsReply>>
  /** a symbol of an artifact as it is written at an entry; without `path`, all of it */
  getArtifactText(asked: GetArtifactTextAsked): Promise<ClientAnswer<GetArtifactTextReply>>
  /** entries that changed what artifacts hold, newest first; `before` a seq; of one or of all */
  listArtifactChanges(
    asked: ListArtifactChangesAsked,
  ): Promise<ClientAnswer<ListArtifactChangesReply>>
  /** what differs in an artifact between two entries, by structure and by lines */
  compareArtifact(asked: CompareArtifactAsked): Promise<ClientAnswer<CompareArtifactReply>>
  /** open plans at an entry, with what they claim */
  listArtifactPlans(asked: ListArtifactPlansAsked): Promise<ClientAnswer<ListArtifactPlansReply>>
  /** entries of the ledger as they are written; agents are told of their own flows */
  followEvents(asked?: FollowEventsAsked): Promise<ClientAnswer<FollowEventsReply>>
  /** this document */
  getDocument(asked?: GetDocumentAsked): Promise<ClientAnswer<GetDocumentReply>>
}

/** A client for one server; nothing that the server says is thrown. */
export function createClient(options: ClientOptions = {}): Client {
  const call = createCall(options)
  return {
    getHealth: (asked) => call('GET', '/healthz', asked),
    getReadiness: (asked) => call('GET', '/readyz', asked),
    getMetrics: (asked) => call('GET', '/metrics', asked, 'text'),
    getOverview: (asked) => call('GET', '/v1/overview', asked),
    getAgentActivity: (asked) => call('GET', '/v1/agent-activity', asked),
    startSession: (asked) => call('POST', '/v1/session', asked),
    getSession: (asked) => call('GET', '/v1/session', asked),
    endSession: (asked) => call('DELETE', '/v1/session', asked),
    signInWays: (asked) => call('GET', '/v1/sign-in', asked),
    startProviderSignIn: (asked) => call('GET', '/v1/sign-in/oidc', asked),
    finishProviderSignIn: (asked) => call('GET', '/v1/sign-in/oidc/callback', asked),
    shakeHands: (asked) => call('POST', '/v1/agents/handshake', asked),
    endAgentSession: (asked) => call('DELETE', '/v1/agents/handshake', asked),
    listAgents: (asked) => call('GET', '/v1/agents', asked),
    getPolicySchema: (asked) => call('GET', '/v1/schemas/policy/latest', asked),
    getAgent: (asked) => call('GET', '/v1/agents/{id}', asked),
    moveAgent: (asked) => call('POST', '/v1/agents/{id}/transitions', asked),
    getAgentState: (asked) => call('GET', '/v1/agents/{id}/state', asked),
    putAgentState: (asked) => call('PUT', '/v1/agents/{id}/state', asked),
    dropAgentState: (asked) => call('DELETE', '/v1/agents/{id}/state', asked),
    listArtifacts: (asked) => call('GET', '/v1/artifacts', asked),
    getArtifact: (asked) => call('GET', '/v1/artifacts/{name}', asked),
    putArtifact: (asked) => call('PUT', '/v1/artifacts/{name}', asked),
    dropArtifact: (asked) => call('DELETE', '/v1/artifacts/{name}', asked),
    listDocuments: (asked) => call('GET', '/v1/agents/{id}/documents', asked),
    getDocumentOfAgent: (asked) => call('GET', '/v1/agents/{id}/documents/{name}', asked),
    putDocument: (asked) => call('PUT', '/v1/agents/{id}/documents/{name}', asked),
    dropDocument: (asked) => call('DELETE', '/v1/agents/{id}/documents/{name}', asked),
    listTimers: (asked) => call('GET', '/v1/agents/{id}/timers', asked),
    setTimer: (asked) => call('PUT', '/v1/agents/{id}/timers/{name}', asked),
    dropTimer: (asked) => call('DELETE', '/v1/agents/{id}/timers/{name}', asked),
    listDeadLetters: (asked) => call('GET', '/v1/bus/dead-letters', asked),
    replayDeadLetter: (asked) => call('POST', '/v1/bus/dead-letters/{id}/replay', asked),
    listTopics: (asked) => call('GET', '/v1/topics', asked),
    listTopicEvents: (asked) => call('GET', '/v1/topic-events', asked),
    getTopicEvent: (asked) => call('GET', '/v1/topic-events/{id}', asked),
    spawnInstance: (asked) => call('POST', '/v1/agents/{id}/instances', asked),
    checkContract: (asked) => call('POST', '/v1/contracts/check', asked),
    deployContract: (asked) => call('PUT', '/v1/contracts/{agent_id}', asked),
    getContract: (asked) => call('GET', '/v1/contracts/{agent_id}', asked),
    revokeContract: (asked) => call('POST', '/v1/contracts/{agent_id}/revocation', asked),
    listWrits: (asked) => call('GET', '/v1/writs', asked),
    issueWrit: (asked) => call('POST', '/v1/writs', asked),
    getWrit: (asked) => call('GET', '/v1/writs/{id}', asked),
    revokeWrit: (asked) => call('POST', '/v1/writs/{id}/revocation', asked),
    listKeys: (asked) => call('GET', '/v1/keys', asked),
    registerKey: (asked) => call('POST', '/v1/keys', asked),
    getKey: (asked) => call('GET', '/v1/keys/{id}', asked),
    retireKey: (asked) => call('POST', '/v1/keys/{id}/retirement', asked),
    compromiseKey: (asked) => call('POST', '/v1/keys/{id}/compromise', asked),
    listPersons: (asked) => call('GET', '/v1/persons', asked),
    registerPerson: (asked) => call('POST', '/v1/persons', asked),
    linkIdentity: (asked) => call('POST', '/v1/persons/{id}/identities', asked),
    unlinkIdentity: (asked) => call('DELETE', '/v1/persons/{id}/identities', asked),
    mergePersons: (asked) => call('POST', '/v1/persons/{id}/merge', asked),
    listTokens: (asked) => call('GET', '/v1/tokens', asked),
    revokeToken: (asked) => call('DELETE', '/v1/tokens/{name}', asked),
    listOpenSessions: (asked) => call('GET', '/v1/sessions', asked),
    endOpenSession: (asked) => call('DELETE', '/v1/sessions/{name}/{id}', asked),
    listTenants: (asked) => call('GET', '/v1/tenants', asked),
    checkPolicy: (asked) => call('POST', '/v1/policies/check', asked),
    getLaw: (asked) => call('GET', '/v1/policies', asked),
    getStanding: (asked) => call('GET', '/v1/policies/standing', asked),
    act: (asked) => call('POST', '/v1/actions', asked),
    openFlow: (asked) => call('POST', '/v1/flows', asked),
    listFlows: (asked) => call('GET', '/v1/flows', asked),
    getFlow: (asked) => call('GET', '/v1/flows/{dfid}', asked),
    getFlowTree: (asked) => call('GET', '/v1/flows/{dfid}/tree', asked),
    getOutcome: (asked) => call('GET', '/v1/flows/{dfid}/outcome', asked),
    listTools: (asked) => call('GET', '/v1/flows/{dfid}/tools', asked),
    getGrammar: (asked) => call('POST', '/v1/flows/{dfid}/grammar', asked),
    propose: (asked) => call('POST', '/v1/flows/{dfid}/proposals', asked),
    issueAtom: (asked) => call('POST', '/v1/flows/{dfid}/atoms', asked),
    findIds: (asked) => call('GET', '/v1/ids', asked),
    addNote: (asked) => call('POST', '/v1/flows/{dfid}/notes', asked),
    listNotes: (asked) => call('GET', '/v1/flows/{dfid}/notes', asked),
    explain: (asked) => call('POST', '/v1/flows/{dfid}/explanations', asked),
    refreshContext: (asked) => call('POST', '/v1/flows/{dfid}/refresh', asked),
    searchArtifacts: (asked) => call('GET', '/v1/flows/{dfid}/artifacts', asked),
    reportUsage: (asked) => call('POST', '/v1/flows/{dfid}/usage', asked),
    cancelFlow: (asked) => call('POST', '/v1/flows/{dfid}/cancellation', asked),
    claimFlow: (asked) => call('POST', '/v1/flows/{dfid}/claim', asked),
    closeFlow: (asked) => call('POST', '/v1/flows/{dfid}/closure', asked),
    generate: (asked) => call('POST', '/v1/flows/{dfid}/generations', asked),
    getGeneration: (asked) => call('GET', '/v1/flows/{dfid}/generations/{id}', asked),
    observe: (asked) => call('POST', '/v1/observations', asked),
    listSources: (asked) => call('GET', '/v1/sources', asked),
    registerSource: (asked) => call('POST', '/v1/sources', asked),
    retireSource: (asked) => call('DELETE', '/v1/sources/{source}', asked),
    listChannels: (asked) => call('GET', '/v1/channels', asked),
    addChannel: (asked) => call('POST', '/v1/channels', asked),
    getChannel: (asked) => call('GET', '/v1/channels/{name}', asked),
    changeChannel: (asked) => call('PUT', '/v1/channels/{name}', asked),
    removeChannel: (asked) => call('DELETE', '/v1/channels/{name}', asked),
    testChannel: (asked) => call('POST', '/v1/channels/{name}/test', asked),
    listEscalations: (asked) => call('GET', '/v1/escalations', asked),
    getEscalation: (asked) => call('GET', '/v1/escalations/{id}', asked),
    judgeModification: (asked) => call('POST', '/v1/escalations/{id}/modification', asked),
    decideEscalation: (asked) => call('POST', '/v1/escalations/{id}/decision', asked),
    listInbox: (asked) => call('GET', '/v1/inbox', asked),
    getEscalationBrief: (asked) => call('GET', '/v1/escalations/{id}/brief', asked),
    askAgain: (asked) => call('POST', '/v1/escalations/{id}/ask-again', asked),
    claimEscalation: (asked) => call('POST', '/v1/escalations/{id}/claim', asked),
    releaseEscalation: (asked) => call('DELETE', '/v1/escalations/{id}/claim', asked),
    addComment: (asked) => call('POST', '/v1/escalations/{id}/comments', asked),
    listExecutions: (asked) => call('GET', '/v1/executions', asked),
    listDirtyFlows: (asked) => call('GET', '/v1/flows/dirty', asked),
    resolveExecution: (asked) => call('POST', '/v1/executions/{id}/resolution', asked),
    resolveFlow: (asked) => call('POST', '/v1/flows/{dfid}/resolution', asked),
    reviewFlow: (asked) => call('POST', '/v1/flows/{dfid}/review', asked),
    planErasure: (asked) => call('GET', '/v1/flows/{dfid}/erasure', asked),
    eraseFlow: (asked) => call('POST', '/v1/flows/{dfid}/erasure', asked),
    checkMonitor: (asked) => call('POST', '/v1/monitors/check', asked),
    deployMonitor: (asked) => call('PUT', '/v1/monitors/{name}', asked),
    withdrawMonitor: (asked) => call('POST', '/v1/monitors/{name}/withdrawal', asked),
    listMonitors: (asked) => call('GET', '/v1/monitors', asked),
    listMcpServers: (asked) => call('GET', '/v1/mcp/servers', asked),
    listMcpTools: (asked) => call('GET', '/v1/mcp/tools', asked),
    approveMcpTool: (asked) => call('POST', '/v1/mcp/tools/{server}/{tool}/approve', asked),
    listMcpItems: (asked) => call('GET', '/v1/mcp/items', asked),
    awaitMcpNotices: (asked) => call('GET', '/v1/mcp/notices', asked),
    confirmClock: (asked) => call('POST', '/v1/clock/confirmation', asked),
    readRegistry: (asked) => call('GET', '/v1/registry/entries', asked, 'text'),
    listDecisions: (asked) => call('GET', '/v1/decisions', asked),
    listEpisodes: (asked) => call('GET', '/v1/episodes', asked),
    tryLaw: (asked) => call('POST', '/v1/playground', asked),
    getMonitorSeries: (asked) => call('GET', '/v1/monitors/{name}/series', asked),
    listFlowsBehind: (asked) => call('GET', '/v1/monitors/{name}/flows', asked),
    rehearseMonitor: (asked) => call('POST', '/v1/monitors/rehearsal', asked),
    getCheckpoint: (asked) => call('GET', '/v1/checkpoints/latest', asked),
    exportBundle: (asked) => call('GET', '/v1/bundles/{dfid}', asked, 'text'),
    exportStatement: (asked) => call('GET', '/v1/bundles/{dfid}/statement', asked, 'text'),
    findEntries: (asked) => call('GET', '/v1/ledger/entries', asked),
    getEntry: (asked) => call('GET', '/v1/ledger/entries/{leaf}', asked),
    exportLedger: (asked) => call('GET', '/v1/ledger/export', asked, 'text'),
    listTrajectories: (asked) => call('GET', '/v1/trajectories', asked),
    listTrajectoryEntries: (asked) => call('GET', '/v1/trajectories/{id}/entries', asked),
    proveEntry: (asked) => call('GET', '/v1/trajectories/{id}/proofs', asked),
    branchTrajectory: (asked) => call('POST', '/v1/trajectories/{id}/branches', asked),
    openBranchFlow: (asked) => call('POST', '/v1/trajectories/{id}/flows', asked),
    getWorld: (asked) => call('GET', '/v1/trajectories/{id}/world', asked),
    listChanges: (asked) => call('GET', '/v1/trajectories/{id}/changes', asked),
    listWorldArtifacts: (asked) => call('GET', '/v1/trajectories/{id}/artifacts', asked),
    listArtifactSymbols: (asked) => call('GET', '/v1/trajectories/{id}/artifacts/symbols', asked),
    getArtifactText: (asked) => call('GET', '/v1/trajectories/{id}/artifacts/text', asked),
    listArtifactChanges: (asked) => call('GET', '/v1/trajectories/{id}/artifacts/changes', asked),
    compareArtifact: (asked) => call('GET', '/v1/trajectories/{id}/artifacts/comparison', asked),
    listArtifactPlans: (asked) => call('GET', '/v1/trajectories/{id}/artifacts/plans', asked),
    followEvents: (asked) => call('GET', '/v1/events', asked, 'stream'),
    getDocument: (asked) => call('GET', '/openapi.json', asked),
  }
}
