/** Mistakes about what a change of an artifact may reach: what it put in, what is left of what it did not touch. */
import type { Patch } from './patch.ts'

export const ARTIFACT_BOUNDS_PATCHES: readonly Patch[] = [
  {
    name: 'body-goes-on-behind-its-symbol',
    test: {
      file: 'artifacts/src/delta/plan-replace-body.findings.test.ts',
      title: 'a body that ends its symbol and goes on behind it is refused',
    },
    edits: [
      {
        file: 'artifacts/src/delta/plan-delta.ts',
        function: 'checkBody',
        before: 'tokens.length === 0',
        after: 'tokens.length >= 0',
      },
    ],
  },
]
