/** Refunds of nothing are refused. In a file of its own: a store that processes share takes only policies pinned by their bytes. */
import type { TypeScriptPolicy } from 'rubicon-runtime'

export const policy: TypeScriptPolicy = {
  name: 'positive-amount',
  version: '1',
  evaluate: ({ proposal }) => ({
    decision: proposal.params.amount === '0' ? { kind: 'deny', reason: 'nothing to refund' } : null,
  }),
}
