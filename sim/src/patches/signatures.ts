/** Mistakes in judging a signature. */
import type { Patch } from './patch.ts'

export const SIGNATURES_PATCHES: readonly Patch[] = [
  {
    name: 'small-order-r-is-taken',
    findings: ['37a'],
    edits: [
      {
        file: 'kernel/src/keys/weak-point.ts',
        function: 'hasSmallOrderR',
        before: 'return SMALL_ORDER.has(',
        after: 'return false && SMALL_ORDER.has(',
      },
    ],
  },
  {
    name: 'unknown-signature-refuses-a-note',
    findings: ['40a'],
    edits: [
      {
        file: 'verifier/src/ledger/verify-checkpoint.ts',
        function: 'findGenuineSigners',
        before: 'if (known === undefined) continue',
        after: 'if (known === undefined) return undefined',
      },
    ],
  },
  {
    name: 'later-keys-left-out-of-a-bundle',
    edits: [
      {
        file: 'runtime/src/evidence/export-bundle.ts',
        function: 'readAuthorityEntries',
        before: "envelope.kind === 'key' ? size : last",
        after: 'last',
      },
    ],
  },
]
