import type { BundleEntry } from 'rubicon-kernel'
import type { FlowEntry } from '../flow/story-parts.ts'

/** The entries of the flow itself, as its timeline takes them. */
export function toFlowEntries({
  dfid,
  entries,
}: {
  readonly dfid: string
  readonly entries: readonly BundleEntry[]
}): readonly FlowEntry[] {
  return entries
    .filter(({ envelope }) => envelope.dfid === dfid)
    .map(({ id, leaf, envelope: { trajectory, seq, kind, at }, payload }) => {
      return { trajectory, seq, leaf, id, kind, at, payload }
    })
}
