/**
 * What a monitor watches: a statistic over the executions of an agent, in a window that rolls.
 *
 * One decision may be within every limit while the sum of them is not. A monitor sees the sum, and
 * its trip suspends the agent.
 */

/** Outcomes that an execution can settle with. */
export const SAMPLED_STATUSES = ['SUCCESS', 'FAILED', 'ABANDONED'] as const
export type SampledStatus = (typeof SAMPLED_STATUSES)[number]

export function isSampledStatus(text: string): text is SampledStatus {
  return SAMPLED_STATUSES.some((status) => status === text)
}

/** Decimal text; the bound itself is still fine. */
export type Bounds = {
  /** Above it the monitor trips. */
  readonly max?: string
  /** Below it the monitor trips. */
  readonly min?: string
}

/** What one execution must show to count. A decimal, or another value of the same execution. */
export type Condition =
  | { readonly is: string }
  | { readonly above: string }
  | { readonly below: string }

/** `value` and `of` name a value of an execution by its source, as in `measure:discount`. */
export type Statistic =
  | ({
      readonly kind: 'mean'
      /** What is looked at in each execution. */
      readonly value: string
    } & Bounds)
  /** The share of executions that meet the condition. */
  | ({
      readonly kind: 'rate'
      /** What is looked at in each execution. */
      readonly value: string
      /** Which executions meet it. */
      readonly when: Condition
    } & Bounds)
  /** The sum of one value over the sum of another. */
  | ({
      readonly kind: 'ratio'
      /** What is looked at in each execution. */
      readonly value: string
      /** The value that it is divided by. */
      readonly of: string
    } & Bounds)
  /** So many executions in a row that meet the condition. */
  | {
      readonly kind: 'streak'
      /** What is looked at in each execution. */
      readonly value: string
      /** Which executions meet it. */
      readonly when: Condition
      /** How many in a row. */
      readonly length: number
    }
  /** The largest sum, over a run that ends now, of how far the value lies beyond target and slack. */
  | {
      readonly kind: 'cusum'
      /** What is looked at in each execution. */
      readonly value: string
      /** What the value should be. */
      readonly target: string
      /** How far it may lie off. */
      readonly slack: string
      /** Beyond it, or below it. */
      readonly direction: 'up' | 'down'
      /** Above it the monitor trips. */
      readonly max: string
    }
  /** Total variation distance between the window and the baseline, over fixed bins. */
  | {
      readonly kind: 'shift'
      /** What is looked at in each execution. */
      readonly value: string
      /** Rising; a value belongs to the first edge that it does not exceed, else to the last bin. */
      readonly edges: readonly string[]
      /** How often each bin was met when all was well: one count more than there are edges. */
      readonly baseline: readonly number[]
      /** Above it the monitor trips. */
      readonly max: string
    }

/** The last so many executions, those since so long, or both. */
export type MonitorWindow = {
  readonly executions?: number
  /** `30d`, `12h` or `45m`. */
  readonly duration?: string
}

/** A rule over many executions: beyond it the agent is suspended. */
export type Monitor = {
  /** Of the form. */
  readonly api_version: 'rubicon/v1'
  /** What the document is. */
  readonly kind: 'Monitor'
  /** By which it is known. */
  readonly name: string
  /** Each is watched by itself, and so is every instance of one. */
  readonly agents: readonly string[]
  /** Executions of these kinds count; empty: of all. */
  readonly policy_kinds: readonly string[]
  /** Outcomes that count. */
  readonly statuses: readonly SampledStatus[]
  /** What is computed, and its bounds. */
  readonly statistic: Statistic
  /** Over which executions. */
  readonly window: MonitorWindow
  /** With fewer there is no data, which is not the same as being fine. */
  readonly min_samples: number
  /** Values in the window that may be no number before that alone trips the monitor. */
  readonly max_unreadable: number
}
