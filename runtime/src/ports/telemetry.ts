/**
 * What the runtime tells of itself while it works: counters, durations, spans, lines.
 *
 * Every name, label and field is in a closed list, so that a value which nobody thought of has no
 * place to stand. Signals decide nothing: a flow runs the same whether somebody listens or not.
 */
import type { ReasonCode, StageName } from 'rubicon-kernel'

export type LabelName =
  | 'agent_id'
  | 'code'
  | 'job'
  | 'outcome'
  | 'quantile'
  | 'reason'
  | 'signal'
  | 'state'
  | 'status'
  | 'type'

export type Labels = { readonly [L in LabelName]?: string }

export type MetricSeries = {
  readonly help: string
  readonly labels: readonly LabelName[]
}

export const COUNTERS = {
  stale_context_reject_rate: {
    help: 'Proposals rejected because the world had moved since the agent saw it, or what it saw was too old',
    labels: [],
  },
  escalation_count: {
    help: 'What went to the parent agent or a person',
    labels: ['agent_id', 'reason'],
  },
  idempotency_hit_rate: {
    help: 'Proposals answered with the outcome of the same step before: calls that were not made',
    labels: [],
  },
  rubicon_proposals_total: {
    help: 'Proposals by what their agent heard',
    labels: ['outcome', 'reason'],
  },
  rubicon_effects_total: {
    help: 'What became of effects',
    labels: ['status'],
  },
  rubicon_flows_ended_total: {
    help: 'Flows that ended, by how',
    labels: ['state'],
  },
  rubicon_agent_moves_total: {
    help: 'Moves of agents, by where they went',
    labels: ['state'],
  },
  rubicon_soft_guard_answers_total: {
    help: 'What soft guards said',
    labels: ['outcome'],
  },
  rubicon_notices_total: {
    help: 'Attempts to tell somebody, by how they went',
    labels: ['outcome'],
  },
  rubicon_monitor_trips_total: { help: 'Agents stopped by a monitor', labels: [] },
  rubicon_audit_findings_total: {
    help: 'Findings of semantic auditors, and reviews that failed',
    labels: ['outcome'],
  },
  rubicon_background_failures_total: {
    help: 'Background work that failed, by job: a round of it, or one row',
    labels: ['job'],
  },
  rubicon_requests_refused_total: {
    help: 'Requests that were answered 401, 403 or 429, and sign-ins that failed otherwise',
    labels: ['status', 'code'],
  },
  rubicon_sign_ins_failed_total: {
    help: 'Sign-ins and handshakes that failed, by what somebody came with',
    labels: ['type'],
  },
  rubicon_telemetry_dropped_total: {
    help: 'Signals that found no room or nobody to take them',
    labels: ['signal'],
  },
} as const

export const HISTOGRAMS = {
  validation_latency_ms: {
    help: 'Time to a verdict: facts and stages (hard), soft guards (soft)',
    labels: ['type'],
  },
  token_budget_burn: { help: 'Tokens that the agent of a flow reported, at its end', labels: [] },
  rubicon_proposal_duration_seconds: {
    help: 'Time from a proposal to its answer',
    labels: ['outcome'],
  },
  rubicon_effect_duration_seconds: {
    help: 'Time from a send to what came of it',
    labels: ['status'],
  },
} as const

/** Read when somebody asks; see `reading.ts`. */
export const GAUGES = {
  resource_lock_contention: {
    help: 'Holds on resources (held), and the most that proposals in flight may take (limit)',
    labels: ['state'],
  },
  rubicon_proposals_in_flight: {
    help: 'Proposals being judged (held), and beyond how many the answer is OVERLOADED (limit)',
    labels: ['state'],
  },
  rubicon_flows_open: { help: 'Flows that have not ended', labels: [] },
  rubicon_outcomes_unknown: { help: 'Effects that may or may not have happened', labels: [] },
  rubicon_manual_reviews_pending: { help: 'Effects that wait for a person', labels: [] },
  rubicon_escalations_pending: {
    help: 'Flows that wait for the parent agent or a person',
    labels: [],
  },
  rubicon_outbox_depth: { help: 'Notices that are not sent yet', labels: [] },
  rubicon_registry_degraded: { help: '1 while authority comes from the cache alone', labels: [] },
  rubicon_agents: { help: 'Agents by status', labels: ['state'] },
  rubicon_checkpoint_age_seconds: {
    help: 'How long the oldest entry that no checkpoint covers has been waiting for one',
    labels: [],
  },
  rubicon_checkpoint_lag_entries: { help: 'Entries that no checkpoint covers', labels: [] },
  rubicon_event_loop_delay_seconds: { help: 'How late the process is', labels: ['quantile'] },
} as const

export type CounterName = keyof typeof COUNTERS
export type HistogramName = keyof typeof HISTOGRAMS
export type GaugeName = keyof typeof GAUGES

export type SpanName =
  | 'flow'
  | 'trigger'
  | 'context'
  | 'proposal'
  | `stage.${StageName}`
  | 'accept'
  | 'dispatch'
  | 'effect'
  | 'settlement'
  | 'escalation'
  | 'compensation'

/**
 * A span by what it is about. Whoever knows that knows its id, in every process and after every
 * restart: the spans of one dfid are one trace, whoever sent them.
 */
export type SpanRef = {
  readonly dfid: string
  readonly name: SpanName
  /** Tells spans of one name in one flow apart. */
  readonly ordinal: string
}

/** Names of the OpenTelemetry conventions for generative AI where they fit, ours elsewhere. */
export const ATTRIBUTES = [
  'error.type',
  'gen_ai.agent.id',
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.tool.call.id',
  'gen_ai.tool.name',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'rubicon.attempt',
  'rubicon.compensates',
  'rubicon.dfid',
  'rubicon.gate',
  'rubicon.outcome',
  'rubicon.parent_dfid',
  'rubicon.reason_code',
  'rubicon.root_dfid',
  'rubicon.said',
  'rubicon.send',
  'rubicon.settled_by',
  'rubicon.stage',
  'rubicon.state',
  'rubicon.status',
  'rubicon.tokens',
  'rubicon.verdict',
] as const

export type AttributeName = (typeof ATTRIBUTES)[number]
export type SpanAttributes = { readonly [A in AttributeName]?: string | number }

export type Span = {
  readonly ref: SpanRef
  /** Null: the root of the trace. */
  readonly parent: SpanRef | null
  /** Epoch milliseconds, with a fraction. */
  readonly start: number
  readonly end: number
  readonly attributes: SpanAttributes
  /** It did not do what it was for; the reason is in `error.type`. */
  readonly failed?: boolean
  /** Spans of other traces: the flow that this one is part of. */
  readonly links?: readonly SpanRef[]
}

export type LogEvent =
  | 'flow_opened'
  | 'flow_ended'
  | 'proposal_answered'
  | 'intent_accepted'
  | 'effect_dispatched'
  | 'effect_settled'
  | 'escalated'
  | 'escalation_decided'
  | 'approval_released'
  | 'agent_moved'
  | 'monitor_tripped'
  | 'background_failed'
  | 'sign_in_failed'
  | 'request_refused'

/** Parameters as a line may show them, by name: a type and a length, or the value where allowed. */
export type ShownParams = { readonly [name: string]: string | number | boolean | ShownParams }

/** A line of the log: these fields and no others. */
export type LogLine = {
  /** UTC, as everywhere. */
  readonly at: string
  readonly level: 'info' | 'warn' | 'error'
  readonly event: LogEvent
  readonly dfid?: string
  readonly agent_id?: string
  readonly attempt?: number
  readonly outcome?: string
  readonly state?: string
  readonly status?: string
  readonly reason_code?: ReasonCode
  readonly gate?: number
  readonly stage?: string
  readonly policy_kind?: string
  readonly intent_id?: string
  readonly params?: ShownParams
  readonly ms?: number
  readonly job?: string
  /** The name of an error and where in our code it came from; never its message. */
  readonly error?: string
  readonly where?: string
  /** Of a refusal of the server. */
  readonly code?: string
  /** The name of the route in the API document. */
  readonly operation?: string
  /** That a request is counted under. */
  readonly address?: string
}

/** Whoever hears what the engine does. */
export interface Telemetry {
  /** False: nobody listens, and nothing is made that nobody would hear. */
  readonly enabled: boolean
  /** Something happened. */
  count(name: CounterName, labels?: Labels, by?: number): void
  /** Something took so long, or was so much. */
  observe(name: HistogramName, value: number, labels?: Labels): void
  /** A part of a flow has ended. */
  span(span: Span): void
  /** A line for the log. */
  log(line: LogLine): void
}

export const NO_TELEMETRY: Telemetry = {
  enabled: false,
  count() {},
  observe() {},
  span() {},
  log() {},
}
