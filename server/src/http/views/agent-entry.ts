/**
 * Entries of a flow as its own agent sees them. The flow tells its whole story by itself, so that an
 * undoing stands in it with the decision behind it: the proposal, facts and trace of whoever chose. An
 * agent sees what is taken back, how, and what came of it; its own choices it sees where it made them. What models
 * were asked about its steps by guards and auditors is for people. Facts of artifacts are withheld as contexts withhold them:
 * a proposal that is refused is recorded with the facts that it names, so that naming a plan would show the lines of another's.
 */
import {
  type CommitPayload,
  type DispatchPayload,
  isObject,
  isWithheldKind,
  type JsonValue,
} from 'rubicon-kernel'
import type { StoredEntry } from 'rubicon-runtime/ports'
import { isAdvice } from './advice-entry.ts'
import { serialiseEntry } from './entry-view.ts'

export function serialiseAgentEntry(entry: StoredEntry): string {
  const shown = redactEntry(entry)
  const payload = shown === null ? entry.payload : JSON.stringify(shown)
  return serialiseEntry({ ...entry, payload: payload === null ? null : hideFacts(payload) })
}

/** Of a fact, and of a change of one, what it is about alone. */
function hideFacts(payload: string): string {
  if (!payload.includes('"kind":"artifact')) return payload
  return JSON.stringify(hideIn(JSON.parse(payload) as JsonValue))
}

function hideIn(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(hideIn)
  if (!isObject(value)) return value
  const { kind, id, op } = value
  if (typeof kind === 'string' && isWithheldKind(kind) && id !== undefined)
    return { kind, id, ...(op === undefined ? {} : { op }) }
  const members = Object.entries(value).map(([name, one]) => [name, hideIn(one)] as const)
  return Object.fromEntries(members)
}

/** Null: it is none, and is shown whole. */
function redactEntry({ envelope, payload }: StoredEntry): JsonValue | null {
  // Payloads are canonical: a member stands there in one way. Most need not be read for it.
  if (envelope.kind === 'dispatch' && payload?.includes('"compensation":{') === true)
    return redactDispatch(JSON.parse(payload))
  if (envelope.kind === 'commit' && payload?.includes('"compensates":"') === true)
    return redactCommit(JSON.parse(payload))
  // Whom a model is asked about need not hear of it, and least of all that nobody is asked any more.
  return isAdvice({ envelope, payload }) ? { source: 'adviser' } : null
}

function redactDispatch({ intent, send }: Partial<DispatchPayload>): JsonValue | null {
  if (intent?.compensation === undefined) return null
  const { intent_id, step_id, policy_kind, capability, params, resources } = intent
  const { action, of } = intent.compensation
  const shown = { intent_id, step_id, policy_kind, capability, params, resources }
  return {
    intent: { ...shown, compensation: { action, of } },
    ...(send === undefined ? {} : { send }),
  }
}

function redactCommit(payload: CommitPayload): JsonValue | null {
  const { intent_id, compensates, observations, receipt, delta, inverse, settled_by } = payload
  if (compensates === undefined) return null
  return { intent_id, compensates, observations, receipt, delta, inverse, settled_by }
}
