/** Something that is sent some time after its decision, as its entry records it. */
import {
  type Address,
  type EntryKind,
  type Facts,
  isObject,
  type JsonObject,
  type ResendBody,
  type Trace,
} from 'rubicon-kernel'

export type RecordedSend = {
  readonly intent_id: Address
  readonly facts: Facts
  /** Null: a dispatch of what was accepted, which records no trace. */
  readonly again: { readonly trace: Trace; readonly send_before: ResendBody['send_before'] } | null
}

/** Null: the entry is no such send. */
export function parseSend(kind: EntryKind, payload: JsonObject): RecordedSend | null {
  const { facts, trace, body, intent_id, intent } = payload
  if (!isObject(facts)) return null
  if (kind === 'dispatch' && intent === undefined)
    return { intent_id, facts, again: null } as unknown as RecordedSend
  if (kind !== 'resend' || !isObject(body) || !Array.isArray(trace)) return null
  const again = { trace, send_before: body.send_before }
  return { intent_id: body.intent_id, facts, again } as unknown as RecordedSend
}
