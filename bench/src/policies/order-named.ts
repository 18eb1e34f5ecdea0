/** A refund says for which order it is. */
import type { TypeScriptPolicy } from 'rubicon-runtime'

export const policy: TypeScriptPolicy = {
  name: 'order-named',
  version: '1',
  evaluate: ({ proposal }) => ({
    decision:
      typeof proposal.params.order === 'string'
        ? { kind: 'permit' }
        : { kind: 'deny', reason: 'no order' },
  }),
}
