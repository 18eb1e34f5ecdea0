/**
 * An effect as it is shown: whose it is and what it is about, instead of the signed text that says so.
 * That text is three quarters of a row, and stands in the ledger, where `dispatched` points.
 */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { ExecutionRow } from 'rubicon-runtime/ports'

export type ExecutionView = Omit<ExecutionRow, 'intent'> & {
  readonly agent_id: string
  readonly params: JsonObject
}

export function toExecutionView({ intent, ...row }: ExecutionRow): ExecutionView {
  const { agent_id, params } = parseIntent(intent)
  return {
    ...row,
    agent_id: typeof agent_id === 'string' ? agent_id : '',
    params: isObject(params) ? params : {},
  }
}

/** Intents of our own store, signed by the kernel. */
function parseIntent(intent: string): Readonly<Record<string, JsonValue>> {
  return JSON.parse(intent) as JsonObject
}
