/**
 * How the spans of a flow are named. A name is made of what the ledger knows, so that an engine which
 * settles an effect hangs its span under the dispatch of another that died.
 */
import type { SpanRef } from '../../ports/telemetry.ts'

type OfIntent = { readonly dfid: string; readonly intent_id: string }

export function toFlowSpan(dfid: string): SpanRef {
  return { dfid, name: 'flow', ordinal: '' }
}

export function toTriggerSpan(dfid: string): SpanRef {
  return { dfid, name: 'trigger', ordinal: '' }
}

/** A proposal that was judged is known by its attempt. */
export function toProposalSpan(dfid: string, ordinal: string): SpanRef {
  return { dfid, name: 'proposal', ordinal }
}

export function dispatchSpan({ dfid, intent_id }: OfIntent, send: number): SpanRef {
  return { dfid, name: 'dispatch', ordinal: `${intent_id}:${send}` }
}
