/** Checks that the verifier does not make: what it would then believe of a forged ledger. */
import type { Patch } from './patch.ts'

export const VERIFIER_PATCHES: readonly Patch[] = [
  {
    name: 'settled-effect-undone-unseen',
    edits: [
      {
        file: 'verifier/src/verify-compensations.ts',
        function: 'settledProblems',
        before: 'settled.has(of)',
        after: 'settled.size < 0',
      },
    ],
  },
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
