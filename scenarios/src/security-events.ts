/** What the ledger kept of texts that tried to give orders. */
import type { SecurityEventPayload } from 'rubicon-kernel'
import type { Store } from 'rubicon-runtime/ports'

export async function readSecurityEvents(
  store: Store,
  dfid: string,
): Promise<readonly SecurityEventPayload[]> {
  const entries = await store.listFlowEntries(dfid)
  return entries.flatMap(({ envelope, payload }) => {
    if (envelope.kind !== 'evidence' || payload === null) return []
    const event = parseSecurityEvent(payload)
    return event === null ? [] : [event]
  })
}

/** Null: evidence of something else. Entries in our own store are canonical JSON. */
function parseSecurityEvent(payload: string): SecurityEventPayload | null {
  const event = JSON.parse(payload) as SecurityEventPayload
  return event.source === 'sanitiser' && event.finding === 'injection' ? event : null
}
