import type { FlowEntriesAsked } from '../../ports/entry-kinds.ts'
import type { LeafEntry } from '../../ports/store.ts'

/** Of all entries of the flow, in their order. */
export function pickFlowEntries(
  entries: readonly LeafEntry[],
  [, kinds, last, before]: FlowEntriesAsked,
): readonly LeafEntry[] {
  const end = entries.findIndex(
    ({ envelope: { trajectory, seq } }) => trajectory === before?.trajectory && seq === before.seq,
  )
  const found = entries
    .slice(0, end < 0 ? undefined : end)
    .filter(({ envelope }) => kinds?.includes(envelope.kind) ?? true)
  return last === undefined ? found : found.slice(-last)
}
