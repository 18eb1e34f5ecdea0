/** What is left of the rows of a flow that was erased: who, when, which kind, and how it ended. */
import type { ExecutionRow, FlowRow } from '../../ports/store.ts'

/** In place of an intent: it can be parsed, and says nothing. */
export const ERASED_INTENT = '{}'

export function redactFlow(flow: FlowRow): FlowRow {
  return { ...flow, trigger: '' }
}

export function redactExecution(row: ExecutionRow): ExecutionRow {
  return {
    ...row,
    params_fingerprint: '',
    idempotency_key: '',
    intent: ERASED_INTENT,
    details: null,
    result: null,
    receipt: null,
  }
}
