/** What the ledger kept of a decision: the stages that ran, and everything they found. */
import type { Answer, Trace } from 'rubicon-kernel'
import type { Store } from 'rubicon-runtime/ports'

export async function readTrace(store: Store, { dfid, trace_id }: Answer): Promise<Trace> {
  const entries = await store.listFlowEntries(dfid)
  const entry = entries.find(({ envelope: { trajectory, seq } }) => {
    return `${trajectory}/${seq}` === trace_id
  })
  return entry?.payload == null ? [] : parseTrace(entry.payload)
}

/** Every reason in it, refusals before what a person would have been asked. */
export function listReasons(trace: Trace): readonly string[] {
  const found = trace.flatMap(({ refusals = [], triggers = [] }) => [...refusals, ...triggers])
  return found.map(({ code, domain_code }) => domain_code ?? code)
}

/** Entries in our own store are canonical JSON. */
function parseTrace(payload: string): Trace {
  return (JSON.parse(payload) as { readonly trace: Trace }).trace
}
