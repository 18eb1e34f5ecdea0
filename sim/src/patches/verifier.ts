/** Checks that the verifier does not make: what it would then believe of a forged ledger. */
import type { Patch } from './patch.ts'

export const VERIFIER_PATCHES: readonly Patch[] = [
  {
    name: 'approvals-of-anything-added-up',
    edits: [
      {
        file: 'verifier/src/verify-approvals.ts',
        function: 'divergence',
        before: 'known.said === said',
        after: 'known.said !== null',
      },
    ],
  },
]
