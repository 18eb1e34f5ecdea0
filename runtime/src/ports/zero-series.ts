/**
 * Series that stand at zero from the start, by the values of their labels: a rise from nothing is none to
 * Prometheus, and an alarm would miss the first.
 */
import { EXECUTION_STATUSES } from 'rubicon-kernel'
import { BACKGROUND_JOBS } from './background-job.ts'
import type { CounterName, LabelName } from './telemetry.ts'

export type LabelLists = { readonly [L in LabelName]?: readonly string[] }

export const ZEROS: Readonly<Partial<Record<CounterName, LabelLists>>> = {
  rubicon_proposals_total: {
    outcome: ['ACCEPTED', 'REJECTED', 'ESCALATED', 'EXHAUSTED', 'REPEATED'],
    reason: ['none'],
  },
  rubicon_effects_total: { status: EXECUTION_STATUSES },
  rubicon_flows_ended_total: { state: ['CLOSED', 'ABORTED'] },
  rubicon_agent_moves_total: { state: ['ACTIVE', 'SUSPENDED', 'RETIRED'] },
  rubicon_soft_guard_answers_total: {
    outcome: ['aligned', 'mismatch', 'timeout', 'failed', 'stopped', 'skipped'],
  },
  rubicon_notices_total: { outcome: ['sent', 'retried', 'failed'] },
  rubicon_audit_findings_total: { outcome: ['aligned', 'drifted', 'no_opinion', 'failed'] },
  rubicon_background_failures_total: { job: BACKGROUND_JOBS },
  rubicon_requests_refused_total: { status: ['401', '403', '429'], code: ['none'] },
  rubicon_sign_ins_failed_total: { type: ['token', 'oidc', 'key'] },
  rubicon_telemetry_dropped_total: { signal: ['span', 'line'] },
}
