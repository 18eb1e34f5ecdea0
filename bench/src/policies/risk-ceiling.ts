/** A person is asked about what is critical. */
import type { TypeScriptPolicy } from 'rubicon-runtime'

export const policy: TypeScriptPolicy = {
  name: 'risk-ceiling',
  version: '1',
  evaluate: ({ capability }) => ({
    decision:
      capability.risk === 'critical'
        ? { kind: 'require_approval', channel: 'finance', reason: 'critical' }
        : { kind: 'permit' },
  }),
}
