/** An entry of the ledger as a bell rings it: where it stands and whose it is. It carries no payload. */
import { type EntryKind, LIMITS } from 'rubicon-kernel'
import { parseEntryCode } from 'rubicon-runtime/engine/ledger'
import type { LeafEntry } from 'rubicon-runtime/ports'
import { isAdvice } from '../views/advice-entry.ts'

export type EventView = {
  readonly leaf: number
  readonly trajectory: string
  readonly seq: number
  readonly id: string
  readonly kind: EntryKind
  readonly at: string
  readonly dfid: string | null
  /** Of the flow that it belongs to; without a flow, the agent that it speaks of. */
  readonly agent_id: string | null
  /** Why something was refused, put before a person, or ended as it did. */
  readonly code: string | null
}

/** With its words on the wire: they are written once, however many listen. */
export type LedgerEvent = { readonly view: EventView; readonly text: string }

export function toLedgerEvent(entry: LeafEntry, agent_id: string | null): LedgerEvent {
  const { leaf, id, envelope } = entry
  const { trajectory, seq, kind, at, dfid = null } = envelope
  // One text is for all who listen, the agent included: that a guard has nothing left to ask with is not for it.
  const code = isAdvice(entry) ? null : parseEntryCode(entry)
  const view: EventView = { leaf, trajectory, seq, id, kind, at, dfid, agent_id, code }
  return writeEvent(view)
}

/** As an entry whose payload is gone. */
export function removeCode({ view }: LedgerEvent): LedgerEvent {
  return writeEvent({ ...view, code: null })
}

function writeEvent(view: EventView): LedgerEvent {
  const text = `id: ${view.leaf}\nevent: entry\ndata: ${JSON.stringify(view)}\n\n`
  return { view, text }
}

/** What whoever listens is told first: everything behind this leaf follows. */
export function formatHello(leaf: number): string {
  return `retry: ${LIMITS.eventRetryMs}\nid: ${leaf}\nevent: hello\ndata: {"leaf":${leaf}}\n\n`
}

/** No event, but whoever comes back need not go further back than to this leaf. */
export function formatHeartbeat(leaf: number): string {
  return `: ${leaf}\nid: ${leaf}\n\n`
}

/** The last words. */
export function formatFarewell(why: string): string {
  return `: ${why}\nretry: ${LIMITS.eventRetryMs}\n\n`
}
