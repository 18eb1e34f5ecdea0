/** A decision as an entry records it: what was judged, and what came of it. */
import {
  type Address,
  type EntryKind,
  type Facts,
  isObject,
  type JsonObject,
  type JsonValue,
  type SignedIntent,
  type Trace,
} from 'rubicon-kernel'

export type RecordedDecision = {
  readonly facts: Facts
  readonly proposal: JsonValue
  readonly trace: Trace
  readonly said: RecordedVerdict
}

export type RecordedVerdict =
  | { readonly kind: 'staged'; readonly intent: SignedIntent }
  /** It passed the law; what it stood on had moved before it could be sent. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'suspended'; readonly code: string; readonly intent_digest: Address }
  | { readonly kind: 'rejected'; readonly code: string; readonly stage: string }

/** Where nothing was compiled there is no decision of the law. */
const BEFORE_THE_LAW: ReadonlySet<JsonValue> = new Set(['parser', 'queue'])

/** Null: the entry records no decision, or one that was made before the law was asked. */
export function parseDecision(kind: EntryKind, payload: JsonObject): RecordedDecision | null {
  const { facts, proposal, trace } = payload
  if (!isObject(facts) || proposal === undefined || !Array.isArray(trace)) return null
  const said = parseVerdict(kind, payload)
  if (said === null) return null
  return { facts, trace, proposal, said } as unknown as RecordedDecision
}

function parseVerdict(kind: EntryKind, payload: JsonObject): RecordedVerdict | null {
  const { intent, request, stage = '', reason_code } = payload
  if (kind === 'dispatch' || kind === 'accepted')
    return isObject(intent) ? ({ kind: 'staged', intent } as unknown as RecordedVerdict) : null
  if (kind === 'pending_approval' && isObject(request))
    return {
      kind: 'suspended',
      code: String(request.reason_code),
      intent_digest: String(request.intent_digest) as Address,
    }
  if (kind !== 'rejection' || BEFORE_THE_LAW.has(stage)) return null
  if (stage === 'dispatch') return { kind: 'moved' }
  return { kind: 'rejected', code: String(reason_code), stage: String(stage) }
}
