/** An effect on the outside, and what became of it. */
import { EXECUTION_STATUSES, type JsonObject } from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'
import { anything, count, moment, named, orNull, string, whole, words } from '../routes/shape.ts'

export { EXECUTION_STATUSES }

export const executionStatus: JsonObject = named('ExecutionStatus', words(...EXECUTION_STATUSES))

export const executionRow: JsonObject = named(
  'ExecutionRow',
  whole<ExecutionRow>({
    dfid: string,
    step_id: string,
    version: count,
    trajectory: string,
    status: executionStatus,
    policy_kind: string,
    params_fingerprint: string,
    idempotency_key: string,
    intent: { type: 'string', description: 'the signed intent, as canonical text' },
    dispatched: whole({ trajectory: string, seq: count }),
    dispatched_at: moment,
    last_sent_at: moment,
    sends: count,
    probes: count,
    epoch: count,
    next_at: orNull(moment),
    reason_code: orNull(string),
    result: anything,
    receipt: anything,
    settled_at: orNull(moment),
  }),
)
