/** A call of a tool that did not simply pass, as its flow tells it. */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'

export type ObservedCall = {
  readonly dfid: string
  /** `mcp.SERVER.TOOL` */
  readonly kind: string
  readonly what: 'refused' | 'waited'
  readonly code: string
  readonly details: JsonObject
  /** It waited, and went ahead. */
  readonly wasApproved: boolean
}

export type ObservedEntry = { readonly kind: string; readonly payload: JsonValue }

const SEEN: Readonly<Record<string, ObservedCall['what']>> = {
  rejection: 'refused',
  pending_approval: 'waited',
}

/** Entries that were erased or archived say nothing. */
export function listObservedCalls(
  dfid: string,
  entries: readonly ObservedEntry[],
  wentAhead: boolean,
): readonly ObservedCall[] {
  return entries.flatMap(({ kind: entry, payload }) => {
    const what = Object.hasOwn(SEEN, entry) ? SEEN[entry] : undefined
    if (what === undefined || !isObject(payload)) return []
    const { proposal, request, details } = payload
    const { reason_code: code } = isObject(request ?? null) ? (request as JsonObject) : payload
    const kind = isObject(proposal) ? proposal.policy_kind : undefined
    if (typeof kind !== 'string' || !kind.startsWith('mcp.') || typeof code !== 'string') return []
    const wasApproved = what === 'waited' && wentAhead
    return [{ dfid, kind, what, code, details: isObject(details) ? details : {}, wasApproved }]
  })
}
