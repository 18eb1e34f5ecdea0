/** Where a recorded decision stands, whose it is, and what it is about. */
import { describeObject, isObject, type JsonValue, UNKNOWN_NAMING } from 'rubicon-kernel'
import type { StoredEntry } from 'rubicon-runtime/ports'

export type DecisionPlace = {
  readonly trajectory: string
  readonly seq: number
  readonly leaf: number | null
  readonly dfid: string
  readonly agent_id: string
  /** What could be read of the proposal; else empty. */
  readonly policy_kind: string
  readonly object: string
  readonly at: string
}

export function toDecisionPlace(
  { envelope, leaf, payload }: StoredEntry,
  agent_id: string,
): DecisionPlace {
  const { trajectory, seq, dfid = '', at } = envelope
  const { proposal } = payload === null ? {} : parseRecord(payload)
  const { policy_kind, params } = isObject(proposal) ? proposal : {}
  return {
    ...{ trajectory, seq, leaf, dfid, agent_id, at },
    policy_kind: typeof policy_kind === 'string' ? policy_kind : '',
    object: isObject(params) ? describeObject(UNKNOWN_NAMING, params) : '',
  }
}

/** Entries in our own store are what we wrote there. */
function parseRecord(payload: string): { readonly proposal?: JsonValue } {
  return JSON.parse(payload) as { readonly proposal?: JsonValue }
}
