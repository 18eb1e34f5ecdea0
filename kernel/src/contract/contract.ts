/**
 * The responsibility contract: what an agent is for, what it may do, and where it must stop.
 *
 * This is the normalised form that the registry stores and `contract_hash` addresses. Files are
 * written in YAML, in this form or in the seed's flat one; `parse-contract.ts` turns both into it.
 */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { Accepts } from '../fact/accept.ts'
import type { Subscription } from './subscription.ts'

/** What an agent is for. */
export type Role = 'STRATEGIST' | 'EXECUTOR' | 'MONITOR'
/** How far an agent may go by itself. */
export type AuthorityLevel = 'OBSERVE' | 'PROPOSE' | 'EXECUTE_LIMITED' | 'EXECUTE_FULL'
/** What happens beyond a limit. */
export type OnBreach = 'reject' | 'escalate'

/** The lower end of a range that states a `max` alone. */
export const LEAST = '0'

type LimitCommon = {
  /** By which refusals and approvals name it. */
  readonly id: string
  /** Policy kinds it applies to; absent means all. */
  readonly applies_to?: readonly string[]
  /** Whether it is refused, or a person is asked. */
  readonly on_breach: OnBreach
  /** A kernel code, or a domain code that the contract registers in `reason_codes`. */
  readonly reason_code: string
}

/** A bound on a decision. `measure` is computed by the capability, never stated by the agent. */
export type Limit =
  | (LimitCommon & {
      /** Which form of limit it is. */
      readonly kind: 'range'
      /** The measure of the capability that is bounded. */
      readonly measure?: string
      /** A JSON pointer to the parameter that is bounded, in place of a measure. */
      readonly field?: string
      /** The least, inclusive. */
      readonly min?: string
      /** The most, inclusive. */
      readonly max?: string
    })
  | (LimitCommon & {
      /** Which form of limit it is. */
      readonly kind: 'set'
      /** The measure of the capability that is bounded. */
      readonly measure?: string
      /** A JSON pointer to the parameter that is bounded, in place of a measure. */
      readonly field?: string
      /** The values that it may have. */
      readonly allowed?: readonly string[]
      /** The values that it may not have. */
      readonly denied?: readonly string[]
    })
  | (LimitCommon & {
      /** Which form of limit it is. */
      readonly kind: 'state_match'
      /** A path in State. */
      readonly field: string
      /** What must stand there. */
      readonly expected: JsonValue
    })
  | (LimitCommon & {
      /** Which form of limit it is. */
      readonly kind: 'ratio'
      /** The measure of the capability that is bounded. */
      readonly measure: string
      /** The measure it is divided by. */
      readonly of: string
      /** The most, inclusive. */
      readonly max: string
    })

/** A word of the business for a kernel code, with its own text for `explain`. */
export type DomainReason = {
  /** The code of the kernel that it stands for. */
  readonly kernel: string
  /** What it means, in the words of the business. */
  readonly summary: string
  /** What helps. */
  readonly fix?: string
}

/** How long a flow may be silent before a person is asked. */
export type SilenceWatchdog = {
  /** How long. */
  readonly minutes: number
  /** As in `Mon-Fri 09:00-17:30 Europe/Warsaw`; without it at any time. */
  readonly active?: string
  /** `agent`: also an agent that has no flow open is expected to speak. Without it only flows are. */
  readonly scope?: 'agent'
}

/** Allowed values or patterns (`*` at the end, or `re:` and a linear regex), for some kinds. */
export type ResourceSetFor = {
  /** Values or patterns. */
  readonly allow: readonly string[]
  /** Policy kinds it applies to. */
  readonly applies_to: readonly string[]
}

/** Of what an agent's context may hold. World belongs to State. */
export const CONTEXT_LAYERS = ['session', 'state', 'memory', 'artifacts'] as const
/** A layer of what an agent is shown. */
export type ContextLayer = (typeof CONTEXT_LAYERS)[number]

/** What an agent works on: nothing of it is implicit where a contract says it. */
export type ContextDeclaration = {
  /** The layers that it is shown. */
  readonly layers: readonly ContextLayer[]
  /** State paths without which the agent is not invoked. */
  readonly requires: readonly string[]
  /** Tokens of the whole, and events, decisions and pieces of its layers; none is more than usual. */
  readonly limits: {
    /** Of the whole. */
    readonly tokens?: number
    /** Events. */
    readonly session?: number
    /** Decisions. */
    readonly memory?: number
    /** Pieces of documents. */
    readonly artifacts?: number
  }
}

/** How far a value may move, for some kinds. */
export type DriftBoundFor = { readonly max: string; readonly applies_to: readonly string[] }

/** A responsibility contract in its normal form: what an agent is for, what it may do, and where it must stop. */
export type Contract = {
  /** Of the form. */
  readonly api_version: 'rubicon/v1'
  /** What the document is. */
  readonly kind: 'ResponsibilityContract'
  /** The agent. */
  readonly agent_id: string
  /** Raised with every change. */
  readonly version: string
  /** A named person. An agent without one is nobody's responsibility. */
  readonly owner: string
  /** From when on it holds. */
  readonly effective_from: string
  /** Until when; absent: until another one holds. */
  readonly effective_until?: string
  /** What the agent is for. */
  readonly role: Role
  /** How far it may go by itself. */
  readonly authority: AuthorityLevel
  /** The class that it is an instance of. */
  readonly instance_of?: string
  /** The agent above, which is asked before a person. */
  readonly parent_agent?: string
  /** The lower number wins arbitration. */
  readonly priority: number
  /** What it is for, in words; shown to it with every context. */
  readonly mission: string
  /** What it may do. */
  readonly permissions: {
    /** Kinds that it may propose. */
    readonly policy_kinds: readonly string[]
    /** Kinds that it may not, whatever else allows them. */
    readonly forbidden_kinds: readonly string[]
    /** By name. Without `applies_to` it is a plain list, for all kinds. */
    readonly resources: Readonly<Record<string, readonly string[] | ResourceSetFor>>
    /** Bounds on its decisions. */
    readonly limits: readonly Limit[]
    /** Facts that wake it. */
    readonly subscriptions: readonly Subscription[]
    /** State paths that it may be shown, and prefixes ending in `*`. */
    readonly reads: readonly string[]
    /** Paths on which facts below `operator` are read; absent: none. */
    readonly accepts?: Accepts
  }
  /** Where it must stop. */
  readonly safety_rules: {
    /** Confidence below it sends the proposal back. */
    readonly min_confidence_threshold?: string
    /** Confidence below it asks a person. */
    readonly escalate_on_uncertainty?: string
    /** Kinds that a person approves each time. */
    readonly requires_human_approval: readonly string[]
    /** A drawdown that reaches it lets only what reduces exposure, or reads, pass. */
    readonly max_drawdown_limit_pct?: string
    /** Proposals of a flow that may be refused. */
    readonly max_intent_retries: number
    /** As many in so many seconds suspend the agent. */
    readonly suspend_after_rejections?: { readonly count: number; readonly window_s: number }
    /** Exceptions of the agent that may reach a person in an hour. */
    readonly escalations_per_hour: number
    /** Beyond it, nothing of the agent is judged until the hour is over. */
    readonly rejections_per_hour: number
    /** Measure to amount: what one flow may spend. */
    readonly budget_per_flow: Readonly<Record<string, string>>
    /** `window_s`, and what all flows of the agent together may spend in a window of so many seconds. */
    readonly budget_per_agent?: Readonly<Record<string, string>>
    /** How long it may be silent. */
    readonly silence_watchdog?: SilenceWatchdog
    /** While a flow of the agent waits for somebody, its other proposals are refused. */
    readonly pause_on_escalation: boolean
    /** Who approves what the agent asks, and how many of them; without it any one person. */
    readonly approvers?: { readonly needs: number; readonly of: readonly string[] }
    /** Whoever answers for the agent may approve what has a high impact too; absent: somebody else has to. */
    readonly self_approval?: 'allowed'
    /** How many seconds a request of the agent waits for a decision; absent: an hour. */
    readonly approval_window_s?: number
    /** For so many seconds after an act took effect, a call that asks for the same is answered with it. */
    readonly repeat_window_s?: number
    /** When true, a proposal must carry the agent's signature; a session is not enough. */
    readonly requires_signature: boolean
    /** How much has to change before it is woken. */
    readonly wake_up_threshold_pnl_pct?: string
  }
  /** How far the outside may move between decision and effect. */
  readonly jit_verification: {
    /** By name. Without `applies_to` it is a plain bound, for all kinds. */
    readonly drift_envelope: Readonly<Record<string, string | DriftBoundFor>>
    /** How old what it saw may be. */
    readonly max_context_age_seconds?: number
    /** How old a fact may be. */
    readonly max_state_age_ms?: number
    /** What happens beyond the envelope. */
    readonly on_drift_exceeded?: JsonObject
  }
  /** Bounds of monitors that the contract brings. */
  readonly aggregate_thresholds: Readonly<Record<string, string>>
  /** What the agent needs of its host; recorded, and not enforced yet. */
  readonly host?: JsonObject
  /** The version of the context that it was written for. */
  readonly context_schema?: string
  /** Absent: every layer, nothing required, the usual limits. */
  readonly working_context?: ContextDeclaration
  /** What may be chosen where half of a job was done. */
  readonly compensation: readonly string[]
  /** Words of the business for codes of the kernel. */
  readonly reason_codes: Readonly<Record<string, DomainReason>>
}
