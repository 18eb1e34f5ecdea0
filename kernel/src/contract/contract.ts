/**
 * The responsibility contract: what an agent is for, what it may do, and where it must stop.
 *
 * This is the normalised form that the registry stores and `contract_hash` addresses. Files are
 * written in YAML, in this form or in the seed's flat one; `parse-contract.ts` turns both into it.
 */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { Accepts } from '../fact/accept.ts'
import type { Subscription } from './subscription.ts'

export type Role = 'STRATEGIST' | 'EXECUTOR' | 'MONITOR'
export type AuthorityLevel = 'OBSERVE' | 'PROPOSE' | 'EXECUTE_LIMITED' | 'EXECUTE_FULL'
export type OnBreach = 'reject' | 'escalate'

/** The lower end of a range that states a `max` alone. */
export const LEAST = '0'

type LimitCommon = {
  readonly id: string
  /** Policy kinds it applies to; absent means all. */
  readonly applies_to?: readonly string[]
  readonly on_breach: OnBreach
  /** A kernel code, or a domain code that the contract registers in `reason_codes`. */
  readonly reason_code: string
}

/** A bound on a decision. `measure` is computed by the capability, never stated by the agent. */
export type Limit =
  | (LimitCommon & {
      readonly kind: 'range'
      readonly measure?: string
      readonly field?: string
      readonly min?: string
      readonly max?: string
    })
  | (LimitCommon & {
      readonly kind: 'set'
      readonly measure?: string
      readonly field?: string
      readonly allowed?: readonly string[]
      readonly denied?: readonly string[]
    })
  | (LimitCommon & {
      readonly kind: 'state_match'
      /** A path in State. */
      readonly field: string
      readonly expected: JsonValue
    })
  | (LimitCommon & {
      readonly kind: 'ratio'
      readonly measure: string
      /** The measure it is divided by. */
      readonly of: string
      readonly max: string
    })

/** A word of the business for a kernel code, with its own text for `explain`. */
export type DomainReason = {
  readonly kernel: string
  readonly summary: string
  readonly fix?: string
}

/** How long a flow may be silent before a person is asked. */
export type SilenceWatchdog = {
  readonly minutes: number
  /** As in `Mon-Fri 09:00-17:30 Europe/Warsaw`; without it at any time. */
  readonly active?: string
  /** `agent`: also an agent that has no flow open is expected to speak. Without it only flows are. */
  readonly scope?: 'agent'
}

/** Allowed values or patterns (`*` at the end, or `re:` and a linear regex), for some kinds. */
export type ResourceSetFor = {
  readonly allow: readonly string[]
  readonly applies_to: readonly string[]
}

/** Of what an agent's context may hold. World belongs to State. */
export const CONTEXT_LAYERS = ['session', 'state', 'memory', 'artifacts'] as const
export type ContextLayer = (typeof CONTEXT_LAYERS)[number]

/** What an agent works on: nothing of it is implicit where a contract says it. */
export type ContextDeclaration = {
  readonly layers: readonly ContextLayer[]
  /** State paths without which the agent is not invoked. */
  readonly requires: readonly string[]
  /** Tokens of the whole, and events, decisions and pieces of its layers; none is more than usual. */
  readonly limits: {
    readonly tokens?: number
    readonly session?: number
    readonly memory?: number
    readonly artifacts?: number
  }
}

/** How far a value may move, for some kinds. */
export type DriftBoundFor = { readonly max: string; readonly applies_to: readonly string[] }

export type Contract = {
  readonly api_version: 'rubicon/v1'
  readonly kind: 'ResponsibilityContract'
  readonly agent_id: string
  readonly version: string
  /** A named person. An agent without one is nobody's responsibility. */
  readonly owner: string
  readonly effective_from: string
  readonly effective_until?: string
  readonly role: Role
  readonly authority: AuthorityLevel
  readonly instance_of?: string
  readonly parent_agent?: string
  /** The lower number wins arbitration. */
  readonly priority: number
  readonly mission: string
  readonly permissions: {
    readonly policy_kinds: readonly string[]
    readonly forbidden_kinds: readonly string[]
    /** By name. Without `applies_to` it is a plain list, for all kinds. */
    readonly resources: Readonly<Record<string, readonly string[] | ResourceSetFor>>
    readonly limits: readonly Limit[]
    readonly subscriptions: readonly Subscription[]
    readonly reads: readonly string[]
    /** Paths on which facts below `operator` are read; absent: none. */
    readonly accepts?: Accepts
  }
  readonly safety_rules: {
    readonly min_confidence_threshold?: string
    readonly escalate_on_uncertainty?: string
    readonly requires_human_approval: readonly string[]
    readonly max_drawdown_limit_pct?: string
    readonly max_intent_retries: number
    readonly suspend_after_rejections?: { readonly count: number; readonly window_s: number }
    readonly escalations_per_hour: number
    /** Beyond it, nothing of the agent is judged until the hour is over. */
    readonly rejections_per_hour: number
    readonly budget_per_flow: Readonly<Record<string, string>>
    /** `window_s`, and what all flows of the agent together may spend in a window of so many seconds. */
    readonly budget_per_agent?: Readonly<Record<string, string>>
    readonly silence_watchdog?: SilenceWatchdog
    readonly pause_on_escalation: boolean
    /** Who approves what the agent asks, and how many of them; without it any one person. */
    readonly approvers?: { readonly needs: number; readonly of: readonly string[] }
    /** When true, a proposal must carry the agent's signature; a session is not enough. */
    readonly requires_signature: boolean
    readonly wake_up_threshold_pnl_pct?: string
  }
  readonly jit_verification: {
    /** By name. Without `applies_to` it is a plain bound, for all kinds. */
    readonly drift_envelope: Readonly<Record<string, string | DriftBoundFor>>
    readonly max_context_age_seconds?: number
    readonly max_state_age_ms?: number
    readonly on_drift_exceeded?: JsonObject
  }
  readonly aggregate_thresholds: Readonly<Record<string, string>>
  readonly host?: JsonObject
  readonly context_schema?: string
  /** Absent: every layer, nothing required, the usual limits. */
  readonly working_context?: ContextDeclaration
  readonly compensation: readonly string[]
  readonly reason_codes: Readonly<Record<string, DomainReason>>
}
